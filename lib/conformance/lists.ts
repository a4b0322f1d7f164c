import { Inconclusive } from './check-errors.ts'
import { type FailedExpectation, failuresIn, isFailedExpectation } from './deviations.ts'

/** Thrown if a check needs a whole list that has more pages than may be read. */
export class ListTruncatedError extends Inconclusive {}

const ATTEMPTS = 5
/** Number of times that a failed check must fail again, since a change may be over before it can be seen. */
const CONFIRMATIONS = 2

/** Returns false if all failures are fields that are missing on pages of any content. */
const dependsOnData = (failed: FailedExpectation) =>
  failuresIn(failed).some((one) => {
    if (!isFailedExpectation(one)) return true
    const { exchange, reads } = one
    const name = reads !== undefined && 'header' in reads ? reads.header : undefined
    return name === undefined || name === 'Link' || exchange?.headers.has(name) !== false
  })

/**
 * Repeats a check while its data changes, and after it failed. `check` gets the number of the attempt, from 0, and sends
 * later ones `fresh`; it also gets the expectation that failed before, to judge only its cases.
 *
 * @param haveChanged gets the expectation that failed, if any
 * @throws Inconclusive if the data changed during each attempt, or the check failed in some of them only
 */
export async function retryWhileChanging(
  data: string,
  check: (attempt: number, failed?: FailedExpectation) => Promise<void>,
  haveChanged: (failed?: FailedExpectation) => Promise<boolean>,
): Promise<void> {
  let before: FailedExpectation | undefined
  let confirmations = 0
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const [outcome] = await Promise.allSettled([check(attempt, before)])
    const error = outcome.status === 'rejected' ? outcome.reason : undefined
    // A repetition would end at the same page.
    if (error instanceof ListTruncatedError) throw error
    const failed = isFailedExpectation(error) ? error : undefined
    if (await haveChanged(failed)) continue
    if (error !== undefined && failed === undefined) throw error
    if (failed === undefined) {
      if (before === undefined) return
      const text = `${data} may have changed: what failed was right when it was read again`
      throw new Inconclusive({ kind: 'changing data', text })
    }
    if (!dependsOnData(failed)) throw failed
    if (confirmations === CONFIRMATIONS) throw before
    confirmations += 1
    before ??= failed
  }
  const text = `${data} changed during each of ${ATTEMPTS} attempts`
  throw new Inconclusive({ kind: 'changing data', text })
}
