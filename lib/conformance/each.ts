import type { Reason } from '../results/reason.ts'
import { Inconclusive, Skip } from './check-errors.ts'
import { isFailedExpectation } from './deviations.ts'
import { noteLeftOut } from './evidence-scope.ts'

/** Ranks outcomes: a failed expectation, an internal error, inconclusive, skipped. */
function severity(error: unknown): number {
  if (error instanceof Skip) return error.reason.kind === 'not observed' ? 1 : 2
  if (error instanceof Inconclusive) return 3
  return isFailedExpectation(error) ? 5 : 4
}

/** Runs a check for several cases concurrently, and throws the worst error. */
export async function each<T>(
  cases: Iterable<T>,
  check: (value: T) => Promise<void>,
): Promise<void> {
  await allOrWorst([...cases].map(check))
}

/**
 * Runs a check for each case. Notes each skipped part, which `partOf` names, once per reason.
 * @throws Skip if all are skipped
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
    .sort((one, other) => severity(other) - severity(one))
  if (worst !== undefined && skips.size === cases.length) throw worst
  // In the order of the cases, for reports that do not depend on time.
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

/** Like `Promise.all`, but waits for all promises and throws the worst error. */
export async function allOrWorst<T extends readonly unknown[]>(work: T) {
  const outcomes = await Promise.allSettled(work)
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
  failed.sort((a, b) => severity(b.reason) - severity(a.reason))
  if (failed[0] !== undefined) throw failed[0].reason
  return Promise.all(work)
}
