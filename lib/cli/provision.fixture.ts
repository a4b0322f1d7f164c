import { parse } from 'dotenv'
import { Redactor } from '../probe/redaction.ts'
import { ADMIN, type FakeGitea } from '../provision/gitea.fixture.ts'
import { loadTarget } from '../target/load-target.ts'
import type { CodeHostingTarget } from '../target/target.ts'
import { temporaryDirectory } from './command.fixture.ts'
import type { Dialogue } from './dialogue.ts'
import { type ProvisionOptions, provision } from './provision-server.ts'
import { enclosedSurroundings } from './surroundings.ts'

export interface Provisioning {
  status: number
  /** Standard output. */
  output: string
  /** Standard error on one line, as a person reads it across line breaks. */
  told: string
}

export interface ProvisioningParts extends Partial<ProvisionOptions> {
  environment?: Record<string, string>
  dialogue?: Partial<Dialogue>
  directory?: string
}

/** The environment of an operator who prepares the server. */
export function operatorOf({ baseUrl }: Pick<FakeGitea, 'baseUrl'>): Record<string, string> {
  return {
    CODE_HOSTING_BASE_URL: baseUrl,
    CODE_HOSTING_ADMIN_USERNAME: ADMIN.username,
    CODE_HOSTING_ADMIN_PASSWORD: ADMIN.password,
  }
}

/** Runs the command without a process; without `dialogue` as a job does, which says `--yes`. */
export async function provisioned(
  gitea: Pick<FakeGitea, 'baseUrl'>,
  { environment = {}, dialogue, directory, ...options }: ProvisioningParts = {},
): Promise<Provisioning> {
  const surroundings = enclosedSurroundings(directory ?? temporaryDirectory())
  const status = await provision(
    { family: 'gitea', prefix: 'plumbline-', yes: dialogue?.confirm === undefined, ...options },
    {
      ...surroundings,
      environment: { ...operatorOf(gitea), ...environment },
      redactor: new Redactor(),
    },
    { interruption: () => new AbortController().signal, ...dialogue },
  )
  const { output, errors } = surroundings.told
  return { status, output, told: errors.replace(/\s+/g, ' ') }
}

/** What an environment file describes, read as a run reads it. */
export function targetIn(text: string): CodeHostingTarget {
  const loaded = loadTarget({ environment: parse(text), directory: temporaryDirectory() })
  if (!('target' in loaded) || loaded.target.codeHosting === undefined) {
    throw new Error(`no target: ${JSON.stringify(loaded)}`)
  }
  return loaded.target.codeHosting
}
