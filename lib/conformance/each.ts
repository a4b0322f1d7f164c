import { isFailedExpectation } from './judgement.ts'
import { Inconclusive, Skip } from './outcome.ts'
import { note } from './scope.ts'

/** A failed expectation is worse than a defect of the check, and that than no verdict. */
function weight(error: unknown): number {
  if (error instanceof Skip) return 1
  if (error instanceof Inconclusive) return 2
  return isFailedExpectation(error) ? 4 : 3
}

/** Runs a check for several cases at the same time, and ends as the worst of them. */
export async function each<T>(
  cases: Iterable<T>,
  check: (value: T) => Promise<void>,
): Promise<void> {
  await together([...cases].map(check))
}

/** Leaves out cases for which something is missing, and notes it. @throws Skip when none is left */
export async function eachPossible<T extends { readonly name: string }>(
  cases: readonly T[],
  check: (value: T) => Promise<void>,
): Promise<void> {
  const skipped: { name: string; skip: Skip }[] = []
  await each(cases, async (value) => {
    try {
      await check(value)
    } catch (error) {
      if (!(error instanceof Skip)) throw error
      skipped.push({ name: value.name, skip: error })
    }
  })
  const [first] = skipped
  if (first !== undefined && skipped.length === cases.length) throw first.skip
  for (const { name, skip } of skipped) note(`${name} is left out: ${skip.message}.`)
}

/** Like `Promise.all`, but it waits for all and, where several fail, throws the worst. */
export async function together<T extends readonly unknown[]>(work: T) {
  const outcomes = await Promise.allSettled(work)
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
  failed.sort((a, b) => weight(b.reason) - weight(a.reason))
  if (failed[0] !== undefined) throw failed[0].reason
  return Promise.all(work)
}
