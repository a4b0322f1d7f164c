import { Inconclusive, Interrupted, Skip } from './outcome.ts'
import type { Unjudged } from './result.ts'
import { createScope, type Reads, runInScope } from './scope.ts'

/** What one check came to. Texts may still hold secrets. */
export interface Judgement {
  requirement: string
  /** Whether requests made for it were judged, or every exchange of the run. */
  by: 'probe' | 'invariant'
  verdict: 'pass' | 'fail' | 'inconclusive' | 'skipped'
  reason?: string
  /** For want of what the catalogue says that it needs, or since the run came to its end. */
  unjudged?: Extract<Unjudged, { kind: 'needs' | 'interrupted' }>
  expected?: string
  actual?: string
  reads?: Reads
  /** The sample for which it failed. */
  sample?: string
  exchanges: string[]
  durationMs: number
  /** What went wrong in Plumbline itself, for those who mend it. */
  defect?: string
}

type Outcome = Omit<Judgement, 'requirement' | 'by' | 'reads' | 'exchanges' | 'durationMs'>

/** The sample that an expectation failed for. */
export interface FailedSample {
  text: string
  seed: number
}

const display = (value: unknown) =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))

/** Whether an expectation threw this, and nothing else. */
export function isFailedExpectation(
  error: unknown,
): error is Error & { expected: unknown; actual: unknown; sample?: FailedSample } {
  return error instanceof Error && 'expected' in error && 'actual' in error
}

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
    const { message: reason, needs } = error
    return { verdict: 'skipped', reason, ...(needs && { unjudged: { kind: 'needs', needs } }) }
  }
  if (error instanceof Inconclusive) {
    const isEnd = error instanceof Interrupted && error.ends
    const unjudged = isEnd && ({ unjudged: { kind: 'interrupted' } } as const)
    return { verdict: 'inconclusive', reason: error.message, ...unjudged }
  }
  if (isFailedExpectation(error)) {
    const [expected, actual] = [display(error.expected), display(error.actual)]
    const sample = error.sample && { sample: error.sample.text }
    return { verdict: 'fail', reason: error.message, expected, actual, ...sample }
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
        scope.notes.push(`Sample of seed ${error.sample.seed}: ${error.sample.text}.`)
      }
      return outcomeOf(error)
    },
  )
  const { verdict, reason } = outcome
  const shows = verdict === 'fail' ? scope.failures.get(reason ?? '') : undefined
  // What a check has noted helps to read its failure too.
  const { notes } = scope
  if (notes.length > 0 && verdict === 'pass') outcome.reason = notes.join(' ')
  if (notes.length > 0 && verdict === 'fail') outcome.reason = [`${reason}.`, ...notes].join(' ')
  return {
    requirement,
    by,
    ...outcome,
    ...(shows?.reads && { reads: shows.reads }),
    // For a failure, the one that shows it comes first.
    exchanges: [...new Set([shows?.exchange ?? [], ...scope.exchanges].flat())],
    durationMs: performance.now() - started,
  }
}
