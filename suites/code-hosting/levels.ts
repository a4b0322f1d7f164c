/** The factors of a request and their levels: each is a row with its text, and how it is sent. */
import { crossOf } from '../../lib/conformance/requirements.ts'
import { getOrCreate } from '../../lib/text/group-by.ts'
import type { TokenRequest } from './client.ts'
import {
  type CodeHostingNeed,
  type CodeHostingSettings,
  type ScopeCategory,
  type SuppliedPlace,
  scopeCategories,
  variableAt,
} from './variables.ts'

export type TokenScope = `${'read' | 'write'}:${ScopeCategory}` | 'all' | 'public-only'

/** Returns the read and write scopes of all categories except these. */
export const scopesExcept = (...categories: ScopeCategory[]): TokenScope[] =>
  scopeCategories
    .filter((other) => !categories.includes(other))
    .flatMap((other): TokenScope[] => [`read:${other}`, `write:${other}`])

/** A scope that no documented endpoint requires. */
export const UNRELATED_SCOPE = 'read:issue'

/** Values that are not equal to a documented scope, but like one. */
export const nearScopes = [
  'read:misc',
  'Read:Issue',
  ' read:issue',
  'read:issue,read:user',
  'issue',
  'read:all',
] as const

/** Scopes of tokens, by level. Of several, the first or the last may count: a server may know one only. */
export const scopeSets = {
  all: ['all'],
  unrelated: [UNRELATED_SCOPE],
  none: [],
  'other categories': scopesExcept('user', 'repository', 'admin'),
  'read:user': ['read:user'],
  'read:repository+write:package': ['read:repository', 'write:package'],
  'read:issue+write:user': [UNRELATED_SCOPE, 'write:user'],
  'write:repository+read:issue': ['write:repository', UNRELATED_SCOPE],
  read: ['read:user', 'read:repository'],
  write: ['write:user', 'write:repository'],
  'public-only': ['public-only'],
  'read+public-only': ['read:user', 'read:repository', 'public-only'],
  'public-only+all': ['public-only', 'all'],
  'public-only+write': ['public-only', 'write:user', 'write:repository'],
  'public-only+read:issue': ['public-only', UNRELATED_SCOPE],
  admin: ['read:admin', 'write:admin'],
  'activitypub and notification': ['read:activitypub', 'write:notification'],
  'organization and package': ['read:organization', 'write:package'],
  'all but activitypub': scopesExcept('admin', 'activitypub'),
  'all but issue': scopesExcept('admin', 'issue'),
  'all but notification': scopesExcept('admin', 'notification'),
  'all but organization': scopesExcept('admin', 'organization'),
  'all but package': scopesExcept('admin', 'package'),
  'all but repository': scopesExcept('admin', 'repository'),
  'write and admin': ['write:user', 'write:repository', 'write:admin'],
} as const satisfies Record<string, readonly TokenScope[]>

export type ScopeSet = keyof typeof scopeSets

/** Scopes that any account can be granted. */
export const generalScopes: readonly TokenScope[] = [...scopesExcept('admin'), 'all', 'public-only']

/** Returns the body of a token creation. @param taken name of another token */
type Body = (name: string, taken: string) => TokenRequest

const withScopes =
  (...scopes: unknown[]): Body =>
  (name) => ({ name, scopes })

/** Bodies of token creations that are not a new name and a documented scope. */
export const bodies = {
  'no name': () => ({ scopes: [UNRELATED_SCOPE] }),
  'empty name': () => ({ name: '', scopes: [UNRELATED_SCOPE] }),
  'number as name': () => ({ name: 1234567890, scopes: [UNRELATED_SCOPE] }),
  'taken name': (_, name) => ({ name, scopes: [UNRELATED_SCOPE] }),
  'taken name and other scopes': (_, name) => ({ name, scopes: ['all'] }),
  'scopes as text': (name) => ({ name, scopes: UNRELATED_SCOPE }),
  'no name and scopes as text': () => ({ scopes: UNRELATED_SCOPE }),
  'number as scope': withScopes(UNRELATED_SCOPE, 1),
  malformed: (name) => `{"name": "${name}", "scopes": ["${UNRELATED_SCOPE}"]`,
  'further text': (name) => `${JSON.stringify({ name, scopes: [UNRELATED_SCOPE] })} text`,
  'unknown scope': withScopes('read:plumbline', UNRELATED_SCOPE),
  'unknown level': withScopes('all', 'plumbline:issue'),
} as const satisfies Record<string, Body>

