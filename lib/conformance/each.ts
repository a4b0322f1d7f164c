import { isFailedExpectation } from './deviations.ts'
import { Inconclusive, Skip } from './outcome.ts'
import { note } from './scope.ts'

/** A failed expectation is worse than a defect of the check, and that than no verdict. */
function weight(error: unknown): number {
  if (error instanceof Skip) return error.unjudged?.kind === 'not observed' ? 1 : 2
  if (error instanceof Inconclusive) return 3
  return isFailedExpectation(error) ? 5 : 4
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
  omission = (name: string, { message }: Skip) => `${name} is left out: ${message}.`,
): Promise<void> {
  const skips = new Map<T, Skip>()
  await each(cases, async (value) => {
    try {
      await check(value)
    } catch (error) {
      if (!(error instanceof Skip)) throw error
      skips.set(value, error)
    }
  })
  const [worst] = cases
    .flatMap((value) => skips.get(value) ?? [])
    .sort((one, other) => weight(other) - weight(one))
  if (worst !== undefined && skips.size === cases.length) throw worst
  // In the order of the cases, whichever ended first.
  const omissions = new Map<string, Skip>()
  for (const value of cases) {
    const skip = skips.get(value)
    if (skip) omissions.set(omission(value.name, skip), skip)
  }
  for (const [reason, { unjudged }] of omissions) note(reason, unjudged)
}

/** Like `Promise.all`, but it waits for all and, where several fail, throws the worst. */
export async function together<T extends readonly unknown[]>(work: T) {
  const outcomes = await Promise.allSettled(work)
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
  failed.sort((a, b) => weight(b.reason) - weight(a.reason))
  if (failed[0] !== undefined) throw failed[0].reason
  return Promise.all(work)
}
