import { type ConfiguredTarget, loadTarget } from '../target/load-target.ts'
import { formatProblems } from '../target/problems.ts'
import type { EnvironmentOptions } from '../target/read-environment.ts'
import { UsageError } from './usage-error.ts'

/**
 * The target that the environment describes.
 *
 * @throws UsageError that tells every problem
 */
export function loadTargetOrExplain(options: EnvironmentOptions): ConfiguredTarget {
  const loaded = loadTarget(options)
  if ('problems' in loaded) throw new UsageError(formatProblems(loaded.problems))
  return loaded
}
