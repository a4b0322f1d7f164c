import { Inconclusive, Skip } from './check-errors.ts'
import { isFailedExpectation } from './deviations.ts'

/** Ranks outcomes: a failed expectation, an internal error, inconclusive, skipped. */
function severity(error: unknown): number {
  if (error instanceof Skip)
    return ['not observed', 'explained'].includes(error.reason.kind) ? 1 : 2
  if (error instanceof Inconclusive) return 3
  return isFailedExpectation(error) ? 5 : 4
}

/** Waits for all promises, and returns their errors, the worst first. */
export async function errorsOf(work: readonly unknown[]): Promise<unknown[]> {
  const outcomes = await Promise.allSettled(work)
  const errors = outcomes.flatMap((outcome) => ('reason' in outcome ? [outcome.reason] : []))
  return errors.sort((one, other) => severity(other) - severity(one))
}

/** Runs a check for several values concurrently, and throws the worst error. */
export async function each<T>(values: Iterable<T>, check: (value: T) => Promise<void>) {
  await allOrWorst([...values].map(check))
}

/** Like `Promise.all`, but waits for all promises and throws the worst error. */
export async function allOrWorst<T extends readonly unknown[]>(work: T) {
  const errors = await errorsOf(work)
  if (errors.length > 0) throw errors[0]
  return Promise.all(work)
}