/** A level of `bodies`, or the scope that the only one nearly is. */
export type BodyLevel = keyof typeof bodies | (typeof nearScopes)[number]

export const bodyOf = (level: BodyLevel): Body =>
  level in bodies ? bodies[level as keyof typeof bodies] : withScopes(level)

export interface ResourceRow {
  text: string
  /** Scope categories that cover it. The document does not say which of two covers the list. */
  categories?: readonly ScopeCategory[]
  /** The function of `Repositories` that returns the name of the requested repository. */
  name?:
    | 'publicName'
    | 'readablePrivateName'
    | 'privateNameInOtherLetters'
    | 'missingName'
    | 'longMissingName'
    | 'nameOfMissingOwner'
  /** Request that the operator supplies: its place in the target and in the table of variables, and its need. */
  supplied?: { place: SuppliedPlace; need: CodeHostingNeed }
  /** Status of a permitted change. */
  status?: number
}

const repository = (name: NonNullable<ResourceRow['name']>, text: string) =>
  ({ name, categories: ['repository'], text: `GET ${text}` }) as const
const supplied = (place: SuppliedPlace, need: CodeHostingNeed, ...categories: ScopeCategory[]) => ({
  ...{ supplied: { place, need }, categories, text: variableAt(place) },
})
const change = (place: SuppliedPlace, status: number, need: CodeHostingNeed) => ({
  ...supplied(place, need, 'repository'),
  status,
})

/** The requested resources. The private repository belongs to the main account; the other account cannot see it. */
export const resources = {
  user: { text: 'GET /user', categories: ['user'] },
  repositories: { text: 'GET /user/repos', categories: ['user', 'repository'] },
  'public repository': repository('publicName', 'a public repository'),
  'private repository': repository(
    'readablePrivateName',
    'a private repository of the main account',
  ),
  'private repository in other letters': repository(
    'privateNameInOtherLetters',
    'a private repository of the main account, in another letter case',
  ),
  'missing repository': repository('missingName', 'a repository that does not exist'),
  'missing repository with a long name': repository(
    'longMissingName',
    'a repository of a long name that does not exist',
  ),
  'repository of a missing owner': repository(
    'nameOfMissingOwner',
    'a repository whose owner does not exist',
  ),
  settings: { text: 'GET /settings/api' },
  'tokens of main': { text: 'POST tokens of the main account' },
  'archived change': change('archivedChange', 423, 'archived repository change'),
  'conflicting change': change('conflict', 409, 'conflicting request'),
  'no-content change': change('noContent', 204, 'no-content request'),
  'activitypub request': supplied('readActivitypub', 'category request', 'activitypub'),
  'issue request': supplied('readIssue', 'category request', 'issue'),
  'notification request': supplied('readNotification', 'category request', 'notification'),
  'organization request': supplied('readOrganization', 'category request', 'organization'),
  'package request': supplied('readPackage', 'category request', 'package'),
  'repository request': supplied('readRepository', 'repository category request', 'repository'),
  'files request': supplied('largeFiles', 'large files', 'repository'),
  // Its rejections have other reasons than a missing scope, too.
  'admin request': supplied('readAdmin', 'admin request'),
} as const satisfies Record<string, ResourceRow>

export type Resource = keyof typeof resources
export const rowOf = ({ resource }: Pick<Case, 'resource'>): ResourceRow => resources[resource]

