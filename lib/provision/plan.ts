import { randomBytes } from 'node:crypto'
import { printableSentence, shortened } from '../reports/printable.ts'
import { counted } from '../reports/run-words.ts'
import type { AccountRecord, GiteaClient, RepositoryRecord } from './gitea-client.ts'
import { createLimitContent, hasLimitContent } from './limits.ts'
import { Refusal } from './requests.ts'

export const actingAs =
  'It acts as the site administrator of CODE_HOSTING_ADMIN_USERNAME and …_PASSWORD, at\n' +
  'CODE_HOSTING_BASE_URL.'

export const DEFAULT_PREFIX = 'plumbline-'

/** The roles of the accounts that are made, each with the variable of its password. */
export const passwordVariables = {
  main: 'CODE_HOSTING_PASSWORD',
  other: 'CODE_HOSTING_OTHER_PASSWORD',
  otp: 'CODE_HOSTING_OTP_PASSWORD',
} as const
export type Role = keyof typeof passwordVariables
export const roles = Object.keys(passwordVariables) as Role[]

export const isPrefix = (text: string) => text.length <= 30 && /^([a-z0-9]+-)+$/.test(text)

/** What a prefix must be, as it follows "must be". */
export const prefixRule = `lower case letters and digits with a hyphen behind them, at most 30 characters, such as ${DEFAULT_PREFIX}`

export const accountName = (prefix: string, role: Role) => `${prefix}${role}`

/** The organization that the main account owns. */
export const organizationName = (prefix: string) => `${prefix}org`

/** The repository that is public, and has files if limits can be shown by a few. */
export const publicName = (prefix: string) => `${prefix}public`

/** Nothing is ever delivered there (RFC 2606, 2). */
export const emailOf = (username: string) => `${username}@plumbline.invalid`

/** By which `--remove` knows what was made: full name of an account, description of a repository. */
export const markOf = (prefix: string) => `Made by plumbline provision (prefix ${prefix})`

export type WantedRepository = ReturnType<typeof wantedRepositories>[number]

/** The three that variables or supplied requests name, and private ones that only fill pages. */
export function wantedRepositories(prefix: string, count: number) {
  return Array.from({ length: Math.max(3, count) }, (_, index) => ({
    name: `${prefix}${['public', 'private', 'archived'][index] ?? String(index - 2).padStart(3, '0')}`,
    private: index > 0,
    archived: index === 2,
  }))
}

/** 192 random bits behind what servers ask for: both cases, a digit and a punctuation mark. */
export const newPassword = () => `Pl1-${randomBytes(24).toString('base64url')}`

/** Items on a page where the server does not tell: what the document names. */
const DOCUMENTED_MAXIMUM = 25

/** More would burden a server more than the statements on pages are worth. */
const MOST_REPOSITORIES = 401

const shownName = (name: string) => shortened(printableSentence(name), 60)

const notMade = 'was not made by provision: it would have'

function reasonToLeave(record: AccountRecord, prefix: string): string | undefined {
  const login = shownName(record.login)
  if (record.is_admin) return `${login} is a site administrator, which provision leaves alone`
  const address = emailOf(record.login.toLowerCase())
  const mark = markOf(prefix)
  if (record.full_name === mark && record.email.toLowerCase() === address) return undefined
  return `${login} ${notMade} the full name "${mark}" and the address ${address}`
}

const isMarked = (record: RepositoryRecord | undefined, prefix: string) =>
  record?.name.startsWith(prefix) === true && record.description === markOf(prefix)

export type Survey = Awaited<ReturnType<typeof survey>>

/**
 * Looks, with GETs alone.
 *
 * @throws Refusal when the account is no administrator, or the server none of the family
 */
export async function survey(client: GiteaClient, prefix: string) {
  const self = await client.self()
  const admin = shownName(self.login)
  if (!self.is_admin) {
    throw new Refusal(
      `${admin} is no site administrator: set CODE_HOSTING_ADMIN_USERNAME and ` +
        'CODE_HOSTING_ADMIN_PASSWORD to those of one. Nothing was changed.',
    )
  }
  const accounts: Partial<Record<Role, AccountRecord | undefined>> = {}
  /** Those that have a name of this prefix and are not provision's, each as a sentence. */
  const foreign: string[] = []
  for (const role of roles) {
    const account = await client.account(accountName(prefix, role))
    const reason = account && reasonToLeave(account, prefix)
    if (reason === undefined) accounts[role] = account
    else foreign.push(reason)
  }
  const settings = await client.settings()
  const organization = await client.organization(organizationName(prefix))
  if (organization !== undefined && organization.description !== markOf(prefix)) {
    const name = shownName(organization.name)
    foreign.push(`${name} ${notMade} the description "${markOf(prefix)}"`)
  }
  /** Of the main account, when provision made it; those that somebody else made there too. */
  const repositories = accounts.main ? await client.repositories(accounts.main.login) : []
  const main = accountName(prefix, 'main')
  const content = createLimitContent(settings, `${main}/${publicName(prefix)}`)
  // A repository that is not there yet has no files.
  const hasContent = accounts.main
    ? await hasLimitContent(client, main, publicName(prefix), content.files)
    : content.files.length === 0
  const kept = { accounts, organization, repositories, hasContent }
  return { admin, prefix, settings, content, foreign, ...kept }
}

