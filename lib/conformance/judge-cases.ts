/** Waits for judgments that run concurrently, and judges cases. */
import { Inconclusive, Skip, skipUnobserved } from './check-errors.ts'
import { currentScope, recordCase } from './check-scope.ts'
import {
  deviationsIn,
  distinctDeviations,
  FailedExpectation,
  isFailedExpectation,
} from './deviations.ts'

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

/** @param required number of judgments that must not be skipped @throws FailedExpectation with all deviations, or else the worst error */
export async function allJudged(judgments: readonly Promise<unknown>[], required = 1) {
  const errors = await errorsOf(judgments)
  const deviations = distinctDeviations(errors.flatMap((error) => deviationsIn(error)))
  if (deviations.length > 0) throw new FailedExpectation(deviations)
  const [worst] = errors
  const isSkipped = worst instanceof Skip && judgments.length - errors.length >= required
  if (worst !== undefined && !isSkipped) throw worst
}

/** Judges a case of the current check and records its result. @throws the error of `judge`, or its deviations */
async function judgeCase<T>(id: string, judge: () => Promise<T>): Promise<T> {
  try {
    const value = await judge()
    recordCase(id, 'conforms')
    return value
  } catch (error) {
    if (error instanceof Skip || error instanceof Inconclusive) recordCase(id, error.reason)
    const deviations = deviationsIn(error, [id])
    if (deviations.length === 0) throw error
    recordCase(id, 'deviates')
    throw new FailedExpectation(deviations)
  }
}

/** Judges cases concurrently. @param cases named by their ids, simple ones first @throws as `allJudged`; Skip without cases */
export async function judgeCases<T extends { readonly name: string }>(
  cases: readonly T[],
  judge: (one: T) => Promise<void>,
): Promise<void> {
  const scope = currentScope()
  if (scope !== undefined) scope.hasTable = true
  if (cases.length === 0) skipUnobserved('the table has no such case')
  await allJudged(cases.map((one) => judgeCase(one.name, async () => judge(one))))
}

/** Judges a further case of a check. Returns undefined if it is skipped. */
export function judgeOptionalCase<T>(id: string, judge: () => Promise<T>): Promise<T | undefined> {
  return judgeCase(id, judge).catch((error: unknown) => {
    if (error instanceof Skip) return undefined
    throw error
  })
}
