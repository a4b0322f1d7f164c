import type { Reason } from '../results/reason.ts'
import { Inconclusive, Skip } from './check-errors.ts'
import { isFailedExpectation } from './deviations.ts'
import { noteLeftOut } from './evidence-scope.ts'

/** A failed expectation is worse than a defect of the check, and that than no verdict. */
function weight(error: unknown): number {
  if (error instanceof Skip) return error.reason.kind === 'not observed' ? 1 : 2
  if (error instanceof Inconclusive) return 3
  return isFailedExpectation(error) ? 5 : 4
}

/** Runs a check for several cases at the same time, and ends as the worst of them. */
export async function each<T>(
  cases: Iterable<T>,
  check: (value: T) => Promise<void>,
): Promise<void> {
  await allOrWorst([...cases].map(check))
}

/**
 * Leaves out cases for which something is missing, and notes it. @throws Skip when none is left
 *
 * @param partOf names what is left out of the check; a part is noted once for each reason
 */
export async function forEachTestable<T extends { readonly name: string }>(
  cases: readonly T[],
  check: (value: T) => Promise<void>,
  partOf = (name: string, _reason: Reason) => name,
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
  const noted = new Set<string>()
  for (const value of cases) {
    const { reason } = skips.get(value) ?? {}
    if (reason === undefined) continue
    const part = partOf(value.name, reason)
    const key = JSON.stringify([part, reason])
    if (!noted.has(key)) noteLeftOut(part, reason)
    noted.add(key)
  }
}

/** Like `Promise.all`, but it waits for all and, where several fail, throws the worst. */
export async function allOrWorst<T extends readonly unknown[]>(work: T) {
  const outcomes = await Promise.allSettled(work)
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
  failed.sort((a, b) => weight(b.reason) - weight(a.reason))
  if (failed[0] !== undefined) throw failed[0].reason
  return Promise.all(work)
}
