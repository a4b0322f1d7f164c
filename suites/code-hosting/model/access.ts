import type { RequirementId } from '../requirements.ts'
import type { TokenScope } from '../tokens/scopes.ts'
import type { CodeHostingSettings } from '../variables.ts'
import {
  type Account,
  type Case,
  categoriesOf,
  grantedOf,
  isBasic,
  isChange,
  isCreation,
  isHidden,
  isInBasic,
  isLegacy,
  isPrivate,
  isPublicOnly,
  isQuery,
  isRepository,
  isUnusable,
  isWrong,
  lackedBy,
  sendsToken,
  userOf,
} from './case.ts'

export interface Access {
  requirement: RequirementId
  /** User with whose rights the request may succeed; for the settings, any client. */
  as?: Account
  /** Status code of the response to a permitted request; 200 by default. */
  status?: number
  /** Status codes of the rejection; `any` if undocumented. */
  rejected?: readonly number[] | 'any'
  /** Texts of the rejection, of which any is right. */
  messages?: readonly string[]
  /** Request that succeeds, with the fewest changes. */
  control?: Case
  /** Requests of other requirements, which fail if the status is the same. */
  explanations?: readonly Case[]
}

type Settings = Pick<CodeHostingSettings, 'allowLegacyTokenScheme' | 'disableQueryAuthToken'>

type OfCase<Value> = Value | ((one: Case) => Value)

/** A reason to reject requests. */
interface Rejection {
  requirement: RequirementId
  applies(one: Case, settings: Settings): boolean
  /** Undefined if the document does not state them. */
  statuses?: OfCase<readonly number[] | undefined>
  messages?: OfCase<readonly string[] | undefined>
  /** Set if a server may ignore the part, so that the request succeeds as the actor. */
  mayBeIgnored?: true
  /** Changes for a request that succeeds. */
  control: OfCase<Partial<Case>>
  /** Changes for a request that has the same status if another requirement fails. */
  explanations?: OfCase<Partial<Case> | undefined>
}

export const INVALID_CREDENTIALS = 'invalid username, password or token'
/** The message for the token scheme where it is disabled. */
export const LEGACY_DISABLED =
  "the 'token' authorization scheme is disabled; use 'Authorization: Bearer <token>'"
const REQUIRED = 'token is required'

/** Who may not see the repository of a change gets 404. */
const unauthorized = (one: Case) => (isChange(one) ? [401, 404] : [401])

/** The control of wrong credentials: the right ones, of which a token is sent as Bearer. */
const rightCredentials = (one: Case): Partial<Case> => ({
  problem: undefined,
  ...(isInBasic(one) && { sentAs: 'Bearer' }),
})

/** The rejections of requests by a site administrator with sudo in one place. */
function sudoRejections(place: 'header' | 'query'): Record<'hidden' | 'unknownUser', Rejection> {
  const requirement = `code-hosting/authentication/sudo-${place}` as const
  const isActing = ({ actor, sudo }: Case) => actor === 'admin' && sudo?.in === place
  const control: Partial<Case> = { sudo: { as: 'main', in: place } }
  return {
    hidden: {
      requirement,
      applies: (one) => isActing(one) && isHidden(one),
      statuses: [404],
      control,
      explanations: { actor: 'other', sudo: undefined },
    },
    unknownUser: {
      requirement,
      applies: (one) => isActing(one) && userOf(one) === 'unknown',
      control,
    },
  }
}

const byHeader = sudoRejections('header')
const byQuery = sudoRejections('query')

