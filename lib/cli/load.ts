import type { ProgressStream } from '../reports/progress.ts'
import { type ConfiguredTarget, loadTarget } from '../target/load-target.ts'
import { formatProblems } from '../target/problems.ts'
import { type EnvironmentOptions, readEnvironment } from '../target/read-environment.ts'
import { UsageError } from './usage-error.ts'

/** Node.js reads it when it starts, and an environment file is read later. */
const READ_AT_START = 'NODE_EXTRA_CA_CERTS'

/** Tells of a variable that does nothing where it stands. */
export function tellOfLateVariable(
  options: EnvironmentOptions,
  errors: Pick<ProgressStream, 'write'>,
): void {
  const source = readEnvironment(options).settings.get(READ_AT_START)?.source
  if (source === undefined || source === 'process') return
  const place = source === '.env' ? '.env' : 'the file of --env-file'
  errors.write(
    `plumbline: ${READ_AT_START} in ${place} does nothing: Node.js reads it when it starts. ` +
      'Set it in the environment of the process.\n',
  )
}

/**
 * The target that the environment describes.
 *
 * @param errors where variables that do nothing are told of
 * @throws UsageError that tells every problem
 */
export function loadTargetOrExplain(
  options: EnvironmentOptions,
  errors?: Pick<ProgressStream, 'write'>,
): ConfiguredTarget {
  const loaded = loadTarget(options)
  if ('problems' in loaded) throw new UsageError(formatProblems(loaded.problems))
  if (errors !== undefined) tellOfLateVariable(options, errors)
  return loaded
}
