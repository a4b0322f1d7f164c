import { Inconclusive, Skip, skipUnobserved } from './check-errors.ts'
import { currentScope, recordCase } from './check-scope.ts'
import { Contradictions, deviationsIn, distinctDeviations } from './deviations.ts'
import { errorsOf } from './each.ts'
import { reasonIn } from './run-check.ts'

/** @param required number of judgments that must not be skipped @throws Contradictions with all deviations, or else the worst error */
export async function allJudged(judgments: readonly Promise<unknown>[], required = 1) {
  const errors = await errorsOf(judgments)
  const deviations = distinctDeviations(errors.flatMap((error) => deviationsIn(error)))
  if (deviations.length > 0) throw new Contradictions(deviations)
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
    throw new Contradictions(deviations)
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

/** Records the cases that a check did not judge before an error ended it. */
export function recordUnjudged(ids: readonly string[], error: unknown): void {
  const [scope, reason] = [currentScope(), reasonIn(error)]
  if (scope === undefined || reason === undefined || ids.length === 0) return
  scope.hasTable = true
  for (const id of ids) if (!scope.cases.has(id)) scope.cases.set(id, reason)
}

/** Judges a further case of a check. Returns undefined if it is skipped. */
export function judgeOptionalCase<T>(id: string, judge: () => Promise<T>): Promise<T | undefined> {
  return judgeCase(id, judge).catch((error: unknown) => {
    if (error instanceof Skip) return undefined
    throw error
  })
}
