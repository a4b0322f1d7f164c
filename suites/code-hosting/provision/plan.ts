import { createHash } from 'node:crypto'
import { printableSentence, truncate } from '../../../lib/text/printable.ts'
import { counted } from '../../../lib/text/quantities.ts'
import {
  type AccountRecord,
  type GiteaClient,
  type OrganizationRecord,
  ProvisionError,
  path,
  type RepositoryRecord,
  readRecord,
  type SettingsRecord,
} from './gitea-client.ts'

/** The accounts, each with the variable of its password. */
export const passwordVariables = {
  main: 'CODE_HOSTING_PASSWORD',
  other: 'CODE_HOSTING_OTHER_PASSWORD',
} as const
export type Role = keyof typeof passwordVariables
const roles = Object.keys(passwordVariables) as Role[]

/** The names of everything that is created with a prefix. */
export interface Names extends Record<Role, string> {
  prefix: string
  organization: string
  /** Repository with the files that exceed limits. */
  publicRepository: string
  /** Full name of an account, description of the rest. */
  mark: string
}

export const namesOf = (prefix: string): Names => ({
  prefix,
  main: `${prefix}main`,
  other: `${prefix}other`,
  organization: `${prefix}org`,
  publicRepository: `${prefix}public`,
  mark: `Made by plumbline provision (prefix ${prefix})`,
})

/** Returns an address to which nothing is ever delivered (RFC 2606, 2). */
export const emailOf = (username: string) => `${username}@plumbline.invalid`

type PlannedRepository = Pick<RepositoryRecord, 'name' | 'private' | 'archived'>

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

function reasonToKeep(record: AccountRecord, mark: string): string | undefined {
  const login = shownName(record.login)
  if (record.is_admin) return `${login} is a site administrator, which provision does not change`
  const address = emailOf(record.login.toLowerCase())
  if (record.full_name === mark && record.email.toLowerCase() === address) return undefined
  return `${login} ${notCreated} the full name "${mark}" and the address ${address}`
}

const isMarked = (record: RepositoryRecord | undefined, { mark, prefix }: Names) =>
  record?.name.startsWith(prefix) === true && record.description === mark

/** Existing resources on the server with the names of a prefix. */
export interface Survey {
  baseUrl: string
  admin: string
  names: Names
  settings: SettingsRecord
  accounts: Partial<Record<Role, AccountRecord | undefined>>
  organization: OrganizationRecord | undefined
  /** All repositories of the main account, if provision created that account. */
  repositories: readonly RepositoryRecord[]
  content: LimitContent
  /** Sentences about accounts and organizations that provision did not create. */
  conflicting: readonly string[]
}

/**
 * Reads the server with GET requests only.
 *
 * @throws ProvisionError if the account is not an administrator, or the server is not of the family
 */
export async function survey(client: GiteaClient, names: Names): Promise<Survey> {
  const self = readRecord('an account', await client.api('GET', '/user', [200]))
  const admin = shownName(self.login)
  if (!self.is_admin) {
    throw new ProvisionError(
      `${admin} is not a site administrator: set CODE_HOSTING_ADMIN_USERNAME and ` +
        'CODE_HOSTING_ADMIN_PASSWORD of a site administrator. Nothing was changed.',
    )
  }
  const accounts: Survey['accounts'] = {}
  const conflicting: string[] = []
  for (const role of roles) {
    const account = await client.account(names[role])
    const reason = account && reasonToKeep(account, names.mark)
    if (reason === undefined) accounts[role] = account
    else conflicting.push(reason)
  }
  const settings = await client.settings()
  const organization = await client.find('an organization', path`/orgs/${names.organization}`)
  if (organization !== undefined && organization.description !== names.mark) {
    conflicting.push(
      `${shownName(organization.name)} ${notCreated} the description "${names.mark}"`,
    )
  }
  const repositories = accounts.main ? await client.repositories(accounts.main.login) : []
  const content = createLimitContent(settings, `${names.main}/${names.publicRepository}`)
  const { baseUrl } = client
  return {
    baseUrl,
    admin,
    names,
    settings,
    accounts,
    organization,
    repositories,
    content,
    conflicting,
  }
}

