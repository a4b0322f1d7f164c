import { type ScopeCategory, type TokenScope, UNRELATED_SCOPE } from '../tokens/scopes.ts'

/** The private repository belongs to the main account; the other account cannot see it. */
export type Account = 'main' | 'other' | 'admin'

export type Resource =
  | 'user'
  | 'repositories'
  | 'public repository'
  | 'private repository'
  | 'private repository in other letters'
  | 'missing repository'
  | 'missing repository with a long name'
  | 'repository of a missing owner'
  | 'settings'
  | 'tokens of the main account'
  | 'tokens of the other account'
  | 'archived change'
  | 'conflicting change'
  | 'no-content change'

/** The scheme of the credentials, in this letter case. With `password` and `username`, a token is that part of basic authentication. */
export type SentAs =
  | 'any valid'
  | 'Basic'
  | 'password'
  | 'username'
  | '?token='
  | '?access_token='
  | 'Bearer'
  | 'bearer'
  | 'BEARER'
  | 'bEaReR'
  | 'token'
  | 'Token'
  | 'TOKEN'
  | 'tOkEn'

/** The reason why credentials are invalid. With `nothing`, the scheme or parameter has no value. */
export type CredentialProblem =
  | 'nothing'
  | 'without a colon'
  | 'unknown scheme'
  | 'unknown user'
  | 'empty'
  | 'invented'
  | 'invented and short'
  | 'deleted'
  | 'of another account'
  | 'other start'
  | 'other end'
  | 'other case'
  | 'longer'
  | 'longer by a colon'
  | 'longer by a space'
  | 'shorter'
  | 'last eight'

/** A request, described by its factors. */
export interface Case {
  resource: Resource
  actor: Account | 'anonymous'
  sentAs: SentAs
  scopes: readonly TokenScope[]
  problem?: CredentialProblem | undefined
  sudo?: { as: Account | 'unknown'; in: 'header' | 'query' } | undefined
  /** True if the request has `Origin` and accepts gzip, as requests of a web page on the server do. */
  isOfBrowser?: true
  /** True if the token precedes the other parameters of the query. A request without parameters has one more. */
  isTokenFirst?: boolean
  /** True if the request has the header fields with which a proxy names the user. */
  isProxied?: true
  /** The request before it at the same URL; both are sent again, one right after the other. */
  after?: Case | undefined
}

export const isCreation = ({ resource }: Case) => resource.startsWith('tokens')
/** Returns true for a change that the operator supplies. Its documented status shows that it was permitted. */
export const isChange = ({ resource }: Case) => resource.endsWith(' change')
export const isRepository = (resource: Resource) => resource.includes('repository')
export const isQuery = ({ sentAs }: Case) => sentAs.startsWith('?')
export const isLegacy = ({ sentAs }: Case) => sentAs.toLowerCase() === 'token'
export const isBasic = ({ sentAs }: Case) => sentAs === 'Basic'
/** Returns true if a token is sent in basic authentication. */
export const isInBasic = ({ sentAs }: Case) => sentAs === 'password' || sentAs === 'username'
/** Returns true if a request may have a token. */
export const sendsToken = ({ actor, sentAs }: Case) => actor !== 'anonymous' && sentAs !== 'Basic'
export const isUnusable = ({ problem }: Case) =>
  problem === 'nothing' || problem === 'unknown scheme' || problem === 'without a colon'
export const isWrong = (one: Case) => one.problem !== undefined && !isUnusable(one)
export const isPublicOnly = ({ scopes }: Case) => scopes.includes('public-only')

/** Returns the user with whose rights a request succeeds. */
export const userOf = ({ actor, sudo }: Case) => (actor === 'admin' && sudo ? sudo.as : actor)
export const isPrivate = ({ resource }: Pick<Case, 'resource'>) => resource.startsWith('private')
export const isHidden = (one: Case) => isPrivate(one) && userOf(one) !== 'main'

/** Returns the scope categories of a resource. The document does not say which of two covers the list. */
export function categoriesOf(resource: Resource): readonly ScopeCategory[] {
  if (resource === 'user') return ['user']
  if (resource === 'repositories') return ['user', 'repository']
  return isRepository(resource) || resource.endsWith(' change') ? ['repository'] : []
}

export function grantedOf(one: Case): readonly ScopeCategory[] {
  const { resource, scopes } = one
  // A supplied change may need the scope of another category than that of its repository.
  const covers = (category: string) => (scope: TokenScope) =>
    scope === 'all' || (!isChange(one) && scope.endsWith(`:${category}`))
  return categoriesOf(resource).filter((category) => scopes.some(covers(category)))
}

/** Returns the kind of the scopes of a token that lacks the one it needs; undefined if it has one. */
export function lackedBy(one: Case): 'write' | 'public-only' | 'unrelated' | 'other' | undefined {
  const { resource, scopes, sudo } = one
  if (categoriesOf(resource).length === 0 || grantedOf(one).length > 0) return undefined
  if (isChange(one)) return 'write'
  if (isPublicOnly(one)) return 'public-only'
  return sudo || scopes.every((scope) => scope === UNRELATED_SCOPE) ? 'unrelated' : 'other'
}

/** Returns true for a request whose token lacks a scope, so that the message of the response names scopes. */
export const isLacking = (one: Case) => one.sudo?.as !== 'unknown' && lackedBy(one) !== undefined
