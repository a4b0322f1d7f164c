import type { Redactor } from '../probe/redaction.ts'
import type { Reason } from '../results/reason.ts'
import type { Deviation, InspectedPart, LeftOutPart } from '../results/run-report.ts'
import { Inconclusive, Skip } from './check-errors.ts'
import { failuresIn, isFailedExpectation, MAX_DEVIATIONS, toDeviation } from './deviations.ts'
import { createScope, runInScope } from './evidence-scope.ts'
import { pointerNames, toPointer } from './json-pointer.ts'

/** Result of one check; its texts may contain secrets. */
export interface CheckResult {
  requirement: string
  /** Evidence: requests of the check, or every exchange of the run. */
  by: 'probe' | 'invariant'
  verdict: 'pass' | 'fail' | 'inconclusive' | 'skipped'
  noVerdict?: Reason
  expected?: string
  actual?: string
  reads?: InspectedPart
  /** Deviations of a failure, at most `MAX_DEVIATIONS`. */
  deviations?: Deviation[]
  furtherDeviations?: number
  partial?: LeftOutPart[]
  exchanges: string[]
  durationMs: number
  internalError?: string
}

export function redactedReads(
  part: InspectedPart | undefined,
  redactor: Pick<Redactor, 'redact'>,
): InspectedPart | undefined {
  if (part === undefined || 'status' in part) return part
  if ('header' in part) return { header: redactor.redact(part.header) }
  // Redaction would not find a secret with pointer escapes.
  const names = pointerNames(part.pointer).map((name) => redactor.redact(name))
  return { pointer: toPointer(names) }
}

/** Redacts the texts of a reason; its kind and the names of needs are never secret. */
function redactReason(reason: Reason, redact: (text: string) => string): Reason {
  return {
    ...reason,
    ...('text' in reason && reason.text !== undefined && { text: redact(reason.text) }),
    ...('detail' in reason && { detail: redact(reason.detail) }),
    ...('path' in reason && reason.path !== undefined && { path: redact(reason.path) }),
    ...('because' in reason && { because: redactReason(reason.because, redact) }),
  }
}

/** Returns a redacted copy. @param redact redacts a text of Plumbline */
export function redactCheckResult<Some extends Omit<CheckResult, 'internalError'>>(
  result: Some,
  redactor: Redactor,
  redact: (text: string) => string = (text) => redactor.redactMessage(text),
): Some {
  const { noVerdict, expected, actual, reads, deviations, partial } = result
  const redactText = (text: string | undefined) => text && redact(text)
  return {
    ...result,
    ...(noVerdict && { noVerdict: redactReason(noVerdict, redact) }),
    ...{ expected: redactText(expected), actual: redactText(actual) },
    reads: redactedReads(reads, redactor),
    deviations: deviations?.map((one) => ({
      ...one,
      ...{ expected: redact(one.expected), actual: redact(one.actual) },
      ...(one.reads && { reads: redactedReads(one.reads, redactor) }),
    })),
    partial: partial?.map(({ part, noVerdict }) => {
      return { ...(part && { part: redact(part) }), noVerdict: redactReason(noVerdict, redact) }
    }),
  }
}

type CheckOutcome = Omit<CheckResult, 'requirement' | 'by' | 'exchanges' | 'durationMs'>

/** Returns the stack of an error and of its causes. Copies of errors, as Vitest passes them, are not `Error`s. */
export function describeInternalError(error: unknown): string {
  const { name, message, stack, cause } = (error ?? {}) as Partial<Error>
  if (typeof message !== 'string') return String(error)
  const text = stack || `${name}: ${message}`
  return cause === undefined ? text : `${text}\ncaused by ${describeInternalError(cause)}`
}

function toCheckOutcome(error: unknown): CheckOutcome {
  if (error instanceof Skip) return { verdict: 'skipped', noVerdict: error.reason }
  if (error instanceof Inconclusive) return { verdict: 'inconclusive', noVerdict: error.reason }
  const failures = failuresIn(error)
  const [failure] = failures
  if (isFailedExpectation(failure)) {
    const deviations = failures.filter(isFailedExpectation).map(toDeviation)
    const { expected = '', actual = '', reads } = deviations[0] ?? {}
    const further = deviations.length - MAX_DEVIATIONS
    return {
      ...{ verdict: 'fail', expected, actual },
      ...(reads && { reads }),
      deviations: deviations.slice(0, MAX_DEVIATIONS),
      ...(further > 0 && { furtherDeviations: further }),
    }
  }
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return {
    verdict: 'inconclusive',
    noVerdict: { kind: 'internal error', text },
    internalError: describeInternalError(error),
  }
}

/** Runs a check and returns its verdict. An internal error is inconclusive, never a failure. */
export async function runCheck(
  requirement: string,
  by: CheckResult['by'],
  check: () => Promise<void>,
): Promise<CheckResult> {
  const scope = createScope(requirement)
  const started = performance.now()
  const outcome = await runInScope(scope, check).then(
    (): CheckOutcome => ({ verdict: 'pass' }),
    toCheckOutcome,
  )
  const { verdict, deviations = [] } = outcome
  const { notes: partial } = scope
  // Notes explain a failure too.
  const hasNotes = partial.length > 0 && (verdict === 'pass' || verdict === 'fail')
  const deviating = deviations.flatMap(({ exchange = [] }) => exchange)
  return {
    requirement,
    by,
    ...outcome,
    ...(hasNotes && { partial }),
    // Exchanges that show a failure come first.
    exchanges: [...new Set([...deviating, ...scope.exchanges])],
    durationMs: performance.now() - started,
  }
}
