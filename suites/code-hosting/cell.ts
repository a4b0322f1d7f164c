import { type ScopeCategory, type TokenScope, UNRELATED_SCOPE } from './support/scopes.ts'

/** The private repository belongs to the main account; the other account cannot see it. */
export type Account = 'main' | 'other' | 'admin'

export type Resource =
  | 'user'
  | 'repositories'
  | 'public repository'
  | 'private repository'
  | 'missing repository'
  | 'repository of a missing owner'
  | 'settings'
  | 'tokens of the main account'
  | 'tokens of the other account'

/** The scheme of the credentials, in this letter case; `password` is a token that is sent as a password. */
export type SentAs =
  | 'any valid'
  | 'Basic'
  | 'password'
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
  | 'unknown scheme'
  | 'unknown user'
  | 'empty'
  | 'invented'
  | 'deleted'
  | 'of another account'
  | 'other start'
  | 'other end'
  | 'other case'
  | 'longer'
  | 'shorter'

/** A request of the access table. */
export interface Cell {
  resource: Resource
  actor: Account | 'anonymous'
  sentAs: SentAs
  scopes: readonly TokenScope[]
  problem?: CredentialProblem | undefined
  sudo?: { as: Account | 'unknown'; in: 'header' | 'query' } | undefined
}

export const isCreation = ({ resource }: Cell) => resource.startsWith('tokens')
export const isRepository = (resource: Resource) => resource.includes('repository')
export const isQuery = ({ sentAs }: Cell) => sentAs.startsWith('?')
export const isLegacy = ({ sentAs }: Cell) => sentAs.toLowerCase() === 'token'
export const isBasic = ({ actor, sentAs }: Cell) => actor !== 'anonymous' && sentAs === 'Basic'
export const sendsToken = ({ actor, sentAs }: Cell) =>
  actor !== 'anonymous' && sentAs !== 'Basic' && sentAs !== 'any valid'
export const isUnusable = ({ problem }: Cell) =>
  problem === 'nothing' || problem === 'unknown scheme'
export const isWrong = (cell: Cell) =>
  cell.problem !== undefined && cell.problem !== 'unknown user' && !isUnusable(cell)
export const isPublicOnly = (cell: Cell) => sendsToken(cell) && cell.scopes.includes('public-only')

/** Returns the user with whose rights a request succeeds. */
export const userOf = ({ actor, sudo }: Cell) => (actor === 'admin' && sudo ? sudo.as : actor)
export const isHidden = (cell: Cell) =>
  cell.resource === 'private repository' && userOf(cell) !== 'main'

/** Returns the scope categories of a resource. The document does not say which of two covers the list. */
export function categoriesOf(resource: Resource): readonly ScopeCategory[] {
  if (resource === 'user') return ['user']
  if (resource === 'repositories') return ['user', 'repository']
  return isRepository(resource) ? ['repository'] : []
}

export function grantedOf({ resource, scopes }: Cell): readonly ScopeCategory[] {
  const covers = (category: string) => (scope: TokenScope) =>
    scope === 'all' || scope.endsWith(`:${category}`)
  return categoriesOf(resource).filter((category) => scopes.some(covers(category)))
}

/** Returns the kind of the scopes of a token that lacks the one it needs; undefined if it has one. */
export function lackedBy(cell: Cell): 'public-only' | 'unrelated' | 'other' | undefined {
  const { resource, scopes, problem, sudo } = cell
  const needsScope = sendsToken(cell) && !problem && categoriesOf(resource).length > 0
  if (!needsScope || grantedOf(cell).length > 0) return undefined
  if (scopes.join() === 'public-only') return 'public-only'
  return sudo || scopes.every((scope) => scope === UNRELATED_SCOPE) ? 'unrelated' : 'other'
}
