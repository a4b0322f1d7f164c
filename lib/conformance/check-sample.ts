import type { Arbitrary } from 'fast-check'
import { Skip } from './check-errors.ts'
import { isFailedExpectation } from './deviations.ts'
import { note } from './evidence-scope.ts'
import { failedSample, sampleSeed } from './sample-seed.ts'

export type FastCheck = typeof import('fast-check')

/** Cases of which a check tries some, since there are too many to try all. */
export interface SampledCases<Case> {
  /** Number of cases to try. */
  count: number
  arbitrary: (fc: FastCheck) => Arbitrary<Case>
  /** Text of a case, for reports and for the next run. */
  format: (sampled: Case) => string
  /** Reads such a text; undefined for any other one. */
  parse: (text: string) => Case | undefined
  check: (sampled: Case) => Promise<void>
}

/** Further cases that are tried to make a failing one smaller: each may be a request. */
const MAX_SHRINK_CASES = 20

/**
 * Checks a seeded sample of cases concurrently, with the case that failed in an earlier run. A failing
 * case is shrunk, and noted as the sample that shows the failure.
 */
export async function checkSample<Case>({
  count,
  arbitrary,
  format,
  parse,
  check,
}: SampledCases<Case>): Promise<void> {
  const seed = sampleSeed()
  if (seed === 0) return note('Samples are left out: the seed is 0.')
  const fc = await import('fast-check')
  const cases = arbitrary(fc)
  const earlier = parse(failedSample() ?? '')
  const examples = earlier === undefined ? [] : [earlier]

  const outcomes = new Map<string, Promise<unknown>>()
  function outcomeOf(sampled: Case): Promise<unknown> {
    const text = format(sampled)
    const outcome =
      outcomes.get(text) ??
      check(sampled).then(
        () => undefined,
        (error) => error,
      )
    outcomes.set(text, outcome)
    return outcome
  }
  // fast-check tries the same cases one after another, and finds their outcomes.
  for (const sampled of [...examples, ...fc.sample(cases, { seed, numRuns: count })]) {
    void outcomeOf(sampled)
  }
  const maxCases = outcomes.size + MAX_SHRINK_CASES
  const others: unknown[] = []
  const property = fc.asyncProperty(cases, async (sampled) => {
    if (!outcomes.has(format(sampled)) && outcomes.size >= maxCases) return
    const error = await outcomeOf(sampled)
    if (isFailedExpectation(error)) throw error
    if (error !== undefined && !(error instanceof Skip)) others.push(error)
  })
  const result = await fc.check(property, {
    seed,
    numRuns: examples.length + count,
    examples: examples.map((example): [Case] => [example]),
  })
  const [counterexample] = result.counterexample ?? []
  if (counterexample !== undefined) {
    throw Object.assign(result.errorInstance as Error, { sample: format(counterexample) })
  }
  if (others.length > 0) throw others[0]
}
