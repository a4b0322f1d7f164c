import { Inconclusive, Interrupted, Skip } from './outcome.ts'
import type { Unjudged } from './result.ts'
import { createScope, type Reads, runInScope, type Scope } from './scope.ts'

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
  exchanges: string[]
  durationMs: number
  /** What went wrong in Plumbline itself, for those who mend it. */
  defect?: string
}

type Outcome = Pick<Judgement, 'verdict' | 'reason' | 'unjudged' | 'expected' | 'actual' | 'defect'>

function display(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
}

/** Whether an expectation threw this, and nothing else. */
export function isFailedExpectation(
  error: unknown,
): error is Error & { expected: unknown; actual: unknown } {
  return error instanceof Error && 'expected' in error && 'actual' in error
}

/** An error as those who mend it need it: with its stack, and with what caused it. */
export function describeDefect(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const text = error.stack ?? `${error.name}: ${error.message}`
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
    return {
      verdict: 'fail',
      reason: error.message,
      expected: display(error.expected),
      actual: display(error.actual),
    }
  }
  const problem = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return {
    verdict: 'inconclusive',
    reason: `Plumbline could not judge this because of a defect of its own: ${problem}`,
    defect: describeDefect(error),
  }
}

/** For a failure, the exchange that shows it comes first. */
function evidence(
  { exchanges, failures }: Scope,
  { verdict, reason }: Outcome,
): Pick<Judgement, 'exchanges' | 'reads'> {
  const ids = [...exchanges]
  const shows = verdict === 'fail' ? failures.get(reason ?? '') : undefined
  if (shows === undefined) return { exchanges: ids }
  const { exchange, reads } = shows
  const ordered = [exchange, ...ids.filter((id) => id !== exchange)]
  return { ...(reads === undefined ? {} : { reads }), exchanges: ordered }
}

/**
 * Runs a check to its verdict. A failed expectation is a `fail`, `Skip` and `Inconclusive` are what
 * they say; anything else thrown is a defect of the check and never held against the deployment.
 */
export async function judge(
  requirement: string,
  by: Judgement['by'],
  check: () => Promise<void>,
): Promise<Judgement> {
  const scope = createScope(requirement)
  const started = performance.now()
  let outcome: Outcome
  try {
    await runInScope(scope, check)
    outcome = {
      verdict: 'pass',
      ...(scope.notes.length === 0 ? {} : { reason: scope.notes.join(' ') }),
    }
  } catch (error) {
    outcome = outcomeOf(error)
  }
  const shown = evidence(scope, outcome)
  // What a check has noted helps to read its failure too.
  if (outcome.verdict === 'fail' && scope.notes.length > 0) {
    outcome.reason = [`${outcome.reason}.`, ...scope.notes].join(' ')
  }
  return {
    requirement,
    by,
    ...outcome,
    ...shown,
    durationMs: performance.now() - started,
  }
}