/** Users who send a request, or are named in it. */
const accounts = {
  main: 'the main account',
  other: 'the other account',
  admin: 'the site administrator',
  unknown: 'an unknown user',
} as const

export type Account = 'main' | 'other' | 'admin'
type Actor = Account | 'anonymous'

// Ways to send a token: schemes of `Authorization` in their letter case, and query parameters.
export const query = ['?token=', '?access_token='] as const
export const schemes = ['Bearer', 'token', ...query] as const
export const legacyLetters = ['Token', 'TOKEN', 'tOkEn'] as const

/** How credentials are sent; as `username` or `password`, a token is a part of a password. */
type SentAs =
  | ('any valid' | 'Basic' | 'password' | 'username')
  | ('bearer' | 'BEARER' | 'bEaReR')
  | (typeof schemes | typeof legacyLetters)[number]

/** Problems of credentials; `$` is replaced by the secret. With `nothing`, the scheme or parameter has no value. */
const problems = {
  nothing: 'no value',
  'without a colon': 'an invented secret without a username',
  'unknown scheme': '$, with an unknown scheme',
  'unknown user': '$, of an unknown username',
  empty: '$, left empty',
  invented: '$, invented',
  short: '$, invented and short',
  deleted: '$, deleted before',
  'of another account': '$, replaced by the secret of another account',
  'name of another account': '$, with the username of another account',
  'other start': '$ with another first character',
  'other middle': '$ with another character in the middle',
  'other end': '$ with another last character',
  'other case': '$ in another letter case',
  longer: '$ with one more character',
  'longer by a colon': '$ with a colon and one more character',
  'longer by a space': '$ with a space at its end',
  shorter: '$ without its last character',
  'last eight': 'the last eight characters of $',
} as const

export type Problem = keyof typeof problems

/** Other parts of a request. */
const forms = {
  /** Requests of a web page on the server: `Origin`, and gzip is accepted. */
  browser: 'with Origin and gzip',
  'token first': 'before the other parameters',
  'any media type': 'with Accept: */*',
  /** Header fields that a proxy sets, with the name of the main account. */
  proxy: 'with header fields that a proxy sets',
} as const

type Form = keyof typeof forms

export interface Sudo {
  as: keyof typeof accounts
  in: 'header' | 'query'
}

/** The documented rule that determines the page size. */
export type LimitKind = 'absent' | 'not positive' | 'honoured' | 'lowered'

/** The documented rule that determines the page; `regular` is the number of an existing page. */
export type PageKind = 'absent' | 'below one' | 'regular' | 'past the end'

/** The sizes of a list and of the pages of its server. */
interface Bounds extends Pick<CodeHostingSettings, 'maxResponseItems' | 'defaultPagingNum'> {
  /** Number of items of the list. */
  length: number
}

interface NumberRow<Kind, Value> {
  kind: Kind
  value: Value
  /** True if the value depends on the list. */
  ofList?: true
  /** True for a number beyond the documented range, for which only a server error deviates. */
  isOpen?: true
}

type Numeric = bigint | number | undefined
export type LimitRow = NumberRow<LimitKind, (bounds: Bounds) => Numeric>
export type PageRow = NumberRow<PageKind, (count: number) => Numeric>

const row = <Kind, Value>(kind: Kind, value: Value) => ({ kind, value })
const fixed = <Kind>(kind: Kind, value: Numeric) => row(kind, () => value)
const open = <Kind>(kind: Kind, value: bigint) => ({ ...fixed(kind, value), isOpen: true }) as const
const ofList = <Kind, Value>(kind: Kind, value: Value) =>
  ({ ...row(kind, value), ofList: true }) as const

/** Returns the largest limit that divides the list into full pages. */
function maxDivisor({ length, maxResponseItems }: Bounds): number {
  for (let limit = Math.min(maxResponseItems, length); limit > 1; limit -= 1) {
    if (length % limit === 0) return limit
  }
  return 1
}

