import { printableSentence, shortened } from '../reports/printable.ts'
import type {
  AccountRecord,
  GiteaClient,
  RepositoryRecord,
  SettingsRecord,
} from './gitea-client.ts'
import {
  accountName,
  emailOf,
  markOf,
  type Role,
  repositoryCount,
  roles,
  type WantedRepository,
  wantedRepositories,
} from './names.ts'
import { Refusal } from './requests.ts'

const LONGEST_NAME = 60

/** Items on a page where the server does not tell: what the document names. */
const DOCUMENTED_MAXIMUM = 25

/** More would burden a server more than the statements on pages are worth. */
const MOST_REPOSITORIES = 401

/** What is on the server under the names of a prefix. */
export interface Survey {
  /** Login name of the administrator. */
  admin: string
  prefix: string
  settings: SettingsRecord | undefined
  /** The accounts that provision made. */
  accounts: Partial<Record<Role, AccountRecord>>
  /** Of the main account, when provision made it; those that somebody else made there too. */
  repositories: RepositoryRecord[]
  /** Accounts that have a name of this prefix and are not provision's, each as a sentence. */
  foreign: string[]
}

/** A name that the server gave, as a person may be shown it. */
function shownName(name: string): string {
  return shortened(printableSentence(name), LONGEST_NAME)
}

function reasonToLeave(
  { login, full_name, email, is_admin }: AccountRecord,
  prefix: string,
): string | undefined {
  if (is_admin) return `${shownName(login)} is a site administrator, which provision leaves alone`
  const address = emailOf(login.toLowerCase())
  if (full_name === markOf(prefix) && email.toLowerCase() === address) return undefined
  return (
    `${shownName(login)} was not made by provision: it would have the full name ` +
    `"${markOf(prefix)}" and the address ${address}`
  )
}

/** Whether provision made a repository of one of its accounts. */
function isMarked({ name, description }: RepositoryRecord, prefix: string): boolean {
  return name.startsWith(prefix) && description === markOf(prefix)
}

/**
 * Looks, with GETs alone.
 *
 * @throws Refusal when the account is no administrator, or the server none of the family
 */
export async function survey(client: GiteaClient, prefix: string): Promise<Survey> {
  const self = await client.self()
  if (!self.is_admin) {
    throw new Refusal(
      `${shownName(self.login)} is no site administrator: set CODE_HOSTING_ADMIN_USERNAME and ` +
        'CODE_HOSTING_ADMIN_PASSWORD to those of one. Nothing was changed.',
    )
  }
  const accounts: Survey['accounts'] = {}
  const foreign: string[] = []
  for (const role of roles) {
    const account = await client.account(accountName(prefix, role))
    if (account === undefined) continue
    const reason = reasonToLeave(account, prefix)
    if (reason === undefined) accounts[role] = account
    else foreign.push(reason)
  }
  return {
    admin: shownName(self.login),
    prefix,
    settings: await client.settings(),
    accounts,
    repositories: accounts.main === undefined ? [] : await client.repositories(accounts.main.login),
    foreign,
  }
}

/** What there is to make. */
export interface ProvisionPlan {
  /** Repositories of the main account that are not there yet. */
  missing: WantedRepository[]
  /** Those that are there and are private or archived otherwise than they are to be. */
  different: WantedRepository[]
  /** For a person to agree to. */
  description: string
}

/** What there is to take away. */
export interface RemovalPlan {
  accounts: string[]
  /** Names of repositories of the main account. */
  repositories: string[]
  /** What has a name of the prefix or is owned by the main account, and is not provision's. */
  leftAlone: string[]
  /** Why the main account, which provision made, has to stay; absent when it can go. */
  mainStays?: string
  /** For a person to agree to. */
  description: string
}

/** A row for a person: of many names, the first three. */
function row(label: string, names: readonly string[]): string[] {
  if (names.length === 0) return []
  const rest = names.length > 3 ? ` and ${names.length - 3} more` : ''
  return [`  ${label.padEnd(14)}${names.slice(0, 3).join(', ')}${rest}`]
}