/** @param rows labels, each with names, of which the first three are shown */
function described(
  { admin }: Survey,
  baseUrl: string,
  what: string,
  rows: readonly (readonly [label: string, names: readonly string[]])[],
): string {
  const shown = rows.flatMap(([label, names]) => {
    const rest = names.length > 3 ? ` and ${names.length - 3} more` : ''
    return names.length === 0 ? [] : [`  ${label.padEnd(14)}${names.slice(0, 3).join(', ')}${rest}`]
  })
  return [
    `At ${baseUrl}, as the site administrator ${admin}, plumbline provision ${what}:`,
    ...shown,
    'This uses the API and the sign-in pages of servers of the Gitea family. None of it is in the documents',
    'by which Plumbline judges.',
    '',
  ].join('\n')
}

export type ProvisionPlan = ReturnType<typeof provisionPlan>

/**
 * The repositories that are missing, those that are private or archived otherwise than they are to be,
 * and a description to agree to.
 *
 * @throws Refusal that names every account and repository in the way
 */
export function provisionPlan(found: Survey, knowsSecret: boolean, baseUrl: string) {
  const { prefix, settings, accounts, repositories, foreign } = found
  const full = 2 * (settings.max_response_items ?? DOCUMENTED_MAXIMUM) + 1
  const wanted = wantedRepositories(prefix, Math.min(full, MOST_REPOSITORIES))
  const records = new Map(repositories.map((record) => [record.name.toLowerCase(), record]))
  const path = ({ name }: { name: string }) => `${accountName(prefix, 'main')}/${name}`
  const there = wanted.filter(({ name }) => records.has(name))
  const unmarked = there
    .filter(({ name }) => !isMarked(records.get(name), prefix))
    .map((repository) => `${path(repository)} ${notMade} the description "${markOf(prefix)}"`)
  const inTheWay = [...foreign, ...unmarked]
  if (inTheWay.length > 0) {
    throw new Refusal(
      `Nothing was made: ${inTheWay.join('; ')}. Choose another --prefix, or rename what is in the way.`,
    )
  }
  const missing = wanted.filter(({ name }) => !records.has(name))
  const different = wanted.filter((repository) => {
    const { private: isPrivate, archived } = records.get(repository.name) ?? repository
    return isPrivate !== repository.private || archived !== repository.archived
  })
  const named = (isThere: boolean) =>
    roles
      .filter((role) => (accounts[role] !== undefined) === isThere)
      .map((role) => accountName(prefix, role))
  const kept = there.length - different.length
  const otp = `${accountName(prefix, 'otp')}, if it uses one-time codes already`
  const smallFiles = counted(found.content.files.length, 'small file', 'small files')
  const files = found.hasContent ? [] : [`${smallFiles} in ${path({ name: publicName(prefix) })}`]
  const note = `${wanted.length} repositories do not fill two pages of this server: what needs more is skipped in a run`
  const description = described(found, baseUrl, 'makes', [
    ['accounts', named(false)],
    ['new passwords', named(true)],
    ['made anew', accounts.otp !== undefined && !knowsSecret ? [otp] : []],
    ['organization', found.organization === undefined ? [organizationName(prefix)] : []],
    ['repositories', missing.map(path)],
    ['changes', different.map(path)],
    ['kept', kept === 0 ? [] : [`${counted(kept, 'repository', 'repositories')} there already`]],
    ['files', files],
    ['note', wanted.length < full ? [note] : []],
  ])
  return { missing, different, description }
}

/** What is taken away, since it carries the mark of the prefix, and what is left alone. */
export function removalPlan(found: Survey, baseUrl: string) {
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
  const mainStays =
    others.length > 0 && `The account ${main} stays, since it owns what provision did not make.`
  const description = described(found, baseUrl, 'deletes what it made', [
    ['accounts', accounts],
    ['organization', organizations],
    ['repositories', repositories.map((name) => `${main}/${name}`)],
    ...leftAlone.map((sentence) => ['left alone', [sentence]] as const),
  ])
  return { accounts, organizations, repositories, leftAlone, mainStays, description }
}
