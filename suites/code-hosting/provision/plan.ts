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

export const organizationName = (prefix: string) => `${prefix}org`

/** Returns the name of the public repository, which has the files that exceed limits. */
export const publicName = (prefix: string) => `${prefix}public`

/** Returns an address to which nothing is ever delivered (RFC 2606, 2). */
export const emailOf = (username: string) => `${username}@plumbline.invalid`

/** Returns the mark of everything created: full name of an account, description of the rest. */
export const markOf = (prefix: string) => `Made by plumbline provision (prefix ${prefix})`

export interface PlannedRepository {
  name: string
  private: boolean
  archived: boolean
}

/** Returns the three repositories that variables name, and private repositories that fill pages. */
export function plannedRepositories(prefix: string, count: number): PlannedRepository[] {
  return Array.from({ length: Math.max(3, count) }, (_, index) => ({
    name: `${prefix}${['public', 'private', 'archived'][index] ?? String(index - 2).padStart(3, '0')}`,
    private: index > 0,
    archived: index === 2,
  }))
}

/** The documented items per page, for a server that does not report its own. */
const DOCUMENTED_MAXIMUM = 25

/** Maximum number of repositories, to limit the load on the server. */
const MAX_REPOSITORIES = 401

const shownName = (name: string) => truncate(printableSentence(name), 60)

const notCreated = 'was not created by provision: it does not have'

function reasonToKeep(record: AccountRecord, prefix: string): string | undefined {
  const login = shownName(record.login)
  if (record.is_admin) return `${login} is a site administrator, which provision does not change`
  const address = emailOf(record.login.toLowerCase())
  const mark = markOf(prefix)
  if (record.full_name === mark && record.email.toLowerCase() === address) return undefined
  return `${login} ${notCreated} the full name "${mark}" and the address ${address}`
}

const isMarked = (record: RepositoryRecord | undefined, prefix: string) =>
  record?.name.startsWith(prefix) === true && record.description === markOf(prefix)

/** Existing resources on the server with the names of a prefix. */
export interface Survey {
  admin: string
  prefix: string
  settings: SettingsRecord
  accounts: Partial<Record<Role, AccountRecord | undefined>>
  organization: OrganizationRecord | undefined
  /** All repositories of the main account, if provision created that account. */
  repositories: readonly RepositoryRecord[]
  content: LimitContent
  /** Sentences about accounts and organizations that provision did not create. */
  foreign: readonly string[]
}

/**
 * Reads the server with GET requests only.
 *
 * @throws ProvisionError if the account is not an administrator, or the server is not of the family
 */
export async function survey(client: GiteaClient, prefix: string): Promise<Survey> {
  const self = await client.self()
  const admin = shownName(self.login)
  if (!self.is_admin) {
    throw new ProvisionError(
      `${admin} is not a site administrator: set CODE_HOSTING_ADMIN_USERNAME and ` +
        'CODE_HOSTING_ADMIN_PASSWORD of a site administrator. Nothing was changed.',
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
    foreign.push(`${name} ${notCreated} the description "${markOf(prefix)}"`)
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
  const lines = rows.flatMap(([label, names]) => {
    const rest = names.length > 3 ? ` and ${names.length - 3} more` : ''
    return names.length === 0 ? [] : [`  ${label.padEnd(14)}${names.slice(0, 3).join(', ')}${rest}`]
  })
  return [
    `At ${baseUrl}, as the site administrator ${admin}, provision ${action}:`,
    ...lines,
    'This uses the API and the sign-in pages of servers of the Gitea family, which are not part of the',
    'documents that Plumbline checks.',
    '',
  ].join('\n')
}

export interface ProvisionPlan {
  missing: readonly PlannedRepository[]
  /** Existing repositories that are private or archived differently. */
  different: readonly PlannedRepository[]
  /** Text to which the operator agrees. */
  description: string
}

/** @throws ProvisionError that names every account and repository in the way */
export function provisionPlan(found: Survey, knowsSecret: boolean, baseUrl: string): ProvisionPlan {
  const { prefix, settings, accounts, repositories, foreign } = found
  const count = 2 * (settings.max_response_items ?? DOCUMENTED_MAXIMUM) + 1
  const planned = plannedRepositories(prefix, Math.min(count, MAX_REPOSITORIES))
  const records = new Map(repositories.map((record) => [record.name.toLowerCase(), record]))
  const path = ({ name }: { name: string }) => `${accountName(prefix, 'main')}/${name}`
  const unmarked = planned
    .filter(({ name }) => records.has(name) && !isMarked(records.get(name), prefix))
    .map((repository) => `${path(repository)} ${notCreated} the description "${markOf(prefix)}"`)
  const conflicts = [...foreign, ...unmarked]
  if (conflicts.length > 0) {
    throw new ProvisionError(
      `Nothing was created: ${conflicts.join('; ')}. Choose another --prefix, or rename these.`,
    )
  }
  const missing = planned.filter(({ name }) => !records.has(name))
  const different = planned.filter((repository) => {
    const { private: isPrivate, archived } = records.get(repository.name) ?? repository
    return isPrivate !== repository.private || archived !== repository.archived
  })
  const accountNames = (exists: boolean) =>
    roles
      .filter((role) => (accounts[role] !== undefined) === exists)
      .map((role) => accountName(prefix, role))
  const otp = `${accountName(prefix, 'otp')}, if it uses one-time codes already`
  const files = counted(found.content.files.length, 'small file', 'small files')
  const description = describePlan(found, baseUrl, 'creates', [
    ['accounts', accountNames(false)],
    ['new passwords', accountNames(true)],
    ['recreated', accounts.otp !== undefined && !knowsSecret ? [otp] : []],
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
  repositories: readonly string[]
  unchanged: readonly string[]
  mainStays: string | undefined
  description: string
}

export function removalPlan(found: Survey, baseUrl: string): RemovalPlan {
  const { prefix, accounts: existing, foreign } = found
  const main = accountName(prefix, 'main')
  const others = found.repositories.filter((record) => !isMarked(record, prefix))
  const repositories = found.repositories
    .filter((record) => isMarked(record, prefix))
    .map(({ name }) => name)
  const accounts = roles
    .filter((role) => existing[role] !== undefined && (role !== 'main' || others.length === 0))
    .map((role) => accountName(prefix, role))
  const mark = markOf(prefix)
  const organizations = found.organization?.description === mark ? [organizationName(prefix)] : []
  const unchanged = [
    ...foreign,
    ...others.map(({ name }) => `${main}/${shownName(name)} was not created by provision`),
  ]
  const owns = `The account ${main} stays, since it owns resources that provision did not create.`
  const mainStays = others.length > 0 ? owns : undefined
  const description = describePlan(found, baseUrl, 'deletes its resources', [
    ['accounts', accounts],
    ['organization', organizations],
    ['repositories', repositories.map((name) => `${main}/${name}`)],
    ...unchanged.map((sentence) => ['unchanged', [sentence]] as const),
  ])
  return { accounts, organizations, repositories, unchanged, mainStays, description }
}
