import type { RequirementResult } from '../results/run-report.ts'

/** How checks draw samples of what is too much to try. */
export interface Sampling {
  /** Two runs with the same seed draw the same samples; 0 leaves samples out. */
  seed: number
  /** Samples that failed in an earlier run, by requirement: they are tried first. */
  failed: Readonly<Record<string, string>>
}

/** Without another seed two runs judge the same. */
export const defaultSampling: Sampling = { seed: 1, failed: {} }

/** Returns the samples that failed, by requirement. */
export function failedSamples(results: readonly RequirementResult[]): Sampling['failed'] {
  return Object.fromEntries(
    results.flatMap(({ requirement, sample }) => (sample ? [[requirement, sample]] : [])),
  )
}
