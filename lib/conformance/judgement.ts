import type { Redactor } from '../probe/redaction.ts'
import type { Deviation, InspectedPart, UncheckedPart, Unjudged } from '../results/result.ts'
import { Contradictions, deviationOf, isFailedExpectation, MAX_DEVIATIONS } from './deviations.ts'
import { Inconclusive, Interrupted, Skip } from './outcome.ts'
import { createScope, redactedReads, runInScope } from './scope.ts'

/** What one check came to. Texts may still hold secrets. */
export interface Judgement {
  requirement: string
  /** Whether requests made for it were judged, or every exchange of the run. */
  by: 'probe' | 'invariant'
  verdict: 'pass' | 'fail' | 'inconclusive' | 'skipped'
  reason?: string
  /** For want of what the catalogue says that it needs, or since the run came to its end. */
  unjudged?: Extract<Unjudged, { kind: 'needs' | 'not observed' | 'interrupted' }>
  expected?: string
  actual?: string
  reads?: InspectedPart
  /** Of a failure, at most `MAX_DEVIATIONS`. */
  deviations?: Deviation[]
  furtherDeviations?: number
  /** Parts of the check that a pass does not cover. */
  partial?: UncheckedPart[]
  /** The sample for which it failed. */
  sample?: string
  exchanges: string[]
  /** Id of the exchange that shows why there is no verdict, if known. */
  shownBy?: string
  durationMs: number
  /** What went wrong in Plumbline itself, for those who mend it. */
  defect?: string
}

/** Returns a copy with every text redacted. @param redact redacts a text of Plumbline */
export function redactedJudgement<Some extends Omit<Judgement, 'defect'>>(
  judgement: Some,
  redactor: Redactor,
  redact: (text: string) => string = (text) => redactor.redactOwnWords(text),
): Some {
  const { reason, expected, actual, reads, deviations, partial, sample } = judgement
  const own = (text: string | undefined) => text && redact(text)
  return {
    ...judgement,
    ...{ reason: own(reason), expected: own(expected), actual: own(actual) },
    reads: redactedReads(reads, redactor),
    sample: own(sample),
    deviations: deviations?.map((one) => ({
      ...one,
      ...{ expected: redact(one.expected), actual: redact(one.actual) },
      ...(one.reads && { reads: redactedReads(one.reads, redactor) }),
    })),
    partial: partial?.map((part) => ({ ...part, reason: redact(part.reason) })),
  }
}

type Outcome = Omit<Judgement, 'requirement' | 'by' | 'exchanges' | 'durationMs'>

/**
 * An error as those who mend it need it: with its stack, and with what caused it. Vitest hands on copies
 * of errors, which are no `Error`.
 */
export function describeDefect(error: unknown): string {
  const { name, message, stack, cause } = (error ?? {}) as Partial<Error>
  if (typeof message !== 'string') return String(error)
  const text = stack || `${name}: ${message}`
  return cause === undefined ? text : `${text}\ncaused by ${describeDefect(cause)}`
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof Skip) {
    const { message: reason, unjudged } = error
    return { verdict: 'skipped', reason, ...(unjudged && { unjudged }) }
  }
  if (error instanceof Inconclusive) {
    const isEnd = error instanceof Interrupted && error.ends
    const unjudged = isEnd && ({ unjudged: { kind: 'interrupted' } } as const)
    const { message: reason, shownBy } = error
    return { verdict: 'inconclusive', reason, ...unjudged, ...(shownBy && { shownBy }) }
  }
  const failures = error instanceof Contradictions ? error.failures : [error]
  const [failure] = failures
  if (isFailedExpectation(failure)) {
    const deviations = failures.filter(isFailedExpectation).map(deviationOf)
    const { expected = '', actual = '', reads } = deviations[0] ?? {}
    const further = deviations.length - MAX_DEVIATIONS
    return {
      ...{ verdict: 'fail', reason: failure.message, expected, actual },
      ...(reads && { reads }),
      ...(failure.sample && { sample: failure.sample.text }),
      deviations: deviations.slice(0, MAX_DEVIATIONS),
      ...(further > 0 && { furtherDeviations: further }),
    }
  }
  const problem = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return {
    verdict: 'inconclusive',
    reason: `Plumbline could not judge this because of a defect of its own: ${problem}`,
    defect: describeDefect(error),
  }
}

/** Runs a check to its verdict. A defect of the check is never held against the deployment. */
export async function judge(
  requirement: string,
  by: Judgement['by'],
  check: () => Promise<void>,
): Promise<Judgement> {
  const scope = createScope(requirement)
  const started = performance.now()
  const outcome: Outcome = await runInScope(scope, check).then(
    () => ({ verdict: 'pass' }),
    (error) => {
      if (isFailedExpectation(error) && error.sample !== undefined) {
        const { seed, text } = error.sample
        scope.notes.push({ reason: `Sample of seed ${seed}: ${text}.` })
      }
      return outcomeOf(error)
    },
  )
  const { verdict, reason, deviations = [] } = outcome
  // What a check has noted helps to read its failure too.
  const { notes } = scope
  const texts = notes.map((note) => note.reason)
  if (notes.length > 0 && verdict === 'pass') {
    Object.assign(outcome, { reason: texts.join(' '), partial: notes })
  }
  if (notes.length > 0 && verdict === 'fail') outcome.reason = [`${reason}.`, ...texts].join(' ')
  const shown = deviations.flatMap(({ exchange = [] }) => exchange)
  return {
    requirement,
    by,
    ...outcome,
    // Those that show a failure come first.
    exchanges: [...new Set([...shown, ...scope.exchanges])],
    durationMs: performance.now() - started,
  }
}
