import { currentScope } from './evidence-scope.ts'
import { currentRun } from './run.ts'
import { defaultSampling } from './sampling.ts'

const sampling = () => currentRun().settings.sampling ?? defaultSampling

export const sampleSeed = (): number => sampling().seed

/** Returns the sample for which the current requirement failed in an earlier run. */
export const failedSample = (): string | undefined =>
  sampling().failed[currentScope()?.purpose ?? '']
