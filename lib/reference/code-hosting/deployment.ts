import { randomBytes } from 'node:crypto'
import type { Place } from '../service.ts'

/** Server settings that the document names, with sizes in bytes and page sizes in items. */
export interface Settings {
  readonly maxResponseItems: number
  readonly defaultPagingNum: number
  readonly defaultGitTreesPerPage: number
  readonly defaultMaxBlobSize: number
  readonly defaultMaxResponseSize: number
  readonly allowLegacyTokenScheme: boolean
  readonly disableQueryAuthToken: boolean
}

/** A server whose configuration nobody touched (document: Limits, Authentication). */
export const defaultSettings: Settings = {
  maxResponseItems: 25,
  defaultPagingNum: 20,
  defaultGitTreesPerPage: 1000,
  defaultMaxBlobSize: 10_485_760,
  defaultMaxResponseSize: 104_857_600,
  allowLegacyTokenScheme: true,
  disableQueryAuthToken: false,
}

/** A user of the service. */
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
  /** Login of the account that owns it. */
  readonly owner: string
  readonly name: string
  readonly private: boolean
  readonly archived: boolean
  description: string
}

export interface AccessToken {
  readonly id: number
  /** Login of the account that it authenticates. */
  readonly login: string
  readonly name: string
  readonly scopes: readonly string[]
  /** 40 hexadecimal digits. */
  readonly value: string
}

function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** Everything that the service remembers. Logins and repository names are compared without case. */
export class Store {
  readonly accounts: Account[] = []
  readonly repositories: Repository[] = []
  readonly #tokens = new Map<string, AccessToken>()
  #lastId = 0

  addAccount(account: Omit<Account, 'id' | 'usedOneTimeCodes'>): Account {
    const added = { ...account, id: this.#nextId(), usedOneTimeCodes: new Set<string>() }
    this.accounts.push(added)
    return added
  }

  account(login: string): Account | undefined {
    return this.accounts.find((account) => sameName(account.login, login))
  }

  addRepository(repository: Omit<Repository, 'id'>): Repository {
    const added = { ...repository, id: this.#nextId() }
    this.repositories.push(added)
    return added
  }

  repository(owner: string, name: string): Repository | undefined {
    return this.repositories.find(
      (repository) => sameName(repository.owner, owner) && sameName(repository.name, name),
    )
  }

  /** In the order in which they were created. */
  repositoriesOf(login: string): readonly Repository[] {
    return this.repositories.filter((repository) => sameName(repository.owner, login))
  }

  addToken(token: Omit<AccessToken, 'id'>): AccessToken {
    const added = { ...token, id: this.#nextId() }
    this.#tokens.set(added.value, added)
    return added
  }

  token(value: string): AccessToken | undefined {
    return this.#tokens.get(value)
  }

  /** In the order in which they were created. */
  tokens(): readonly AccessToken[] {
    return [...this.#tokens.values()]
  }

  deleteToken(token: AccessToken): void {
    this.#tokens.delete(token.value)
  }

  #nextId(): number {
    this.#lastId += 1
    return this.#lastId
  }
}

/** One running code hosting service. */
export interface Deployment extends Place {
  readonly settings: Settings
  readonly store: Store
}

/** 40 hexadecimal digits that nobody can guess. */
export function newTokenValue(): string {
  return randomBytes(20).toString('hex')
}

/** Adds a token without any check, as an operator does before a run. */
export function issueToken(
  deployment: Deployment,
  token: { login: string; name: string; scopes: readonly string[] },
): AccessToken {
  return deployment.store.addToken({ ...token, value: newTokenValue() })
}
