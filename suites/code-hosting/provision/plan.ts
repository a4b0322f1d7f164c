import { counted } from '../../../lib/reports/format.ts'
import { printableSentence, truncate } from '../../../lib/reports/printable.ts'
import type {
  AccountRecord,
  GiteaClient,
  OrganizationRecord,
  RepositoryRecord,
  SettingsRecord,
} from './gitea-client.ts'
import { createLimitContent, type LimitContent } from './limits.ts'
import { ProvisionError } from './requests.ts'

/** The accounts, each with the variable of its password. */
export const passwordVariables = {
  main: 'CODE_HOSTING_PASSWORD',
  other: 'CODE_HOSTING_OTHER_PASSWORD',
  otp: 'CODE_HOSTING_OTP_PASSWORD',
} as const
export type Role = keyof typeof passwordVariables
export const roles = Object.keys(passwordVariables) as Role[]

export const accountName = (prefix: string, role: Role) => `${prefix}${role}`

/** Returns the name of the organization that the main account owns. */
export const organizationName = (prefix: string) => `${prefix}org`

/** Returns the name of the public repository, which has the files that exceed limits. */
export const publicName = (prefix: string) => `${prefix}public`

/** Returns an address to which nothing is ever delivered (RFC 2606, 2). */
export const emailOf = (username: string) => `${username}@plumbline.invalid`

/** Returns the mark of everything created: full name of an account, description of the rest. */
export const markOf = (prefix: string) => `Made by plumbline provision (prefix ${prefix})`

export interface WantedRepository {
  name: string
  private: boolean
  archived: boolean
}

/** Returns the three that variables and supplied requests name, and private ones that fill pages. */
export function wantedRepositories(prefix: string, count: number): WantedRepository[] {
  return Array.from({ length: Math.max(3, count) }, (_, index) => ({
    name: `${prefix}${['public', 'private', 'archived'][index] ?? String(index - 2).padStart(3, '0')}`,
    private: index > 0,
    archived: index === 2,
  }))
}

/** The documented items per page, for a server that does not report its own. */
const DOCUMENTED_MAXIMUM = 25

/** More would burden a server more than the requirements on pages are worth. */
const MAX_REPOSITORIES = 401

const shownName = (name: string) => truncate(printableSentence(name), 60)

const notMade = 'was not made by provision: it would have'

function reasonToKeep(record: AccountRecord, prefix: string): string | undefined {
  const login = shownName(record.login)
  if (record.is_admin) return `${login} is a site administrator, which provision leaves alone`
  const address = emailOf(record.login.toLowerCase())
  const mark = markOf(prefix)
  if (record.full_name === mark && record.email.toLowerCase() === address) return undefined
  return `${login} ${notMade} the full name "${mark}" and the address ${address}`
}

const isMarked = (record: RepositoryRecord | undefined, prefix: string) =>
  record?.name.startsWith(prefix) === true && record.description === markOf(prefix)

/** What exists on the server under the names of a prefix. */
export interface Survey {
  admin: string
  prefix: string
  settings: SettingsRecord
  /** The accounts that provision made. */
  accounts: Partial<Record<Role, AccountRecord | undefined>>
  organization: OrganizationRecord | undefined
  /** All repositories of the main account, if provision made that account. */
  repositories: readonly RepositoryRecord[]
  content: LimitContent
  /** Sentences about accounts and organizations that provision did not make. */
  foreign: readonly string[]
}

/**
 * Reads the server with GET requests only.
 *
 * @throws ProvisionError if the account is no administrator, or the server is not of the family
 */
export async function survey(client: GiteaClient, prefix: string): Promise<Survey> {
  const self = await client.self()
  const admin = shownName(self.login)
  if (!self.is_admin) {
    throw new ProvisionError(
      `${admin} is no site administrator: set CODE_HOSTING_ADMIN_USERNAME and ` +
        'CODE_HOSTING_ADMIN_PASSWORD to those of one. Nothing was changed.',
    )
  }
  const accounts: Survey['accounts'] = {}
  const foreign: string[] = []
  for (const role of roles) {
    const account = await client.account(accountName(prefix, role))
    const reason = account && reasonToKeep(account, prefix)
    if (reason === undefined) accounts[role] = account
    else foreign.push(reason)
  }
  const settings = await client.settings()
  const organization = await client.organization(organizationName(prefix))
  if (organization !== undefined && organization.description !== markOf(prefix)) {
    const name = shownName(organization.name)
    foreign.push(`${name} ${notMade} the description "${markOf(prefix)}"`)
  }
  const repositories = accounts.main ? await client.repositories(accounts.main.login) : []
  const path = `${accountName(prefix, 'main')}/${publicName(prefix)}`
  const content = createLimitContent(settings, path)
  return { admin, prefix, settings, accounts, organization, repositories, content, foreign }
}