/** Limits by name. Some large ones overflow into the valid range on a server that reads too few bits. */
export const limits = {
  absent: fixed('absent', undefined),
  '0': fixed('not positive', 0),
  '-1': fixed('not positive', -1),
  '1 - 2^63': fixed('not positive', 1n - 2n ** 63n),
  '1': fixed('honoured', 1),
  '2': fixed('honoured', 2),
  'full pages': ofList('honoured', maxDivisor),
  'default + 1': row('honoured', ({ defaultPagingNum }) => defaultPagingNum + 1),
  'maximum - 1': row('honoured', ({ maxResponseItems }) => maxResponseItems - 1),
  maximum: row('honoured', ({ maxResponseItems }) => maxResponseItems),
  'maximum + 1': row('lowered', ({ maxResponseItems }) => maxResponseItems + 1),
  'twice the maximum': row('lowered', ({ maxResponseItems }) => maxResponseItems * 2),
  'a thousand': row('lowered', ({ maxResponseItems }) => Math.max(1000, maxResponseItems * 2)),
  '2^32 + 1': fixed('lowered', 2n ** 32n + 1n),
  '2^63 - 1': fixed('lowered', 2n ** 63n - 1n),
  '-10^30': open('not positive', -(10n ** 30n)),
  '10^30': open('lowered', 10n ** 30n),
} satisfies Record<string, LimitRow>

export const pages = {
  absent: fixed('absent', undefined),
  '0': fixed('below one', 0),
  '-1': fixed('below one', -1),
  '2 - 2^32': fixed('below one', 2n - 2n ** 32n),
  '1 - 2^53': fixed('below one', 1n - 2n ** 53n),
  '1': fixed('regular', 1),
  '2': ofList('regular', (count: number) => Math.min(count, 2)),
  last: ofList('regular', (count: number) => count),
  'last + 1': ofList('past the end', (count: number) => count + 1),
  '2^32 + 2': fixed('past the end', 2n ** 32n + 2n),
  '2^53 - 1': fixed('past the end', 2n ** 53n - 1n),
  '-2^63 - 1': open('below one', -(2n ** 63n) - 1n),
  '2^63': open('past the end', 2n ** 63n),
} satisfies Record<string, PageRow>

export type Limit = keyof typeof limits
export type Page = keyof typeof pages

/** A request, by the levels of its factors. */
export interface Case {
  resource: Resource
  actor: Actor
  sentAs: SentAs
  scopes: ScopeSet
  problem?: Problem | undefined
  sudo?: Sudo | undefined
  form?: Form | undefined
  /** Body of a token creation. */
  body?: BodyLevel | undefined
  /** Page of the list of repositories. */
  limit: Limit
  page: Page
  /** The request before it at the same URL; both are sent again, one right after the other. */
  after?: Case | undefined
}

const defaults: Case = {
  resource: 'user',
  actor: 'main',
  sentAs: 'any valid',
  scopes: 'all',
  limit: 'maximum',
  page: '1',
}

export const cross = crossOf(defaults)
/** Returns the case with these levels. */
export const caseOf = (levels: Partial<Case>): Case => ({ ...defaults, ...levels })

function toId(one: Case): string {
  const { resource, actor, sentAs, scopes, problem, sudo, form, body, limit, page, after } = one
  const isList = resource === 'repositories'
  return [
    resource,
    ...(actor === 'main' ? [] : [actor]),
    ...(sentAs === 'any valid' ? [] : [sentAs]),
    ...(scopes === 'all' ? [] : [`scopes=${scopes}`]),
    ...(problem ? [`problem=${problem}`] : []),
    ...(sudo ? [`sudo=${sudo.as} in ${sudo.in}`] : []),
    ...(form ? [`form=${form}`] : []),
    ...(body ? [`body=${body}`] : []),
    ...(isList && limit !== 'maximum' ? [`limit=${limit}`] : []),
    ...(isList && page !== '1' ? [`page=${page}`] : []),
    ...(after ? [`after=(${idOf({ ...after, after: undefined })})`] : []),
  ].join('/')
}

