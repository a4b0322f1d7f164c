import type { Arbitrary } from 'fast-check'
import { Skip } from './check-errors.ts'
import { isFailedExpectation } from './deviations.ts'
import { note } from './evidence-scope.ts'
import { failedSample, sampleSeed } from './sample-seed.ts'

export type FastCheck = typeof import('fast-check')

/** Cases of which a check tries a sample. */
export interface SampledCases<Case> {
  count: number
  arbitrary: (fc: FastCheck) => Arbitrary<Case>
  /** Returns the text of a case, for reports and for the next run. */
  format: (sampled: Case) => string
  /** Parses such a text; undefined if it is not a case. */
  parse: (text: string) => Case | undefined
  check: (sampled: Case) => Promise<void>
}

/** Maximum additional cases, each perhaps a request, for shrinking a failing case. */
const MAX_SHRINK_CASES = 20

/**
 * Checks a seeded sample of cases concurrently, and the case that failed in an earlier run. Shrinks a
 * failing case and adds it to the error as `sample`.
 */
export async function checkSample<Case>({
  count,
  arbitrary,
  format,
  parse,
  check,
}: SampledCases<Case>): Promise<void> {
  const seed = sampleSeed()
  if (seed === 0) return note('No samples were checked: the seed is 0.')
  const fc = await import('fast-check')
  const cases = arbitrary(fc)
  const earlier = parse(failedSample() ?? '')
  const examples = earlier === undefined ? [] : [earlier]

  const outcomes = new Map<string, Promise<unknown>>()
  function checkOnce(sampled: Case): Promise<unknown> {
    const text = format(sampled)
    const outcome = outcomes.get(text) ?? check(sampled).catch((error: unknown) => error)
    outcomes.set(text, outcome)
    return outcome
  }
  // fast-check generates the same cases sequentially and finds their outcomes.
  for (const sampled of [...examples, ...fc.sample(cases, { seed, numRuns: count })]) {
    void checkOnce(sampled)
  }
  const maxCases = outcomes.size + MAX_SHRINK_CASES
  const otherErrors: unknown[] = []
  const property = fc.asyncProperty(cases, async (sampled) => {
    if (!outcomes.has(format(sampled)) && outcomes.size >= maxCases) return
    const error = await checkOnce(sampled)
    if (isFailedExpectation(error)) throw error
    if (error !== undefined && !(error instanceof Skip)) otherErrors.push(error)
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
  if (otherErrors.length > 0) throw otherErrors[0]
}
