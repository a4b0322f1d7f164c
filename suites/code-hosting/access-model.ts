import type { RequirementId } from './requirements.ts'
import { type ScopeCategory, type TokenScope, UNRELATED_SCOPE } from './support/scopes.ts'
import type { CodeHostingSettings } from './variables.ts'

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

export interface Cell {
  resource: Resource
  actor: Account | 'anonymous'
  sentAs: SentAs
  scopes: readonly TokenScope[]
  problem?: CredentialProblem | undefined
  sudo?: { as: Account | 'unknown'; in: 'header' | 'query' } | undefined
}

interface Reason {
  requirement: RequirementId
  statuses?: readonly number[]
  message?: string
  /** Set if a server may ignore the part, so that the request succeeds as the actor. */
  mayBeIgnored?: true
  control: Partial<Cell>
  /** Changes for a request that has the same status if another requirement fails. */
  explainedBy?: Partial<Cell>
}

export interface Access {
  requirement: RequirementId
  /** User with whose rights the request may succeed. */
  as?: Account
  /** Status codes of the rejection; `any` if undocumented. */
  rejected?: readonly number[] | 'any'
  message?: string
  /** Request that succeeds, with the fewest changes. */
  control?: Cell
  /** Request of another requirement, which fails if the status is the same. */
  explainedBy?: Cell
}

type Settings = Pick<CodeHostingSettings, 'allowLegacyTokenScheme' | 'disableQueryAuthToken'>

const INVALID = 'invalid username, password or token'
const LEGACY_DISABLED =
  "the 'token' authorization scheme is disabled; use 'Authorization: Bearer <token>'"

const isCreation = (resource: Resource) => resource.startsWith('tokens')
const isRepository = (resource: Resource) => resource.includes('repository')
const isQuery = (sentAs: SentAs) => sentAs.startsWith('?')
const isLegacy = (sentAs: SentAs) => sentAs.toLowerCase() === 'token'
const sendsToken = ({ actor, sentAs }: Cell) =>
  actor !== 'anonymous' && sentAs !== 'Basic' && sentAs !== 'any valid'

/** Returns the scope categories of a resource. The document does not say which of two covers the list. */
export function categoriesOf(resource: Resource): readonly ScopeCategory[] {
  if (resource === 'user') return ['user']
  if (resource === 'repositories') return ['user', 'repository']
  return isRepository(resource) ? ['repository'] : []
}

function grantedOf({ resource, scopes }: Cell): readonly ScopeCategory[] {
  const covers = (category: string) => (scope: TokenScope) =>
    scope === 'all' || scope.endsWith(`:${category}`)
  return categoriesOf(resource).filter((category) => scopes.some(covers(category)))
}

const userOf = ({ actor, sudo }: Cell) => (actor === 'admin' && sudo ? sudo.as : actor)

const actingAs = ({ sudo }: Cell): RequirementId =>
  `code-hosting/authentication/sudo-${sudo?.in === 'query' ? 'query' : 'header'}`

