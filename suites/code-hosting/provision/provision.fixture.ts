import { parse } from 'dotenv'
import { temporaryDirectory } from '../../../lib/cli/command.fixture.ts'
import { type CliContext, createNestedContext } from '../../../lib/cli/context.ts'
import { type ProvisionOptions, action as provision } from '../../../lib/cli/provision.ts'
import { loadTarget } from '../../../lib/cli/services.ts'
import type { CodeHostingTarget } from '../variables.ts'
import { ADMIN, type FakeGitea } from './gitea.fixture.ts'

export interface Provisioning {
  status: number
  /** Standard output. */
  output: string
  /** Standard error on one line. */
  reported: string
}

export interface ProvisioningParts extends Partial<ProvisionOptions> {
  environment?: Record<string, string>
  confirm?: CliContext['confirm']
  interruption?: AbortSignal
  directory?: string
}

/** Returns the environment of an operator who prepares the server. */
export function operatorOf({ baseUrl }: Pick<FakeGitea, 'baseUrl'>): Record<string, string> {
  return {
    CODE_HOSTING_BASE_URL: baseUrl,
    CODE_HOSTING_ADMIN_USERNAME: ADMIN.username,
    CODE_HOSTING_ADMIN_PASSWORD: ADMIN.password,
  }
}

/** Runs the command in this process, with `--yes` unless `confirm` is set. */
export async function provisioned(
  gitea: Pick<FakeGitea, 'baseUrl'>,
  { environment = {}, confirm, interruption, directory, ...options }: ProvisioningParts = {},
): Promise<Provisioning> {
  const context = createNestedContext(directory ?? temporaryDirectory())
  const status = await provision(
    { family: 'gitea', prefix: 'plumbline-', yes: confirm === undefined, ...options },
    {
      ...context,
      environment: { ...operatorOf(gitea), ...environment },
      confirm,
      interruption: () =>
        new Promise<void>((resolve) =>
          interruption?.addEventListener('abort', () => resolve(), { once: true }),
        ),
    },
  )
  const { output, errors } = context.reported
  return { status, output, reported: errors.replace(/\s+/g, ' ') }
}

/** Reads the target from an environment file, as a run does. */
export function targetIn(text: string): CodeHostingTarget {
  const loaded = loadTarget({ environment: parse(text), directory: temporaryDirectory() })
  if (!('target' in loaded) || loaded.target.codeHosting === undefined) {
    throw new Error(`no target: ${JSON.stringify(loaded)}`)
  }
  return loaded.target.codeHosting
}
