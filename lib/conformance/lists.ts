import { Inconclusive } from './check-errors.ts'
import { type FailedExpectation, isFailedExpectation } from './deviations.ts'

/** Thrown if a check needs a whole list that has more pages than may be read. */
export class ListTruncatedError extends Inconclusive {}

const ATTEMPTS = 3

/**
 * Repeats a check while its data changes. `check` gets the number of the attempt, from 0, and sends later
 * ones `fresh`; `haveChanged` gets the expectation that failed, if any. @throws Inconclusive if the data changed during each attempt
 */
export async function retryWhileChanging(
  data: string,
  check: (attempt: number) => Promise<void>,
  haveChanged: (failed?: FailedExpectation) => Promise<boolean>,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const [outcome] = await Promise.allSettled([check(attempt)])
    const error = outcome.status === 'rejected' ? outcome.reason : undefined
    // A repetition would end at the same page.
    if (error instanceof ListTruncatedError) throw error
    if (await haveChanged(isFailedExpectation(error) ? error : undefined)) continue
    if (outcome.status === 'rejected') throw error
    return
  }
  const text = `${data} changed during each of ${ATTEMPTS} attempts`
  throw new Inconclusive({ kind: 'changing data', text })
}