/** @param rows labels, each with names, of which the first three are shown */
function describePlan(
  { admin }: Survey,
  baseUrl: string,
  action: string,
  rows: readonly (readonly [label: string, names: readonly string[]])[],
): string {
  const shown = rows.flatMap(([label, names]) => {
    const rest = names.length > 3 ? ` and ${names.length - 3} more` : ''
    return names.length === 0 ? [] : [`  ${label.padEnd(14)}${names.slice(0, 3).join(', ')}${rest}`]
  })
  return [
    `At ${baseUrl}, as the site administrator ${admin}, provision ${action}:`,
    ...shown,
    'This uses the API and the sign-in pages of servers of the Gitea family. None of it is in the documents',
    'by which Plumbline judges.',
    '',
  ].join('\n')
}

export interface ProvisionPlan {
  missing: readonly WantedRepository[]
  /** Existing repositories that are private or archived differently. */
  different: readonly WantedRepository[]
  /** Text to which the operator agrees. */
  description: string
}

/** @throws ProvisionError that names every account and repository in the way */
export function provisionPlan(found: Survey, knowsSecret: boolean, baseUrl: string): ProvisionPlan {
  const { prefix, settings, accounts, repositories, foreign } = found
  const full = 2 * (settings.max_response_items ?? DOCUMENTED_MAXIMUM) + 1
  const wanted = wantedRepositories(prefix, Math.min(full, MAX_REPOSITORIES))
  const records = new Map(repositories.map((record) => [record.name.toLowerCase(), record]))
  const path = ({ name }: { name: string }) => `${accountName(prefix, 'main')}/${name}`
  const unmarked = wanted
    .filter(({ name }) => records.has(name) && !isMarked(records.get(name), prefix))
    .map((repository) => `${path(repository)} ${notMade} the description "${markOf(prefix)}"`)
  const inTheWay = [...foreign, ...unmarked]
  if (inTheWay.length > 0) {
    throw new ProvisionError(
      `Nothing was made: ${inTheWay.join('; ')}. Choose another --prefix, or rename what is in the way.`,
    )
  }
  const missing = wanted.filter(({ name }) => !records.has(name))
  const different = wanted.filter((repository) => {
    const { private: isPrivate, archived } = records.get(repository.name) ?? repository
    return isPrivate !== repository.private || archived !== repository.archived
  })
  const named = (exists: boolean) =>
    roles
      .filter((role) => (accounts[role] !== undefined) === exists)
      .map((role) => accountName(prefix, role))
  const otp = `${accountName(prefix, 'otp')}, if it uses one-time codes already`
  const files = counted(found.content.files.length, 'small file', 'small files')
  const description = describePlan(found, baseUrl, 'makes', [
    ['accounts', named(false)],
    ['new passwords', named(true)],
    ['made again', accounts.otp !== undefined && !knowsSecret ? [otp] : []],
    ['organization', found.organization === undefined ? [organizationName(prefix)] : []],
    ['repositories', missing.map(path)],
    ['changes', different.map(path)],
    [
      'files',
      found.content.files.length === 0
        ? []
        : [`${files} in ${path({ name: publicName(prefix) })}, unless they exist`],
    ],
  ])
  return { missing, different, description }
}

export interface RemovalPlan {
  accounts: readonly string[]
  organizations: readonly string[]
  /** Repositories of the main account. */
  repositories: readonly string[]
  /** Sentences about what stays. */
  leftAlone: readonly string[]
  /** Reason why the main account stays, if it does. */
  mainStays: string | undefined
  description: string
}

/** Plans to delete what carries the mark of the prefix. */
export function removalPlan(found: Survey, baseUrl: string): RemovalPlan {
  const { prefix, accounts: made, foreign } = found
  const main = accountName(prefix, 'main')
  const others = found.repositories.filter((record) => !isMarked(record, prefix))
  const repositories = found.repositories
    .filter((record) => isMarked(record, prefix))
    .map(({ name }) => name)
  const accounts = roles
    .filter((role) => made[role] !== undefined && (role !== 'main' || others.length === 0))
    .map((role) => accountName(prefix, role))
  const mark = markOf(prefix)
  const organizations = found.organization?.description === mark ? [organizationName(prefix)] : []
  const leftAlone = [
    ...foreign,
    ...others.map(({ name }) => `${main}/${shownName(name)} was not made by provision`),
  ]
  const owns = `The account ${main} stays, since it owns what provision did not make.`
  const mainStays = others.length > 0 ? owns : undefined
  const description = describePlan(found, baseUrl, 'deletes what it made', [
    ['accounts', accounts],
    ['organization', organizations],
    ['repositories', repositories.map((name) => `${main}/${name}`)],
    ...leftAlone.map((sentence) => ['left alone', [sentence]] as const),
  ])
  return { accounts, organizations, repositories, leftAlone, mainStays, description }
}
