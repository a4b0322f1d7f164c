import { randomBytes } from 'node:crypto'
import type { EndpointContext } from '../endpoints.ts'
import type { Place } from '../service.ts'

/** The documented settings of a server that nobody configured: sizes in bytes, pages in items. */
export const defaultSettings = {
  maxResponseItems: 25,
  defaultPagingNum: 20,
  defaultGitTreesPerPage: 1000,
  defaultMaxBlobSize: 10_485_760,
  defaultMaxResponseSize: 104_857_600,
  allowLegacyTokenScheme: true,
  disableQueryAuthToken: false,
}

export type Settings = Readonly<typeof defaultSettings>

export interface Account {
  readonly id: number
  readonly login: string
  readonly password: string
  readonly siteAdmin: boolean
  /** Base32 secret of the one-time codes, on an account with two-factor authentication. */
  readonly oneTimeSecret?: string
  /** One-time codes that were accepted before. */
  readonly usedOneTimeCodes: Set<string>
}

export interface Repository {
  readonly id: number
  readonly owner: string
  readonly name: string
  readonly private: boolean
  readonly archived: boolean
  description: string
}

export interface AccessToken {
  readonly id: number
  readonly login: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly value: string
}

/** 40 hexadecimal digits that nobody can guess. */
export const newTokenValue = () => randomBytes(20).toString('hex')

const isSameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** All that the service remembers, in order of making; names are compared without case. */
export class Store {
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

  addAccount(account: Omit<Account, 'id' | 'usedOneTimeCodes'>): Account {
    return this.#add(this.accounts, { ...account, usedOneTimeCodes: new Set<string>() })
  }

  account(login: string): Account | undefined {
    return this.accounts.find((account) => isSameName(account.login, login))
  }

  /** One that is open to changes and readers, unless something else is said. */
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

export type Deployment = Place & { readonly settings: Settings; readonly store: Store }

type TokenEndpoint = 'create-token' | 'list-tokens' | 'delete-token'
type RepositoryEndpoint = 'repository' | `${'create' | 'change' | 'star'}-repository`
type ReadEndpoint = 'user' | 'user-repositories' | 'settings' | 'documentation'

/** `unknown` stands for every path and method without an endpoint. */
export type Endpoint = TokenEndpoint | RepositoryEndpoint | ReadEndpoint | 'unknown'

/** What the request presents. `legacy` is the `token` prefix, `unusable` a header of no known form. */
export type Credentials =
  | { readonly scheme: 'none' | 'unusable' }
  | { readonly scheme: 'bearer' | 'legacy' | 'query'; readonly token: string }
  | { readonly scheme: 'basic'; readonly username: string; readonly password: string }

export interface Caller {
  /** The account as which the request is performed. */
  readonly account: Account
  /** The account that authenticated: another one under sudo. */
  readonly actor: Account
  /** Scopes of the token; `undefined` with a password, which nothing restricts. */
  readonly scopes: readonly string[] | undefined
}

/** Where in a list a response stands. Pages count from 1. */
export interface Paging {
  readonly page: number
  readonly limit: number
  /** Items over all pages. */
  readonly total: number
  /** At least 1, also for an empty list. */
  readonly lastPage: number
}

/** What is known about the request in hand; the last three are set as soon as they are known. */
export interface RequestContext extends EndpointContext<Endpoint, Deployment> {
  credentials?: Credentials
  caller?: Caller
  paging?: Paging
}
