import { randomBytes } from 'node:crypto'
import { Secret } from 'otpauth'
import type { EndpointContext } from '../http.ts'
import type { Environment, ServerAddress } from '../rule-tables.ts'

/** Documented default settings: sizes in bytes, pages in items. */
export const defaultSettings = {
  maxResponseItems: 25,
  defaultPagingNum: 20,
  defaultGitTreesPerPage: 1000,
  defaultMaxBlobSize: 10_485_760,
  defaultMaxResponseSize: 104_857_600,
  allowLegacyTokenScheme: true,
  disableQueryAuthToken: false,
}

export type ServerSettings = Readonly<typeof defaultSettings>

export interface Account {
  readonly id: number
  readonly login: string
  readonly password: string
  readonly siteAdmin: boolean
  /** Secret of the one-time codes in Base32; undefined without two-factor authentication. */
  readonly oneTimeSecret?: string
}

export interface Repository {
  readonly id: number
  readonly owner: string
  readonly name: string
  readonly private: boolean
  readonly archived: boolean
  readonly description: string
}

export interface AccessToken {
  readonly id: number
  readonly login: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly value: string
}

export const newTokenValue = () => randomBytes(20).toString('hex')

const isSameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** Data of the service in order of creation; names are compared without case. */
class Store {
  readonly accounts: Account[] = []
  readonly repositories: Repository[] = []
  readonly tokens: AccessToken[] = []
  #lastId = 0

  #add<Item extends { readonly id: number }>(items: Item[], item: Omit<Item, 'id'>): Item {
    this.#lastId += 1
    const added = { ...item, id: this.#lastId } as Item
    items.push(added)
    return added
  }

  addAccount(account: Omit<Account, 'id'>): Account {
    return this.#add(this.accounts, account)
  }

  account(login: string): Account | undefined {
    return this.accounts.find((account) => isSameName(account.login, login))
  }

  addRepository(
    repository: Pick<Repository, 'owner' | 'name' | 'description'> & Partial<Repository>,
  ): Repository {
    return this.#add(this.repositories, { private: false, archived: false, ...repository })
  }

  repository(owner: string, name: string): Repository | undefined {
    return this.repositoriesOf(owner).find((repository) => isSameName(repository.name, name))
  }

  repositoriesOf(login: string): readonly Repository[] {
    return this.repositories.filter(({ owner }) => isSameName(owner, login))
  }

  addToken(token: Omit<AccessToken, 'id' | 'value'> & { value?: string }): AccessToken {
    return this.#add(this.tokens, { value: newTokenValue(), ...token })
  }

  tokensOf(login: string): readonly AccessToken[] {
    return this.tokens.filter((token) => token.login === login)
  }
}

export type CodeHostingServer = ServerAddress & {
  readonly settings: ServerSettings
  readonly store: Store
}

type TokenEndpoint = 'create-token' | 'list-tokens' | 'delete-token'
type RepositoryEndpoint = 'repository' | `${'create' | 'change' | 'star'}-repository`
type ReadEndpoint = 'user' | 'user-repositories' | 'settings' | 'documentation'
type CategoryEndpoint = 'activity' | 'issues' | 'notifications' | 'organization' | 'packages'
type ContentEndpoint = 'hooks' | 'git-tree' | 'git-blob' | 'files'

/** Endpoints whose path and response the document does not show. */
export type FurtherEndpoint = CategoryEndpoint | ContentEndpoint | 'admin' | 'version'

/** `unknown` is every path and method without an endpoint. */
export type DocumentedEndpoint = TokenEndpoint | RepositoryEndpoint | ReadEndpoint | 'unknown'
export type Endpoint = DocumentedEndpoint | FurtherEndpoint

/** Credentials of a request. `legacy` is the `token` prefix, `unusable` an unknown or malformed `Authorization` field. */
export type PresentedCredentials =
  | { readonly scheme: 'none' | 'unusable' }
  | { readonly scheme: 'bearer' | 'legacy' | 'query'; readonly token: string }
  | { readonly scheme: 'basic'; readonly username: string; readonly password: string }

export interface Caller {
  readonly account: Account
  /** Account that authenticated; under sudo not the same as `account`. */
  readonly actor: Account
  /** Scopes of the token; undefined for a password, which has no restrictions. */
  readonly scopes: readonly string[] | undefined
}

/** Position of a page in a list; pages count from 1. */
export interface Paging {
  readonly page: number
  readonly limit: number
  readonly total: number
  /** At least 1, also for an empty list. */
  readonly lastPage: number
}

export interface RequestContext extends EndpointContext<Endpoint, CodeHostingServer> {
  credentials?: PresentedCredentials
  caller?: Caller
  paging?: Paging
}

/** Numbers of repositories by owner. */
type Population = Readonly<
  Record<'mainRepositories' | 'otherRepositories' | 'adminRepositories', number>
>

/** Returns the numbers of repositories; the main account fills more than two pages of any size. */
export function defaultPopulation({ maxResponseItems }: ServerSettings): Population {
  const mainRepositories = 2 * maxResponseItems + 7
  return { mainRepositories, otherRepositories: 3, adminRepositories: 0 }
}

export interface Configuration {
  readonly settings?: Partial<ServerSettings>
  readonly population?: Partial<Population>
  /** Logins of site administrators in addition to the default one. */
  readonly siteAdmins?: readonly string[]
}

export const logins = { main: 'maria', other: 'oscar', twoFactor: 'tess', siteAdmin: 'ada' }

const publicName = 'lighthouse'
const privateName = 'diary'
const archivedName = 'attic'
const otherPrivateName = 'logbook'

const numbered = (count: number, nameOf: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => nameOf(index))