/** @param rows labels, each with names, of which the first three are shown */
function describePlan(
  { admin, baseUrl }: Survey,
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
    'This uses endpoints of servers of the Gitea family that are not part of the documents that',
    'Plumbline checks.',
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

/** Describes how many pages of the maximum size the list of the main account has. */
function pageSizes(count: number, maximum: number): string {
  const pages = counted(Math.ceil(count / maximum), 'page')
  const skipped = count > maximum ? '' : '; requirements that need several pages are skipped'
  return `at most ${maximum}, so ${counted(count, 'repository', 'repositories')} need ${pages}${skipped}`
}

/** @throws ProvisionError that names every account and repository in the way */
export function provisionPlan(found: Survey): ProvisionPlan {
  const { names, settings, accounts } = found
  const maximum = settings.max_response_items ?? DOCUMENTED_MAXIMUM
  const planned = plannedRepositories(names.prefix, Math.min(2 * maximum + 1, MAX_REPOSITORIES))
  const records = new Map(found.repositories.map((record) => [record.name.toLowerCase(), record]))
  const fullName = ({ name }: { name: string }) => `${names.main}/${name}`
  const existing = planned.filter(({ name }) => records.has(name))
  const unmarked = existing
    .filter(({ name }) => !isMarked(records.get(name), names))
    .map((repository) => `${fullName(repository)} ${notCreated} the description "${names.mark}"`)
  const conflicts = [...found.conflicting, ...unmarked]
  if (conflicts.length > 0) {
    throw new ProvisionError(
      `Nothing was created: ${conflicts.join('; ')}. Choose another --prefix, or rename these.`,
    )
  }
  const missing = planned.filter(({ name }) => !records.has(name))
  const different = existing.filter((repository) => {
    const record = records.get(repository.name)
    return record?.private !== repository.private || record.archived !== repository.archived
  })
  const accountNames = (exists: boolean) =>
    roles.filter((role) => (accounts[role] !== undefined) === exists).map((role) => names[role])
  const count = found.content.files.length
  const files = `${counted(count, 'small file', 'small files')} in ${names.main}/${names.publicRepository}`
  const description = describePlan(found, 'creates', [
    ['accounts', accountNames(false)],
    ['new passwords', accountNames(true)],
    ['organization', found.organization === undefined ? [names.organization] : []],
    ['repositories', missing.map(fullName)],
    ['page sizes', [pageSizes(planned.length, maximum)]],
    ['changes', different.map(fullName)],
    ['files', count === 0 ? [] : [`${files}, unless they exist`]],
  ])
  return { missing, different, description }
}

export function removalPlan(found: Survey) {
  const { names, accounts: existing, conflicting } = found
  const others = found.repositories.filter((record) => !isMarked(record, names))
  const repositories = found.repositories
    .filter((record) => !others.includes(record))
    .map(({ name }) => name)
  const accounts = roles
    .filter((role) => existing[role] !== undefined && (role !== 'main' || others.length === 0))
    .map((role) => names[role])
  const isOwn = found.organization?.description === names.mark
  const organizations = isOwn ? [names.organization] : []
  const unchanged = [
    ...conflicting,
    ...others.map(({ name }) => `${names.main}/${shownName(name)} was not created by provision`),
  ]
  const owns = `The account ${names.main} stays, since it owns resources that provision did not create.`
  const description = describePlan(found, 'deletes its resources', [
    ['accounts', accounts],
    ['organization', organizations],
    ['repositories', repositories.map((name) => `${names.main}/${name}`)],
    ...unchanged.map((sentence) => ['unchanged', [sentence]] as const),
  ])
  const mainStays = others.length > 0 ? owns : undefined
  return { accounts, organizations, repositories, unchanged, mainStays, description }
}

/** Maximum limits that are exceeded: entries of a tree, and bytes. */
const MAX_ENTRIES = 1000
const MAX_BYTES = 100_000

/** Files that exceed limits of the API, in base64, and the supplied requests for them by variable. */
export interface LimitContent {
  files: readonly { path: string; content: string }[]
  requests: Readonly<Record<string, string>>
}

const createFile = (path: string, size: number) => ({
  path,
  content: Buffer.alloc(size, 'x').toString('base64'),
})

/** Returns the identifier of a blob of this size in Git. */
const hashBlob = (size: number) =>
  createHash('sha1').update(`blob ${size}\0`).update(Buffer.alloc(size, 'x')).digest('hex')

/**
 * Returns the smallest content that exceeds each limit that is low enough.
 *
 * @param repository `owner/name` of an empty repository
 */
export function createLimitContent(settings: SettingsRecord, repository: string): LimitContent {
  const {
    default_git_trees_per_page: entries = Infinity,
    default_max_blob_size: blob = Infinity,
    default_max_response_size: response = Infinity,
  } = settings
  const root = `GET /api/v1/repos/${repository}`
  const files: { path: string; content: string }[] = []
  const requests: Record<string, string> = {}
  if (blob <= MAX_BYTES) {
    files.push(createFile('large-blob', blob + 1))
    requests.CODE_HOSTING_LARGE_BLOB = `${root}/git/blobs/${hashBlob(blob + 1)}`
  }
  if (response <= MAX_BYTES) {
    const size = Math.min(blob, response)
    const count = Math.floor(response / size) + 1
    const parts = Array.from({ length: count }, (_, index) => createFile(`part-${index + 1}`, size))
    files.push(...parts)
    const body = JSON.stringify({ files: parts.map((part) => part.path) })
    requests.CODE_HOSTING_LARGE_FILES = `${root}/file-contents?body=${encodeURIComponent(body)}`
  }
  if (entries <= MAX_ENTRIES) {
    files.push(
      ...Array.from({ length: entries + 1 }, (_, index) => createFile(`entry-${index + 1}`, 0)),
    )
    requests.CODE_HOSTING_LARGE_TREE = `${root}/git/trees/HEAD?per_page=${entries + 1}`
  }
  return { files, requests }
}
