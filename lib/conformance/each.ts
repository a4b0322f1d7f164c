import type { Reason } from '../results/reason.ts'
import { Inconclusive, Skip } from './check-errors.ts'
import { Contradictions, distinctFailures, isFailedExpectation } from './deviations.ts'
import { noteLeftOut } from './evidence-scope.ts'

/** Maximum number of parts of a check that are named; others are a part with the same reason. */
const MAX_NAMED_PARTS = 4

/** Ranks outcomes: a failed expectation, an internal error, inconclusive, skipped. */
function severity(error: unknown): number {
  if (error instanceof Skip) return error.reason.kind === 'not observed' ? 1 : 2
  if (error instanceof Inconclusive) return 3
  return isFailedExpectation(error) ? 5 : 4
}

const worstOf = (errors: readonly unknown[]) =>
  errors.toSorted((one, other) => severity(other) - severity(one))[0]

/** Runs a check for several cases concurrently, and throws the worst error. */
export async function each<T>(
  cases: Iterable<T>,
  check: (value: T) => Promise<void>,
): Promise<void> {
  await allOrWorst([...cases].map(check))
}

/**
 * Runs a check for each case. Reports each distinct deviation, and notes each skipped part, which `partOf`
 * names, once per reason. @throws Skip if all are skipped
 */
export async function forEachTestable<T extends { readonly name: string }>(
  cases: readonly T[],
  check: (value: T) => Promise<void>,
  partOf = (name: string, _reason: Reason) => name,
): Promise<void> {
  const outcomes = await Promise.allSettled(cases.map(async (value) => check(value)))
  const errors = outcomes.flatMap((outcome) => ('reason' in outcome ? [outcome.reason] : []))
  const failures = distinctFailures(errors.filter(isFailedExpectation))
  // A waiver for the deviation of one case must not cover another. With `each`, texts depend on data.
  if (failures.size > 1) throw new Contradictions([...failures.values()])
  const worst = worstOf(errors)
  if (worst !== undefined && (!(worst instanceof Skip) || errors.length === cases.length)) {
    throw worst
  }
  // In the order of the cases, for reports that do not depend on time.
  const noted = new Set<string>()
  for (const [index, { name }] of cases.entries()) {
    const outcome = outcomes[index]
    if (outcome?.status !== 'rejected') continue
    const { reason } = outcome.reason as Skip
    const part = noted.size < MAX_NAMED_PARTS ? partOf(name, reason) : 'A part of the requests'
    const key = JSON.stringify([part, reason])
    if (!noted.has(key)) noteLeftOut(part, reason)
    noted.add(key)
  }
}

/** Like `Promise.all`, but waits for all promises and throws the worst error. */
export async function allOrWorst<T extends readonly unknown[]>(work: T) {
  const outcomes = await Promise.allSettled(work)
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
  if (failed.length > 0) throw worstOf(failed.map(({ reason }) => reason))
  return Promise.all(work)
}