/** Returns the names of repositories; the private and archived ones are on inner pages if there are several. */
function repositoryNames(count: number): string[] {
  const names = numbered(count, (index) =>
    index === 0 ? publicName : `chart-${String(index).padStart(3, '0')}`,
  )
  if (count >= 2) names[Math.floor(count / 2)] = privateName
  if (count >= 3) names[Math.floor((2 * count) / 3)] = archivedName
  if (count >= 8) names[Math.floor((3 * count) / 4)] = otherPrivateName
  return names
}

export function populate(population: Population, siteAdmins: readonly string[] = []): Store {
  const { mainRepositories, otherRepositories, adminRepositories } = population
  const store = new Store()
  for (const login of Object.values(logins)) {
    const password = randomBytes(18).toString('base64url')
    const oneTimeSecret = login === logins.twoFactor ? new Secret({ size: 20 }).base32 : undefined
    const siteAdmin = [logins.siteAdmin, ...siteAdmins].includes(login)
    store.addAccount({ login, password, siteAdmin, oneTimeSecret })
  }
  const owned: readonly (readonly [owner: string, names: readonly string[]])[] = [
    [logins.main, repositoryNames(mainRepositories)],
    [logins.other, numbered(otherRepositories, (index) => `compass-${index + 1}`)],
    [logins.siteAdmin, numbered(adminRepositories, (index) => `engine-${index + 1}`)],
  ]
  for (const [owner, names] of owned) {
    for (const name of names) {
      const description = `Repository ${name} of ${owner}`
      const isPrivate = name === privateName || name === otherPrivateName
      const state = { private: isPrivate, archived: name === archivedName }
      store.addRepository({ owner, name, description, ...state })
    }
  }
  return store
}

function settingsEnvironment(settings: ServerSettings): Environment {
  const changed = Object.entries(settings).filter(
    ([key, value]) => value !== defaultSettings[key as keyof ServerSettings],
  )
  const variable = (key: string) => `CODE_HOSTING_${key.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`
  return Object.fromEntries(changed.map(([key, value]) => [variable(key), String(value)]))
}

const prefixes: Readonly<Record<string, string>> = {
  [logins.main]: 'CODE_HOSTING_',
  [logins.other]: 'CODE_HOSTING_OTHER_',
  [logins.twoFactor]: 'CODE_HOSTING_OTP_',
  [logins.siteAdmin]: 'CODE_HOSTING_ADMIN_',
}

function accountVariables({ login, password, oneTimeSecret }: Account): Environment {
  const prefix = prefixes[login]
  return {
    [`${prefix}USERNAME`]: login,
    [`${prefix}PASSWORD`]: password,
    ...(oneTimeSecret && { [`${prefix}SECRET`]: oneTimeSecret }),
  }
}

function repositoryVariables({ store }: CodeHostingServer): Environment {
  const owned = store.repositoriesOf(logins.main)
  const open = owned.find((repository) => !repository.private && !repository.archived)
  const hidden = owned.find((repository) => repository.private)
  const archived = owned.find((repository) => repository.archived)
  const fullName = ({ owner, name }: Repository) => `${owner}/${name}`
  const change = '{"description":"Changed although archived"}'
  return {
    ...(open && {
      CODE_HOSTING_PUBLIC_REPOSITORY: fullName(open),
      CODE_HOSTING_CONFLICT: `POST /api/v1/user/repos ${JSON.stringify({ name: open.name })}`,
      CODE_HOSTING_NO_CONTENT: `PUT /api/v1/user/starred/${fullName(open)}`,
      CODE_HOSTING_READ_REPOSITORY: `GET /api/v1/repos/${fullName(open)}/hooks`,
      CODE_HOSTING_LARGE_TREE: `GET /api/v1/repos/${fullName(open)}/git/trees/main?per_page=1000000`,
      CODE_HOSTING_LARGE_BLOB: `GET /api/v1/repos/${fullName(open)}/git/blobs/1f2e`,
      CODE_HOSTING_LARGE_FILES: `GET /api/v1/repos/${fullName(open)}/files`,
    }),
    ...(hidden && { CODE_HOSTING_PRIVATE_REPOSITORY: fullName(hidden) }),
    ...(archived && {
      CODE_HOSTING_ARCHIVED_CHANGE: `PATCH /api/v1/repos/${fullName(archived)} ${change}`,
    }),
  }
}

/** Requests in the other scope categories; a run needs seven more tokens for them. */
export const categoryRequests = {
  CODE_HOSTING_READ_ACTIVITYPUB: 'GET /api/v1/activitypub/user-id/1',
  CODE_HOSTING_READ_ISSUE: `GET /api/v1/repos/${logins.main}/${publicName}/issues`,
  CODE_HOSTING_READ_NOTIFICATION: 'GET /api/v1/notifications',
  CODE_HOSTING_READ_ORGANIZATION: 'GET /api/v1/orgs/harbor',
  CODE_HOSTING_READ_PACKAGE: `GET /api/v1/packages/${logins.main}`,
}

/** Returns the `CODE_HOSTING_*` variables that make every requirement testable, without `categoryRequests`. */
export function environmentOf(server: CodeHostingServer): Environment {
  return {
    CODE_HOSTING_BASE_URL: server.baseUrl,
    ...Object.assign({}, ...server.store.accounts.map(accountVariables)),
    ...repositoryVariables(server),
    CODE_HOSTING_READ_ADMIN: 'GET /api/v1/admin/cron',
    CODE_HOSTING_TOKEN_LIST: `GET /api/v1/users/${logins.main}/tokens?limit=25`,
    CODE_HOSTING_RELEASE: 'GET /api/v1/version',
    ...settingsEnvironment(server.settings),
    CODE_HOSTING_TOKEN_DELETE_PATH: '/api/v1/users/{username}/tokens/{name}',
  }
}
