import { isFailedExpectation } from './judgement.ts'
import { Inconclusive, Skip } from './outcome.ts'

function weight(error: unknown): number {
  if (error instanceof Skip) return 1
  if (error instanceof Inconclusive) return 2
  return isFailedExpectation(error) ? 4 : 3
}

/**
 * Runs a check for several cases at the same time and waits for all of them. It ends as the worst
 * of them: a failed expectation before a defect of the check before `Inconclusive` before `Skip`.
 */
export async function each<T>(
  cases: Iterable<T>,
  check: (value: T) => Promise<void>,
): Promise<void> {
  const outcomes = await Promise.allSettled([...cases].map(check))
  const errors = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [outcome.reason] : [],
  )
  errors.sort((a, b) => weight(b) - weight(a))
  if (errors.length > 0) throw errors[0]
}