/** Returns all reasons to reject a request. The document does not say which of several comes first. */
function reasonsToReject(cell: Cell, settings: Settings): Reason[] {
  const { resource, actor, sentAs, scopes, problem, sudo } = cell
  const isAnonymous = actor === 'anonymous'
  const isActing = actor === 'admin' && sudo !== undefined
  const asMainUser: Partial<Cell> = { sudo: sudo && { ...sudo, as: 'main' } }
  const isBasic = !isAnonymous && sentAs === 'Basic'
  const isToken = sendsToken(cell)
  const isWrong =
    problem !== undefined && !['nothing', 'unknown scheme', 'unknown user'].includes(problem)
  const isMissing =
    resource === 'missing repository' || resource === 'repository of a missing owner'
  const isHidden = resource === 'private repository' && userOf(cell) !== 'main'
  const lacksScope =
    isToken && !problem && categoriesOf(resource).length > 0 && grantedOf(cell).length === 0
  const isPublicOnly = isToken && scopes.includes('public-only')
  const isOnlyPublic = isPublicOnly && scopes.length === 1
  const isUnrelated = scopes.every((scope) => scope === UNRELATED_SCOPE) || sudo !== undefined
  const asMain = { actor: 'main', sentAs: isCreation(resource) ? 'Basic' : 'any valid' } as const

  const reasons: (Reason & { applies: boolean })[] = [
    // Sending a token: Sudo is for site admins, and token creation for the user's name and password.
    {
      applies: sudo !== undefined && actor !== 'admin',
      requirement: 'code-hosting/authentication/sudo-admin-only',
      mayBeIgnored: true,
      control: { sudo: undefined },
    },
    {
      applies: isCreation(resource) && isToken,
      requirement: 'code-hosting/tokens/basic-only',
      control: { sentAs: 'Basic' },
      ...(sentAs === 'password' && { explainedBy: { sentAs: 'Basic', problem: 'shorter' } }),
    },
    {
      applies: isCreation(resource) && isBasic && resource !== `tokens of the ${actor} account`,
      requirement: 'code-hosting/tokens/own-credentials',
      control: { resource: `tokens of the ${actor === 'main' ? 'main' : 'other'} account` },
    },

    // Endpoints; Errors, 404: what does not exist, and what the caller cannot see.
    {
      applies: isHidden,
      requirement: isActing ? actingAs(cell) : 'code-hosting/errors/hidden-repository',
      statuses: [404],
      control: isActing ? asMainUser : { resource: 'public repository' },
      ...(isActing && { explainedBy: { actor: 'other', sudo: undefined } }),
    },
    {
      applies: isMissing,
      requirement: 'code-hosting/errors/missing-repository',
      statuses: [404],
      control: { resource: 'public repository' },
    },

    // Sending a token; Errors, 401: credentials that are missing, disabled or invalid.
    {
      applies: isAnonymous,
      requirement: 'code-hosting/authentication/missing-credentials',
      statuses: [401],
      ...(!isCreation(resource) && { message: 'token is required' }),
      control: asMain,
    },
    {
      applies: isToken && isLegacy(sentAs) && !settings.allowLegacyTokenScheme,
      requirement: 'code-hosting/authentication/legacy-disabled',
      statuses: [401],
      message: LEGACY_DISABLED,
      control: { sentAs: 'Bearer' },
    },
    {
      applies: isToken && isQuery(sentAs) && settings.disableQueryAuthToken,
      requirement: 'code-hosting/authentication/query-disabled',
      control: { sentAs: 'Bearer' },
      // The server may ignore the token, and an open endpoint then succeeds.
      explainedBy: { actor: 'anonymous' },
    },
    {
      applies: problem === 'nothing' || problem === 'unknown scheme',
      requirement: 'code-hosting/authentication/unusable-credentials',
      statuses: [401],
      control: { problem: undefined },
      explainedBy: { actor: 'anonymous', problem: undefined },
    },
    {
      applies: problem === 'unknown user',
      requirement: 'code-hosting/authentication/unknown-username',
      statuses: [401],
      control: { problem: undefined },
    },
    {
      applies: isBasic && isWrong,
      requirement: 'code-hosting/authentication/wrong-password',
      statuses: [401],
      // The server may call an empty password missing.
      ...(problem !== 'empty' && { message: INVALID }),
      control: { problem: undefined },
    },
    {
      applies: isToken && isWrong,
      requirement: 'code-hosting/authentication/unknown-token',
      statuses: [401],
      message: INVALID,
      control: { problem: undefined },
    },
    // Sudo with an unknown user.
    {
      applies: isActing && sudo.as === 'unknown',
      requirement: actingAs(cell),
      control: asMainUser,
    },

    // Scopes; Errors, 403: a token that lacks a scope.
    {
      applies: lacksScope && isOnlyPublic,
      requirement: 'code-hosting/scopes/public-only-grants-nothing',
      // The next requirement states the status for the other resources.
      ...(resource === 'user' && { statuses: [403] }),
      control: { scopes: ['all'] },
    },
    {
      applies: lacksScope && !isOnlyPublic && isUnrelated,
      requirement: 'code-hosting/scopes/missing-scope-status',
      statuses: [403],
      control: { scopes: ['all'] },
      ...(sudo && { explainedBy: { sudo: undefined } }),
    },
    {
      applies: lacksScope && !isOnlyPublic && !isUnrelated,
      requirement: 'code-hosting/scopes/categories-separate',
      control: { scopes: ['all'] },
    },
    {
      applies: isPublicOnly && !lacksScope && resource === 'private repository',
      requirement: 'code-hosting/scopes/public-only-hides-private',
      statuses: [403, 404],
      control: { scopes: scopes.filter((scope) => scope !== 'public-only') },
    },
  ]
  return reasons.filter(({ applies }) => applies)
}