const ids = new WeakMap<Case, string>()
/** Returns the id of a case: the names of the levels that differ from the default. */
export const idOf = (one: Case): string => getOrCreate(ids, one, () => toId(one))

function describeSecret({ actor, sentAs, scopes, problem }: Case): string {
  if (actor === 'anonymous') return 'no credentials'
  const owner = accounts[actor]
  if (sentAs === 'any valid') return `the credentials of ${owner}`
  const secret = problem ? problems[problem] : '$'
  const password = problem === 'unknown user' ? 'an invented password' : `the password of ${owner}`
  if (sentAs === 'Basic') return secret.replace('$', password)
  const names = scopeSets[scopes]
  const listed = names.length > 4 ? `the scopes "${scopes}"` : names.join(', ') || 'no scope'
  const token = `the token of ${owner}${scopes === 'all' ? '' : ` with ${listed}`}`
  return secret.replace('$', token)
}

/** Returns the text of a case. */
export function describe(one: Case): string {
  const { resource, actor, sentAs, problem, sudo, form, body, limit, page, after } = one
  const isUsual = actor === 'anonymous' || ['Bearer', 'Basic', 'any valid'].includes(sentAs)
  const part = sentAs === 'password' || sentAs === 'username' ? `the ${sentAs}` : sentAs
  const isPage = resource === 'repositories' && !isDefaultPage(one)
  return [
    describeSecret(one),
    ...(isUsual && problem !== 'nothing' ? [] : [`sent as ${part}`]),
    ...(form ? [forms[form]] : []),
    ...(sudo ? [`with ${sudo.in === 'query' ? '?sudo=' : 'Sudo:'} ${accounts[sudo.as]}`] : []),
    resources[resource].text,
    ...(body ? [`with the body: ${body}`] : []),
    ...(isPage ? [`limit ${limit}`, `page ${page}`] : []),
    ...(after ? [`after ${describeSecret(after)}${after.sudo ? ' with sudo' : ''}`] : []),
  ].join(', ')
}

// Predicates of cases.
export const isChange = ({ resource }: Case) => 'status' in resources[resource]
export const isCreation = ({ resource }: Case) => resource === 'tokens of main'
export const isQuery = ({ sentAs }: Case) => sentAs.startsWith('?')
export const isLegacy = ({ sentAs }: Case) => sentAs.toLowerCase() === 'token'
export const isPrivate = ({ resource }: Case) => resource.startsWith('private')
export const isPublicOnly = ({ scopes }: Case) => scopes.includes('public-only')
/** Returns true if a request may have a token. */
const sendsToken = ({ actor, sentAs }: Case) => actor !== 'anonymous' && sentAs !== 'Basic'
/** Returns the user with whose rights a request succeeds. */
export const userOf = ({ actor, sudo }: Case) => (actor === 'admin' && sudo ? sudo.as : actor)
/** Returns the scope categories of which one covers the request; several for the list. */
export const categoriesOf = (one: Case) => rowOf(one).categories ?? []

/** Returns true for a request whose token lacks a scope. */
export function isLacking(one: Case): boolean {
  const scopes: readonly TokenScope[] = scopeSets[one.scopes]
  // A supplied change may need the scope of another category: a token that has them all but one may make it.
  const covers = (category: string) => (scope: TokenScope) =>
    scope === 'all' || scope.endsWith(`${isChange(one) ? 'write' : ''}:${category}`)
  const categories = categoriesOf(one)
  return categories.length > 0 && !categories.some((category) => scopes.some(covers(category)))
}

