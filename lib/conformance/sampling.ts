import type { RequirementResult } from '../results/run-report.ts'

export interface Sampling {
  /** Runs with the same seed draw the same samples; 0 disables samples. */
  seed: number
  /** Samples that failed in an earlier run, by requirement; they are tried first. */
  failed: Readonly<Record<string, string>>
}

export const defaultSampling: Sampling = { seed: 1, failed: {} }

export function failedSamples(results: readonly RequirementResult[]): Sampling['failed'] {
  return Object.fromEntries(
    results.flatMap(({ requirement, sample }) => (sample ? [[requirement, sample]] : [])),
  )
}
