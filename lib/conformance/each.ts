import type { Reason } from '../results/reason.ts'
import { Inconclusive, Skip } from './check-errors.ts'
import { Contradictions, distinctFailures, failuresIn, isFailedExpectation } from './deviations.ts'
import { noteLeftOut } from './evidence-scope.ts'

/** Ranks outcomes: a failed expectation, an internal error, inconclusive, skipped. */
function severity(error: unknown): number {
  if (error instanceof Skip) return error.reason.kind === 'not observed' ? 1 : 2
  if (error instanceof Inconclusive) return 3
  return isFailedExpectation(error) ? 5 : 4
}

/** Returns all distinct failures of several errors as one error, or else the worst error. */
function combine(errors: readonly unknown[]): unknown {
  const failures = distinctFailures(errors.flatMap(failuresIn).filter(isFailedExpectation))
  // A waiver for the deviation of one case must not cover another.
  if (failures.size > 1) return new Contradictions([...failures.values()])
  return errors.toSorted((one, other) => severity(other) - severity(one))[0]
}

const errorsIn = (outcomes: readonly PromiseSettledResult<unknown>[]): unknown[] =>
  outcomes.flatMap((outcome) => ('reason' in outcome ? [outcome.reason] : []))

/** Like `Promise.all`, but waits for all promises, and throws each distinct failure, or the worst error. */
export async function allOrWorst<T extends readonly unknown[]>(work: T) {
  const errors = errorsIn(await Promise.allSettled(work))
  if (errors.length > 0) throw combine(errors)
  return Promise.all(work)
}

/** Runs a check for several cases concurrently, and throws each distinct failure, or the worst error. */
export async function each<T>(
  cases: Iterable<T>,
  check: (value: T) => Promise<void>,
): Promise<void> {
  await allOrWorst([...cases].map(check))
}

/** Like `each`, but notes each skipped case, which `partOf` names, once per reason. @throws Skip if all are skipped */
export async function forEachTestable<T extends { readonly name: string }>(
  cases: readonly T[],
  check: (value: T) => Promise<void>,
  partOf = (name: string, _reason: Reason) => name,
): Promise<void> {
  const outcomes = await Promise.allSettled(cases.map(async (value) => check(value)))
  const errors = errorsIn(outcomes)
  const error = combine(errors)
  if (error !== undefined && (!(error instanceof Skip) || errors.length === cases.length)) {
    throw error
  }
  // In the order of the cases, for reports that do not depend on time.
  const noted = new Set<string>()
  for (const [index, { name }] of cases.entries()) {
    const outcome = outcomes[index]
    if (outcome?.status !== 'rejected') continue
    const { reason } = outcome.reason as Skip
    const part = partOf(name, reason)
    const key = JSON.stringify([part, reason])
    if (!noted.has(key)) noteLeftOut(part, reason)
    noted.add(key)
  }
}