/** Returns true for a request by a user who may make it, as far as its resource allows it. */
export const isGranted = (one: Case) =>
  one.actor !== 'anonymous' &&
  one.problem === undefined &&
  one.sentAs !== 'username' &&
  one.sentAs !== 'password' &&
  one.form !== 'proxy' &&
  (one.sudo === undefined || (one.actor === 'admin' && one.sudo.as !== 'unknown')) &&
  !isLacking(one)

/** Returns true for a request for a list that must be shown, as far as limit and page allow it. */
export const isGrantedList = (one: Case) => one.resource === 'repositories' && isGranted(one)

export const isDefaultPage = ({ limit, page }: Case) => limit === 'maximum' && page === '1'

/** Returns true for a number beyond the documented range. */
export const isOpen = ({ limit, page }: Case) =>
  'isOpen' in limits[limit] || 'isOpen' in pages[page]
/** Returns true for a page whose query depends on the length of the list. */
export const isOfList = ({ limit, page }: Case) =>
  'ofList' in limits[limit] || 'ofList' in pages[page]
export const limitKind = ({ limit }: Case): LimitKind => limits[limit].kind
export const pageKind = ({ page }: Case): PageKind => pages[page].kind

/** Returns true for another number of the first page, or none. */
export const isOtherFirst = (one: Case) => ['absent', 'below one'].includes(pageKind(one))

/** Returns true for the sender that reads the list of the main account. */
export const isPlainSender = (one: Case) =>
  one.actor === 'main' &&
  one.sentAs === 'any valid' &&
  one.scopes === 'all' &&
  one.sudo === undefined &&
  one.form === undefined

type Settings = CodeHostingSettings

/** Returns true for a request with a scheme that the settings disable. */
export const isDisabled = (settings: Settings, one: Case) =>
  sendsToken(one) &&
  ((isLegacy(one) && !settings.allowLegacyTokenScheme) ||
    (isQuery(one) && settings.disableQueryAuthToken))

/** Returns false for a request about which the document says nothing with these settings. */
export const under = (settings: Settings, one: Case) => !isDisabled(settings, one)

/** Returns false for a limit about which the document says nothing with these settings. */
export function isStatedLimit(settings: Settings, one: Case): boolean {
  const { defaultPagingNum, maxResponseItems } = settings
  const { kind, value } = limits[one.limit] as LimitRow
  const size = Number(value({ ...settings, length: maxResponseItems }))
  if (kind === 'honoured') return size >= 1 && size <= maxResponseItems
  return kind === 'lowered' ? size > maxResponseItems : defaultPagingNum <= maxResponseItems
}

// Named lists of levels.
export const opened = ['user', 'repositories', 'public repository'] as const
export const readable = [...opened, 'private repository'] as const
export const changes = ['archived change', 'conflicting change', 'no-content change'] as const
export const publicOnly = ['read+public-only', 'public-only+all', 'public-only+write'] as const

export const byOther = { actor: 'other', sentAs: 'Basic' } as const
export const byAdmin = { actor: 'admin', sentAs: 'Basic' } as const
export const sudo = (place: Sudo['in'], ...users: Sudo['as'][]): Sudo[] =>
  users.map((as) => ({ as, in: place }))
export const sudoBoth = (...users: Sudo['as'][]) => [
  ...sudo('header', ...users),
  ...sudo('query', ...users),
]

const ofKind = <Name extends string>(table: Record<Name, { kind: string }>, kind: string) =>
  (Object.keys(table) as Name[]).filter((name) => table[name].kind === kind)
export const notPositive = ofKind(limits, 'not positive')
export const honoured = ofKind(limits, 'honoured')
export const lowered = ofKind(limits, 'lowered')
export const belowOne = ofKind(pages, 'below one')
export const existing = ofKind(pages, 'regular')
export const pastTheEnd = ofKind(pages, 'past the end')

/** Returns the creations of tokens with these bodies, which are accepted with a default body. */
export const creationsWith = (...body: readonly BodyLevel[]) => ({
  cases: cross({ resource: 'tokens of main', sentAs: 'Basic', body }),
  given: [{ body: undefined }],
})