/** All reasons to reject a request. The document does not say which of several comes first. */
const rejections: readonly Rejection[] = [
  // Sending a token: Sudo is for site admins, and token creation for the user's name and password.
  {
    requirement: 'code-hosting/authentication/sudo-admin-only',
    applies: ({ actor, sudo }) => sudo !== undefined && actor !== 'admin' && actor !== 'anonymous',
    mayBeIgnored: true,
    control: { sudo: undefined },
  },
  {
    requirement: 'code-hosting/tokens/basic-only',
    applies: (one) => isCreation(one) && sendsToken(one),
    control: { sentAs: 'Basic' },
    // A server may check no password here.
    explanations: { sentAs: 'Basic', problem: 'shorter' },
  },
  {
    requirement: 'code-hosting/tokens/own-credentials',
    applies: (one) =>
      isCreation(one) && isBasic(one) && one.resource !== `tokens of the ${one.actor} account`,
    control: ({ actor }) =>
      actor === 'admin' ? { actor: 'main' } : { resource: 'tokens of the other account' },
  },

  // Endpoints; Errors, 404: what does not exist, and what the caller cannot see.
  {
    requirement: 'code-hosting/errors/hidden-repository',
    applies: (one) => isHidden(one) && !(one.actor === 'admin' && one.sudo),
    statuses: [404],
    control: { resource: 'public repository' },
  },
  byHeader.hidden,
  byQuery.hidden,
  {
    requirement: 'code-hosting/errors/missing-repository',
    applies: ({ resource }) => resource.includes('missing'),
    statuses: [404],
    control: { resource: 'public repository' },
  },

  // Sending a token; Errors, 401: credentials that are missing, disabled or invalid.
  {
    requirement: 'code-hosting/authentication/missing-credentials',
    applies: ({ actor }) => actor === 'anonymous',
    statuses: unauthorized,
    messages: (one) => (isCreation(one) ? undefined : [REQUIRED]),
    control: (one) => ({
      actor: 'main',
      sentAs: isCreation(one) ? 'Basic' : 'any valid',
      sudo: undefined,
      isProxied: undefined,
    }),
    explanations: ({ sudo, isProxied }) =>
      sudo || isProxied ? { sudo: undefined, isProxied: undefined } : undefined,
  },
  {
    requirement: 'code-hosting/authentication/legacy-disabled',
    applies: (one, { allowLegacyTokenScheme }) =>
      sendsToken(one) && isLegacy(one) && !allowLegacyTokenScheme,
    statuses: [401],
    messages: [LEGACY_DISABLED],
    control: { sentAs: 'Bearer' },
  },
  {
    requirement: 'code-hosting/authentication/query-disabled',
    applies: (one, { disableQueryAuthToken }) =>
      sendsToken(one) && isQuery(one) && disableQueryAuthToken,
    control: { sentAs: 'Bearer' },
    // The server may ignore the token, and an open endpoint then succeeds.
    explanations: { actor: 'anonymous' },
  },
  {
    requirement: 'code-hosting/authentication/unusable-credentials',
    applies: isUnusable,
    // A field that cannot be read may be called malformed.
    statuses: ({ problem }) => (problem === 'without a colon' ? [400, 401] : [401]),
    control: { problem: undefined },
    explanations: ({ problem }) =>
      problem === 'without a colon'
        ? { problem: 'unknown user' }
        : { actor: 'anonymous', problem: undefined },
  },
  {
    requirement: 'code-hosting/authentication/unknown-username',
    // A token is not the name of a user.
    applies: (one) =>
      one.problem === 'unknown user' || (one.sentAs === 'username' && !isCreation(one)),
    statuses: [401],
    control: rightCredentials,
  },
  {
    requirement: 'code-hosting/authentication/wrong-password',
    // A token is not the password of another user.
    applies: (one) =>
      (isBasic(one) || isInBasic(one)) && isWrong(one) && one.problem !== 'unknown user',
    // A server may check first who may use Sudo.
    statuses: ({ sudo }) => (sudo ? undefined : [401]),
    // The server may call an empty password missing.
    messages: ({ problem, sudo }) =>
      problem === 'empty' || sudo ? undefined : [INVALID_CREDENTIALS],
    control: rightCredentials,
  },
  {
    requirement: 'code-hosting/authentication/unknown-token',
    applies: (one) => sendsToken(one) && !isInBasic(one) && isWrong(one),
    statuses: unauthorized,
    // A request with a query token has no Authorization header either.
    messages: (one) => (isQuery(one) ? [INVALID_CREDENTIALS, REQUIRED] : [INVALID_CREDENTIALS]),
    control: { problem: undefined },
  },
  byHeader.unknownUser,
  byQuery.unknownUser,

  // Scopes; Errors, 403: a token that lacks a scope.
  {
    requirement: 'code-hosting/scopes/changes-need-write',
    applies: (one) => lackedBy(one) === 'write',
    statuses: [403],
    control: { scopes: ['all'] },
  },
  {
    requirement: 'code-hosting/scopes/public-only-grants-nothing',
    applies: (one) => lackedBy(one) === 'public-only',
    // The next requirement states the status for the other resources.
    statuses: ({ resource }) => (resource === 'user' ? [403] : undefined),
    control: { scopes: ['all'] },
  },
  {
    requirement: 'code-hosting/scopes/missing-scope-status',
    applies: (one) => lackedBy(one) === 'unrelated',
    statuses: [403],
    control: { scopes: ['all'] },
    explanations: ({ sudo }) => sudo && { sudo: undefined },
  },
  {
    requirement: 'code-hosting/scopes/categories-separate',
    applies: (one) => lackedBy(one) === 'other',
    control: { scopes: ['all'] },
  },
  {
    requirement: 'code-hosting/scopes/public-only-hides-private',
    applies: (one) => isPublicOnly(one) && !lackedBy(one) && isPrivate(one),
    statuses: [403, 404],
    // Letter case may distinguish names.
    control: { scopes: ['all'], resource: 'private repository' },
  },
]

function isUnstated(one: Case): boolean {
  const { resource, scopes } = one
  if (resource === 'settings') return isQuery(one)
  if (isPrivate(one) && userOf(one) === 'admin') return true
  if (scopes.length > 1 && isPublicOnly(one)) {
    return !isPrivate(one) && resource !== 'repositories' && resource !== 'public repository'
  }
  const granted = grantedOf(one).length
  return granted > 0 && granted < categoriesOf(resource).length
}

