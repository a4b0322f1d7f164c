import type { Account, Deployment } from './deployment.ts'

/** `unknown` stands for every path and method without an endpoint. */
export type Endpoint =
  | 'create-token'
  | 'list-tokens'
  | 'delete-token'
  | 'user'
  | 'user-repositories'
  | 'create-repository'
  | 'repository'
  | 'change-repository'
  | 'star-repository'
  | 'settings'
  | 'documentation'
  | 'unknown'

/** `legacy` is the `token` prefix of the `Authorization` header. */
export type Scheme = 'bearer' | 'legacy' | 'basic'

/** What the request presents. `unusable` is an `Authorization` header of no known form. */
export type Credentials =
  | { readonly scheme: 'none' | 'unusable' }
  | { readonly scheme: 'bearer' | 'legacy' | 'query'; readonly token: string }
  | { readonly scheme: 'basic'; readonly username: string; readonly password: string }

/** Whom a request is made by. */
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
export interface RequestContext {
  readonly deployment: Deployment
  readonly endpoint: Endpoint
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  /** Values of the path's variables, decoded. */
  readonly parameters: Readonly<Record<string, string>>
  credentials?: Credentials
  caller?: Caller
  paging?: Paging
}