function isUnstated(cell: Cell): boolean {
  const { resource, actor, sentAs, scopes, problem, sudo } = cell
  if (resource === 'settings') return problem !== undefined || sudo !== undefined || isQuery(sentAs)
  // A server may accept a token as a password if its scopes let it create tokens.
  if (sentAs === 'password') return !isCreation(resource) || scopes.join() !== UNRELATED_SCOPE
  if (isCreation(resource)) return sudo !== undefined || actor === 'admin'
  if (sudo !== undefined && actor !== 'admin' && resource === 'public repository') return true
  if (resource === 'private repository' && userOf(cell) === 'admin') return true
  if (!sendsToken(cell)) return false
  if (scopes.length > 1 && scopes.includes('public-only')) {
    return !['repositories', 'public repository', 'private repository'].includes(resource)
  }
  const granted = grantedOf(cell).length
  return granted > 0 && granted < categoriesOf(resource).length
}

function servedBy(cell: Cell): RequirementId {
  const { resource, sentAs, scopes, sudo } = cell
  if (resource === 'settings') return 'code-hosting/settings/readable-by-any-client'
  if (sudo) return actingAs(cell)
  if (sentAs === 'Basic') return 'code-hosting/authentication/basic'
  if (sentAs === '?token=') return 'code-hosting/authentication/query-token'
  if (sentAs === '?access_token=') return 'code-hosting/authentication/query-access-token'
  if (sentAs === 'token') return 'code-hosting/authentication/legacy-accepted'
  if (isLegacy(sentAs)) return 'code-hosting/authentication/legacy-case-insensitive'
  if (sentAs !== 'Bearer') return 'code-hosting/authentication/bearer-case-insensitive'
  if (scopes.includes('public-only')) return 'code-hosting/scopes/public-only-shows-public'
  if (scopes.includes('all')) return 'code-hosting/authentication/bearer'
  const writes = scopes.some((scope) => scope.startsWith('write:'))
  return writes ? 'code-hosting/scopes/write-includes-read' : 'code-hosting/scopes/read-suffices'
}

/** Returns the access that the document states; `undefined` if it states none. */
export function expectedAccess(cell: Cell, settings: Settings): Access | undefined {
  if (isUnstated(cell)) return undefined
  const { resource, actor, sentAs, scopes, sudo } = cell
  const user = userOf(cell)
  const as = user === 'anonymous' || user === 'unknown' ? undefined : user
  const reasons = resource === 'settings' ? [] : reasonsToReject(cell, settings)
  const [first] = reasons
  if (first === undefined) {
    const served = { requirement: servedBy(cell), ...(as && { as }) }
    if (resource === 'settings' || (sentAs === 'Basic' && !sudo)) return served
    if (sudo) {
      const readable = isRepository(resource) ? 'public repository' : 'user'
      return { ...served, control: { ...cell, resource: readable, sudo: undefined } }
    }
    const restricted = scopes.includes('public-only') && scopes.length > 1
    const others = restricted ? scopes.filter((scope) => scope !== 'public-only') : ['all' as const]
    const scheme = isLegacy(sentAs) && sentAs !== 'token' ? 'token' : 'Bearer'
    return { ...served, control: { ...cell, sentAs: scheme, scopes: others } }
  }
  const statuses = reasons.map((reason) => reason.statuses)
  const isAny = statuses.includes(undefined)
  const explainedBy = reasons.length > 1 ? first.control : first.explainedBy
  return {
    requirement: first.requirement,
    rejected: isAny ? 'any' : [...new Set(statuses.flatMap((codes) => codes ?? []))].sort(),
    ...(reasons.length === 1 && first.message && { message: first.message }),
    ...(reasons.every(({ mayBeIgnored }) => mayBeIgnored) &&
      actor !== 'anonymous' && { as: actor }),
    control: Object.assign({}, cell, ...reasons.map(({ control }) => control)),
    ...(explainedBy && { explainedBy: { ...cell, ...explainedBy } }),
  }
}