type Grant = readonly [RequirementId, applies: (one: Case) => boolean]

const isNarrow = ({ scopes }: Case) => scopes.join() !== 'all'

/** Statuses of permitted changes. */
export const statusOfChange: Partial<Record<Case['resource'], number>> = {
  'archived change': 423,
  'conflicting change': 409,
  'no-content change': 204,
}

/** The requirements of successful requests: the first that applies. */
const grants: readonly Grant[] = [
  ['code-hosting/settings/readable-by-any-client', ({ resource }) => resource === 'settings'],
  ['code-hosting/errors/archived', ({ resource }) => resource === 'archived change'],
  ['code-hosting/errors/conflict', ({ resource }) => resource === 'conflicting change'],
  ['code-hosting/authentication/sudo-header', ({ sudo }) => sudo?.in === 'header'],
  ['code-hosting/authentication/sudo-query', ({ sudo }) => sudo?.in === 'query'],
  ['code-hosting/scopes/public-only-shows-public', isPublicOnly],
  [
    'code-hosting/scopes/write-includes-read',
    (one) => isNarrow(one) && !one.scopes.includes(`read:${grantedOf(one)[0]}` as TokenScope),
  ],
  ['code-hosting/scopes/read-suffices', isNarrow],
  ['code-hosting/authentication/basic', ({ sentAs }) => sentAs === 'Basic'],
  ['code-hosting/authentication/query-token', ({ sentAs }) => sentAs === '?token='],
  ['code-hosting/authentication/query-access-token', isQuery],
  ['code-hosting/authentication/legacy-accepted', ({ sentAs }) => sentAs === 'token'],
  ['code-hosting/authentication/legacy-case-insensitive', isLegacy],
  ['code-hosting/authentication/bearer-case-insensitive', ({ sentAs }) => sentAs !== 'Bearer'],
  ['code-hosting/authentication/bearer', () => true],
]

/** The requirements of the table. */
export const accessRequirements = [
  ...new Set([...rejections.map(({ requirement }) => requirement), ...grants.map(([id]) => id)]),
]

function valueFor<Value>(one: Case, value: OfCase<Value>): Value {
  return typeof value === 'function' ? (value as (one: Case) => Value)(one) : value
}

function rejectedAccess(one: Case, first: Rejection, others: readonly Rejection[]): Access {
  const reasons = [first, ...others]
  const statuses = new Set(
    reasons.flatMap<number | 'any'>((reason) => valueFor(one, reason.statuses) ?? ['any']),
  )
  const isOnly = others.length === 0
  const messages = isOnly ? valueFor(one, first.messages) : undefined
  const changes = [first.explanations, isOnly ? undefined : first.control]
  const explanations = changes.flatMap((change) => {
    const other = valueFor(one, change)
    return other ? [{ ...one, ...other }] : []
  })
  const mayBeIgnored = reasons.every((reason) => reason.mayBeIgnored)
  return {
    requirement: first.requirement,
    rejected: statuses.has('any') ? 'any' : ([...statuses] as number[]),
    ...(messages && { messages }),
    ...(mayBeIgnored && { as: one.actor as Account }),
    control: Object.assign({}, one, ...reasons.map(({ control }) => valueFor(one, control))),
    explanations,
  }
}

function grantedAccess(one: Case): Access {
  const { resource, sentAs, scopes, sudo } = one
  const [requirement] = grants.find(([, applies]) => applies(one)) as Grant
  if (isChange(one)) {
    const status = statusOfChange[resource]
    return { requirement, status, control: { ...one, resource: 'user' } }
  }
  const access = { requirement, as: userOf(one) as Account }
  if (resource === 'settings' || (sentAs === 'Basic' && !sudo)) return access
  if (requirement === 'code-hosting/authentication/bearer') return access
  if (sudo) {
    const readable = isRepository(resource) ? 'public repository' : 'user'
    return { ...access, control: { ...one, resource: readable, sudo: undefined } }
  }
  const others = scopes.filter((scope) => scope !== 'public-only')
  const isRestricted = others.length < scopes.length
  if (isNarrow(one))
    return { ...access, control: { ...one, scopes: isRestricted ? others : ['all'] } }
  const scheme = isLegacy(one) && sentAs !== 'token' ? 'token' : 'Bearer'
  return { ...access, control: { ...one, sentAs: scheme } }
}

/** Returns the access that the document states; `undefined` if it states none. Earlier requests change nothing. */
export function expectedAccess(one: Case, settings: Settings): Access | undefined {
  const { after, ...request } = one
  if (isUnstated(request)) return undefined
  const [first, ...others] =
    one.resource === 'settings'
      ? []
      : rejections.filter((rejection) => rejection.applies(request, settings))
  if (first) return rejectedAccess(request, first, others)
  const access = grantedAccess(request)
  return after === undefined ? access : { ...access, control: request }
}
