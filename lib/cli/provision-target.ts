import { loadTarget } from '../target/load-target.ts'
import { formatProblems, type Problem } from '../target/problems.ts'
import { readEnvironment } from '../target/read-environment.ts'
import type { Account, CodeHostingTarget, ProbeLimits } from '../target/target.ts'
import { tellOfLateVariable } from './load.ts'
import type { Surroundings } from './surroundings.ts'
import { UsageError } from './usage-error.ts'

const needed = {
  CODE_HOSTING_BASE_URL: 'is not set: it says where the server is',
  CODE_HOSTING_ADMIN_USERNAME: 'is not set: provision acts as a site administrator',
  CODE_HOSTING_ADMIN_PASSWORD: 'is not set: provision acts as a site administrator',
}

/** The server on which something is made, and as whom. */
export interface ProvisionTarget {
  codeHosting: CodeHostingTarget
  admin: Account
  limits: ProbeLimits
}

/**
 * The target that the environment describes.
 *
 * @throws UsageError that tells every problem at once
 */
export function provisionTarget(
  envFile: string | undefined,
  { environment, directory, errors }: Surroundings,
): ProvisionTarget {
  const options = { environment, envFile, directory }
  const { settings, problem } = readEnvironment(options)
  // What seems to be missing may well be in the file that could not be read.
  const missing = Object.entries(needed).flatMap(([variable, message]): Problem[] =>
    settings.has(variable) || problem !== undefined ? [] : [{ variable, message }],
  )
  const loaded = loadTarget(options)
  const others = 'problems' in loaded ? loaded.problems : []
  const problems = [
    ...missing,
    ...others.filter(({ variable }) => missing.every((problem) => problem.variable !== variable)),
  ]
  const { codeHosting, probe } = 'target' in loaded ? loaded.target : {}
  if (probe === undefined || codeHosting?.admin === undefined) {
    throw new UsageError(formatProblems(problems))
  }
  if (probe.readOnly) {
    throw new UsageError(
      'PROBE_READ_ONLY is true, and provision makes or deletes; nothing was sent.',
    )
  }
  tellOfLateVariable(options, errors)
  return { codeHosting, admin: codeHosting.admin, limits: probe }
}