function described({ admin }: Survey, baseUrl: string, what: string, rows: string[]): string {
  return [
    `At ${baseUrl}, as the site administrator ${admin}, plumbline provision ${what}:`,
    ...rows,
    'This uses the API and the sign-in pages of servers of the Gitea family. None of it is in the documents',
    'by which Plumbline judges.',
    '',
  ].join('\n')
}

/**
 * What is missing for full coverage.
 *
 * @param knowsSecret of the account with two-factor authentication that is there
 * @throws Refusal that names every account and repository in the way
 */
export function provisionPlan(found: Survey, knowsSecret: boolean, baseUrl: string): ProvisionPlan {
  const { prefix, settings, accounts, repositories, foreign } = found
  const full = 2 * (settings?.max_response_items ?? DOCUMENTED_MAXIMUM) + 1
  const wanted = wantedRepositories(prefix, Math.min(full, MOST_REPOSITORIES))
  const records = new Map(repositories.map((record) => [record.name.toLowerCase(), record]))
  const owner = accountName(prefix, 'main')
  const path = ({ name }: WantedRepository) => `${owner}/${name}`

  const there = wanted.flatMap((repository) => {
    const record = records.get(repository.name)
    return record === undefined ? [] : [{ repository, record }]
  })
  const unmarked = there
    .filter(({ record }) => !isMarked(record, prefix))
    .map(
      ({ repository }) =>
        `${path(repository)} was not made by provision: it would have the description "${markOf(prefix)}"`,
    )
  const inTheWay = [...foreign, ...unmarked]
  if (inTheWay.length > 0) {
    throw new Refusal(
      `Nothing was made: ${inTheWay.join('; ')}. Choose another --prefix, or rename what is in the way.`,
    )
  }
  const missing = wanted.filter(({ name }) => !records.has(name))
  const different = there.flatMap(({ repository, record }) =>
    record.private !== repository.private || record.archived !== repository.archived
      ? [repository]
      : [],
  )
  const named = (isThere: boolean) =>
    roles
      .filter((role) => (accounts[role] !== undefined) === isThere)
      .map((role) => accountName(prefix, role))
  const kept = there.length - different.length
  const unknownCodes = accounts.otp !== undefined && !knowsSecret
  const description = described(found, baseUrl, 'makes', [
    ...row('accounts', named(false)),
    ...row('new passwords', named(true)),
    ...row(
      'made anew',
      unknownCodes ? [`${accountName(prefix, 'otp')}, if it uses one-time codes already`] : [],
    ),
    ...row('repositories', missing.map(path)),
    ...row('changes', different.map(path)),
    ...row('kept', kept === 0 ? [] : [`${repositoryCount(kept)} there already`]),
    ...(full <= MOST_REPOSITORIES
      ? []
      : [
          ...row('note', [`${wanted.length} repositories do not fill two pages of this server:`]),
          ...row('', ['what needs more pages is skipped in a run']),
        ]),
  ])
  return { missing, different, description }
}

/** Only what carries the mark of the prefix is taken away. */
export function removalPlan(found: Survey, baseUrl: string): RemovalPlan {
  const { prefix, accounts, repositories, foreign } = found
  const main = accountName(prefix, 'main')
  const others = repositories.filter((record) => !isMarked(record, prefix))
  const mine = repositories.filter((record) => isMarked(record, prefix)).map(({ name }) => name)
  const going = roles
    .filter((role) => accounts[role] !== undefined && (role !== 'main' || others.length === 0))
    .map((role) => accountName(prefix, role))
  const leftAlone = [
    ...foreign,
    ...others.map(({ name }) => `${main}/${shownName(name)} was not made by provision`),
  ]
  return {
    accounts: going,
    repositories: mine,
    leftAlone,
    ...(others.length === 0
      ? {}
      : { mainStays: `The account ${main} stays, since it owns what provision did not make.` }),
    description: described(found, baseUrl, 'deletes what it made', [
      ...row('accounts', going),
      ...row(
        'repositories',
        mine.map((name) => `${main}/${name}`),
      ),
      ...leftAlone.flatMap((sentence) => row('left alone', [sentence])),
    ]),
  }
}
