import { Inconclusive, Skip, skipUnobserved } from './check-errors.ts'
import { currentScope, recordCase } from './check-scope.ts'
import { Contradictions, distinctFailures, failuresIn, isFailedExpectation } from './deviations.ts'
import { errorsOf } from './each.ts'

/**
 * Waits for all judgments.
 *
 * @param required number of judgments that must not be skipped
 * @throws Contradictions with all failed expectations, or else the worst error; Skip only if too many are skipped
 */
export async function allJudged(
  judgments: readonly Promise<unknown>[],
  required = 1,
): Promise<void> {
  const errors = await errorsOf(judgments)
  const failures = distinctFailures(errors.flatMap(failuresIn).filter(isFailedExpectation))
  if (failures.length > 0) throw new Contradictions(failures)
  const [worst] = errors
  const isSkipped = worst instanceof Skip && judgments.length - errors.length >= required
  if (worst !== undefined && !isSkipped) throw worst
}

/** Judges a case of the current check and records its result. @throws the error of `judge` */
async function judgeCase<T>(id: string, judge: () => Promise<T>): Promise<T> {
  try {
    const value = await judge()
    recordCase(id, 'conforms')
    return value
  } catch (error) {
    if (error instanceof Skip || error instanceof Inconclusive) recordCase(id, error.reason)
    for (const failure of failuresIn(error).filter(isFailedExpectation)) {
      // Several cases may share the exchange and the error.
      failure.cases = [...(failure.cases ?? []), id]
      recordCase(id, 'deviates')
    }
    throw error
  }
}

/**
 * Judges cases concurrently.
 *
 * @param cases named by their ids; simple ones first, since reports show the first that deviates
 * @throws as `allJudged`; Skip without cases
 */
export async function judgeCases<T extends { readonly name: string }>(
  cases: readonly T[],
  judge: (one: T) => Promise<void>,
): Promise<void> {
  const scope = currentScope()
  if (scope !== undefined) scope.hasTable = true
  if (cases.length === 0) skipUnobserved('the table has no such case')
  const order = new Map(cases.map(({ name }, index) => [name, index]))
  const judgments = cases.map((one) => judgeCase(one.name, async () => judge(one)))
  await allJudged(judgments).catch((error: unknown) => {
    for (const failure of failuresIn(error).filter(isFailedExpectation)) {
      failure.cases = (failure.cases ?? []).toSorted(
        (one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0),
      )
    }
    throw error
  })
}

/** Judges a further case of a check. Returns undefined if it is skipped. */
export function judgeOptionalCase<T>(id: string, judge: () => Promise<T>): Promise<T | undefined> {
  return judgeCase(id, judge).catch((error: unknown) => {
    if (error instanceof Skip) return undefined
    throw error
  })
}