const asMain = (place: Sudo['in']): Sudo => ({ as: 'main', in: place })
const restricted = { scopes: 'read+public-only' } as const

/** Pages that together show each rule about limits and page numbers. */
const turns = {
  lowered: ['maximum + 1', '0'],
  last: ['full pages', 'last'],
  absent: ['absent', 'absent'],
  zero: ['0', 'absent'],
  negative: ['-1', 'absent'],
  end: ['1', 'last + 1'],
} as const satisfies Record<string, readonly [Limit, Page]>

type Turn = keyof typeof turns

/** Senders of pages other than the plain one, with their pages: some for each way, one or two for each difference. */
const senders: readonly (readonly [Partial<Case>, readonly Turn[]])[] = [
  [{ sentAs: 'Basic' }, ['lowered', 'last', 'absent']],
  [{ sentAs: 'token' }, ['lowered', 'last']],
  [{ sentAs: '?token=' }, ['last', 'negative']],
  [{ sentAs: '?access_token=' }, ['lowered']],
  [{ sentAs: 'Bearer', scopes: 'write' }, ['last']],
  [{ sentAs: 'Bearer', ...restricted }, ['lowered', 'last', 'absent', 'negative', 'end']],
  [{ ...byAdmin, sudo: asMain('header') }, ['lowered', 'last', 'absent', 'zero', 'end']],
  [{ ...byAdmin, sudo: asMain('query') }, ['lowered', 'last']],
  [{ sentAs: '?token=', form: 'token first' }, ['lowered']],
  [{ sentAs: '?access_token=', form: 'token first' }, ['last']],
  [{ form: 'browser' }, ['last']],
  ...schemes.slice(1).map((sentAs) => [{ sentAs, ...restricted }, ['last']] as const),
  [{ sentAs: 'Bearer', scopes: 'public-only+write' }, ['last']],
  [{ ...byAdmin, sudo: asMain('query'), sentAs: 'token' }, ['last']],
  [{ ...byAdmin, sudo: asMain('header'), sentAs: 'Bearer', ...restricted }, ['last']],
  [byOther, ['absent']],
  [{ actor: 'other', sentAs: 'Bearer' }, ['zero']],
  [byAdmin, ['absent']],
]
export const sentPages: readonly Case[] = senders.flatMap(([by, names]) =>
  names.map((name): Case => {
    const [limit, page] = turns[name]
    return caseOf({ resource: 'repositories', ...by, limit, page })
  }),
)
/** Senders that have another list each, which may have one page. */
export const otherLists: readonly Partial<Case>[] = [{ sentAs: 'Bearer', ...restricted }, byOther]

/** Requests of one sender, of others, who must not share its responses, and of the first again. */
export function sequences(settings: Settings): Case[][] {
  const allowed = schemes.filter((sentAs) => !isDisabled(settings, caseOf({ sentAs })))
  const surrounding = (own: Partial<Case>, ...others: Partial<Case>[]) =>
    cross({ by: [own, ...others.map((other) => ({ ...own, ...other })), own] })
  const anonymous = { actor: 'anonymous', sentAs: 'any valid' } as const
  return [
    ...readable.map((resource, index) =>
      surrounding(
        { resource, sentAs: allowed[(index + 1) % allowed.length] as SentAs },
        byOther,
        anonymous,
        // A public repository is the same for all.
        ...(resource === 'user' ? [{ problem: 'other end' as const }] : []),
        ...(resource === 'repositories' || resource === 'private repository' ? [restricted] : []),
      ),
    ),
    ...allowed
      .filter((sentAs) => sentAs === 'token' || sentAs === '?token=')
      .map((sentAs) => cross({ sentAs, problem: ['other end', undefined] })),
    surrounding(
      { resource: 'archived change', sentAs: 'Bearer' },
      { scopes: 'read:repository+write:package' },
    ),
    surrounding(byAdmin, { sudo: asMain('header') }),
  ]
}
