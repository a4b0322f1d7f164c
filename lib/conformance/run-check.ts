import type { Redactor } from '../probe/redaction.ts'
import type { Reason } from '../results/reason.ts'
import type { Deviation, InspectedPart, LeftOutPart } from '../results/run-report.ts'
import { Inconclusive, Skip } from './check-errors.ts'
import { Contradictions, deviationOf, isFailedExpectation, MAX_DEVIATIONS } from './deviations.ts'
import { createScope, redactedReads, runInScope } from './evidence-scope.ts'

/** What one check came to. Texts may still hold secrets. */
export interface CheckResult {
  requirement: string
  /** Whether requests made for it were judged, or every exchange of the run. */
  by: 'probe' | 'invariant'
  verdict: 'pass' | 'fail' | 'inconclusive' | 'skipped'
  /** Why it was skipped or is inconclusive. */
  unjudged?: Reason
  expected?: string
  actual?: string
  reads?: InspectedPart
  /** Of a failure, at most `MAX_DEVIATIONS`. */
  deviations?: Deviation[]
  furtherDeviations?: number
  /** Parts that the check left out, and sentences about what it did. */
  partial?: LeftOutPart[]
  /** The sample for which it failed. */
  sample?: string
  exchanges: string[]
  durationMs: number
  /** What went wrong in Plumbline itself, for those who mend it. */
  defect?: string
}

/** Returns a copy with the texts redacted; the kinds of a reason and the names of needs are our own. */
function redactedReason(reason: Reason, redact: (text: string) => string): Reason {
  return {
    ...reason,
    ...('text' in reason && reason.text !== undefined && { text: redact(reason.text) }),
    ...('detail' in reason && { detail: redact(reason.detail) }),
    ...('path' in reason && reason.path !== undefined && { path: redact(reason.path) }),
    ...('because' in reason && { because: redactedReason(reason.because, redact) }),
  }
}

/** Returns a copy with every text redacted. @param redact redacts a text of Plumbline */
export function redactCheckResult<Some extends Omit<CheckResult, 'defect'>>(
  judgement: Some,
  redactor: Redactor,
  redact: (text: string) => string = (text) => redactor.redactOwnWords(text),
): Some {
  const { unjudged, expected, actual, reads, deviations, partial, sample } = judgement
  const own = (text: string | undefined) => text && redact(text)
  return {
    ...judgement,
    ...(unjudged && { unjudged: redactedReason(unjudged, redact) }),
    ...{ expected: own(expected), actual: own(actual) },
    reads: redactedReads(reads, redactor),
    sample: own(sample),
    deviations: deviations?.map((one) => ({
      ...one,
      ...{ expected: redact(one.expected), actual: redact(one.actual) },
      ...(one.reads && { reads: redactedReads(one.reads, redactor) }),
    })),
    partial: partial?.map(({ part, unjudged }) => {
      return { ...(part && { part: redact(part) }), unjudged: redactedReason(unjudged, redact) }
    }),
  }
}

type CheckOutcome = Omit<CheckResult, 'requirement' | 'by' | 'exchanges' | 'durationMs'>

/**
 * An error as those who mend it need it: with its stack, and with what caused it. Vitest hands on copies
 * of errors, which are no `Error`.
 */
export function describeInternalError(error: unknown): string {
  const { name, message, stack, cause } = (error ?? {}) as Partial<Error>
  if (typeof message !== 'string') return String(error)
  const text = stack || `${name}: ${message}`
  return cause === undefined ? text : `${text}\ncaused by ${describeInternalError(cause)}`
}

function outcomeOf(error: unknown): CheckOutcome {
  if (error instanceof Skip) return { verdict: 'skipped', unjudged: error.reason }
  if (error instanceof Inconclusive) return { verdict: 'inconclusive', unjudged: error.reason }
  const failures = error instanceof Contradictions ? error.failures : [error]
  const [failure] = failures
  if (isFailedExpectation(failure)) {
    const deviations = failures.filter(isFailedExpectation).map(deviationOf)
    const { expected = '', actual = '', reads } = deviations[0] ?? {}
    const further = deviations.length - MAX_DEVIATIONS
    return {
      ...{ verdict: 'fail', expected, actual },
      ...(reads && { reads }),
      ...(failure.sample !== undefined && { sample: failure.sample }),
      deviations: deviations.slice(0, MAX_DEVIATIONS),
      ...(further > 0 && { furtherDeviations: further }),
    }
  }
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return {
    verdict: 'inconclusive',
    unjudged: { kind: 'defect', text },
    defect: describeInternalError(error),
  }
}

/** Runs a check to its verdict. A defect of the check is never held against the deployment. */
export async function runCheck(
  requirement: string,
  by: CheckResult['by'],
  check: () => Promise<void>,
): Promise<CheckResult> {
  const scope = createScope(requirement)
  const started = performance.now()
  const outcome = await runInScope(scope, check).then(
    (): CheckOutcome => ({ verdict: 'pass' }),
    outcomeOf,
  )
  const { verdict, deviations = [] } = outcome
  const { notes: partial } = scope
  // What a check has noted helps to read its failure too.
  const hasNotes = partial.length > 0 && (verdict === 'pass' || verdict === 'fail')
  const shown = deviations.flatMap(({ exchange = [] }) => exchange)
  return {
    requirement,
    by,
    ...outcome,
    ...(hasNotes && { partial }),
    // Those that show a failure come first.
    exchanges: [...new Set([...shown, ...scope.exchanges])],
    durationMs: performance.now() - started,
  }
}
