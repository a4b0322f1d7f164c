/** The sentences of the document that every response of a kind must agree with, whatever it was requested for. */
import type { Invariant } from '../../../lib/conformance/define-checks.ts'
import { displayHeader } from '../../../lib/conformance/describe-exchange.ts'
import { messageOf } from '../../../lib/conformance/matchers.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { codeHostingEndpoints } from '../client.ts'
import type { CodeHostingContext } from '../context.ts'
import { expect } from '../matchers.ts'
import type { RequirementId } from '../requirements.ts'
import * as schemas from '../schemas/validators.ts'
import { sendingProblem, valueIn } from '../tokens/token-creation.ts'
import type { Access } from './access.ts'
import { type Case, isChange, isCreation, isRepository } from './case.ts'
import {
  documentationUrl,
  hasStatedQuery,
  isApiError,
  isApiResponse,
  isListOrNull,
  isOfTheService,
  isOtherList,
  isSchemeResponse,
  isSentByAdmin,
  isStatedPage,
  isSupplied,
  placesOf,
} from './exchange-filters.ts'
import { expectExposed } from './list-rules.ts'
import { isOpen, type LimitKind, type ListCase } from './list-table.ts'
import { numberIn } from './page-cache.ts'
import { type Outlier, outlierOf } from './page-consistency.ts'
import { pageSize } from './pages.ts'

/** The other exchanges for a rule about responses. */
interface ResponseContext extends Pick<CodeHostingContext, 'target' | 'settings'> {
  run: Pick<CodeHostingContext['run'], 'exchanges'>
  tokens: Pick<CodeHostingContext['tokens'], 'isValid'>
  tokenCreation: { issuedTokens: readonly { value: string; exchange: string }[] }
}

/** A rule about every response of a kind. */
export interface ResponseRule extends Invariant<ResponseContext> {
  /** Returns true for cases whose documented response is of the kind. */
  plans(one: Case, access: Access): boolean
}

const SUNSET = 'Wed, 01 Apr 2026 00:00:00 GMT'

const isRejected = (_: Case, { rejected }: Access) => rejected !== undefined
const isGranted = (one: Case, access: Access) => !isRejected(one, access)
/** Returns true for requests that may succeed, or be rejected because of the scopes or the resource. */
const isAuthenticated = (_: Case, { rejected = [] }: Access) =>
  rejected === 'any' || !rejected.includes(401)
const isList = (one: Case, access: Access) =>
  one.resource === 'repositories' && isGranted(one, access)

export const hasBody = ({ status, text }: Exchange) =>
  text !== '' && (status < 300 || status >= 400)

const ofErrors = {
  plans: (one: Case, access: Access) => isRejected(one, access) || (access.status ?? 200) >= 400,
  includes: isSupplied,
  ofEveryCheck: true,
} as const

const ofEveryResponse = {
  plans: () => true,
  includes: isSupplied,
  ofEveryCheck: true,
} as const

const ofCreations = {
  plans: (one: Case, access: Access) => isCreation(one) && isGranted(one, access),
  // Values that cannot be sent are inconclusive.
  appliesTo: ({ status, request, json }: Exchange) =>
    status === 201 &&
    request.endpoint === codeHostingEndpoints.createToken &&
    sendingProblem(valueIn(json) ?? '') === undefined,
  absenceReason: 'no token created in this run',
} as const

const ofPages = {
  // Numbers beyond the documented range state no page.
  plans: (one: Case, access: Access) =>
    isList(one, access) && !('limit' in one && isOpen(one as ListCase)),
  includes: isOtherList,
  appliesTo: isStatedPage,
  absenceReason: 'no page of a list',
} as const

/** Returns the requested page of another list; undefined for one that the document does not state. */
function requestedPage(page: Exchange, { target, settings }: ResponseContext) {
  if (!isOtherList(page, { target }) || !hasStatedQuery(page)) return undefined
  const { searchParams } = page.request.url
  const number = searchParams.get('page')
  const limit = searchParams.get('limit')
  if (!/^-?\d+$/.test(number ?? '1') || !/^-?\d+$/.test(limit ?? '1')) return undefined
  const size = pageSize(limit ?? undefined, settings)
  const isRequested = Number(limit) > 0
  // Whether a default above the maximum is lowered is not stated.
  if (!isRequested && size > settings.maxResponseItems) return undefined
  const kind = isRequested && Number(limit) > size ? 'lowered' : 'honoured'
  const defaultKind = limit === null ? 'absent' : 'not positive'
  return {
    number: Math.max(1, Number(number)),
    isNumbered: number !== null,
    size,
    kind: (isRequested ? kind : defaultKind) satisfies LimitKind,
  }
}

/** Returns the place of a page in another list, by the total of that; undefined past the end. */
function ownPlace(page: Exchange, context: ResponseContext) {
  const requested = requestedPage(page, context)
  if (requested === undefined) return undefined
  const { number, isNumbered, size } = requested
  const total = numberIn(page, 'x-total-count')
  const isPastTheEnd = total === undefined || total <= (number - 1) * size
  if (number > 1 && isPastTheEnd) return undefined
  // A rule about the list of repositories judges what is shown without a page.
  if (!isNumbered && (numberIn(page, 'x-page') ?? number) !== number) return undefined
  return { ...requested, hasMore: total === undefined ? undefined : total > number * size }
}

/** A rule about the limits of lists other than that of repositories, which has a table. */
const ofOtherLists = (kind: LimitKind) =>
  ({
    plans: () => false,
    includes: isOtherList,
    appliesTo: (page, context) => requestedPage(page, context)?.kind === kind,
    absenceReason: 'no page of another list',
    assert(page, context) {
      const { size = 0 } = requestedPage(page, context) ?? {}
      expect(page).toHaveItemsUpTo(size)
      // What X-PerPage says below the maximum is judged by the rule about it.
      const isBeyond = (numberIn(page, 'x-perpage') ?? 0) > context.settings.maxResponseItems
      if (isBeyond) expect(page).toHaveHeader('X-PerPage', size)
    },
  }) satisfies ResponseRule

/** A rule about authenticated responses to a token in a scheme. */
function ofScheme(scheme: 'bearer' | 'token', assert: (response: Exchange) => void) {
  const isBearer = scheme === 'bearer'
  return {
    plans: (one, access) =>
      one.actor !== 'anonymous' &&
      one.problem === undefined &&
      (one.sentAs.toLowerCase() === scheme || (isBearer && one.sentAs === 'any valid')) &&
      !isCreation(one) &&
      one.resource !== 'settings' &&
      isAuthenticated(one, access),
    includes: isSupplied,
    appliesTo: (exchange, { tokens }) => isSchemeResponse(scheme, exchange, tokens),
    absenceReason: `no response to a token with the scheme ${scheme}`,
    assert,
  } satisfies ResponseRule
}

/** Expects no outlier that a second page has too: the list may have changed while the first was made. */
function expectConsistent(
  id: Outlier['requirement'],
  page: Exchange,
  context: ResponseContext,
): void {
  const { run, settings } = context
  // Other lists have too few pages in a run.
  if (isOtherList(page, context)) return
  const isOutlier = (one: Exchange) =>
    isStatedPage(one, context) && outlierOf(one, settings)?.requirement === id
  const outlier = outlierOf(page, settings)
  if (outlier?.requirement !== id || run.exchanges.filter(isOutlier).length < 2) return
  const { header, expected } = outlier
  expect(page).toShow(false, expected, displayHeader(page, header), { header })
}

const exposes = ({ request, headers }: Exchange) =>
  request.endpoint === codeHostingEndpoints.repositories &&
  request.headers?.Origin === undefined &&
  headers.has('Access-Control-Expose-Headers')

export const responseRules = {
  'code-hosting/authentication/bearer-not-deprecated': ofScheme('bearer', (response) => {
    // Another value may announce the deprecation of the endpoint (RFC 9745).
    expect(response).toLackHeaderValue('Deprecation', 'true')
    expect(response).toLackHeaderValue('Sunset', SUNSET)
    expect(response).toWarnOfNoScheme()
  }),
  'code-hosting/authentication/legacy-deprecation-header': ofScheme('token', (response) =>
    expect(response).toHaveHeader('Deprecation', 'true'),
  ),
  'code-hosting/authentication/legacy-sunset-header': ofScheme('token', (response) =>
    expect(response).toHaveHeader('Sunset', SUNSET),
  ),
  'code-hosting/authentication/legacy-warning-header': ofScheme('token', (response) =>
    expect(response).toWarnOfTheScheme(),
  ),
  'code-hosting/tokens/created': {
    ...ofCreations,
    assert: (creation) => expect(creation).toMatchSchema(schemas.accessToken),
  },
  'code-hosting/tokens/last-eight': {
    ...ofCreations,
    assert: (creation) =>
      expect(creation).toHaveField('token_last_eight', valueIn(creation.json)?.slice(-8) ?? ''),
  },
  'code-hosting/tokens/value-shown-once': {
    ...ofEveryResponse,
    appliesTo: (_, { tokenCreation }) => tokenCreation.issuedTokens.length > 0,
    absenceReason: 'no token created in this run',
    assert(exchange, { tokenCreation }) {
      const others = tokenCreation.issuedTokens.filter((token) => token.exchange !== exchange.id)
      const places = placesOf(
        others.map(({ value }) => value),
        exchange,
      )
      expect(exchange).toShow(
        places.length === 0,
        'a response without the value of a token',
        `a token value in ${places.join(', ')}`,
      )
    },
  },
  'code-hosting/resources/user': {
    plans: (one, access) => one.resource === 'user' && isGranted(one, access),
    // Other requirements judge an error that is sent with 200.
    appliesTo: (exchange) =>
      exchange.request.endpoint === codeHostingEndpoints.user &&
      exchange.status === 200 &&
      typeof exchange.json === 'object' &&
      messageOf(exchange) === undefined,
    absenceReason: 'no record of a user',
    assert: (exchange) => expect(exchange).toMatchSchema(schemas.user),
  },
  'code-hosting/resources/repository': {
    plans: (one, access) => isRepository(one.resource) && isGranted(one, access),
    appliesTo: ({ request, status, json }) =>
      request.endpoint === codeHostingEndpoints.repository &&
      status === 200 &&
      typeof Object(json).full_name === 'string',
    absenceReason: 'no record of a repository',
    assert(exchange) {
      const [name = '', owner = ''] = exchange.request.url.pathname.split('/').reverse()
      expect(exchange).toShowRepository(`${decodeURIComponent(owner)}/${decodeURIComponent(name)}`)
    },
  },
  'code-hosting/resources/repositories': {
    plans: isList,
    appliesTo: isListOrNull,
    absenceReason: 'no list of repositories',
    assert: (page) => expect(page).toMatchSchema(schemas.repositories),
  },
  'code-hosting/resources/json': {
    plans: (one) => !isChange(one),
    ofEveryCheck: true,
    appliesTo: (exchange) => isApiResponse(exchange) && hasBody(exchange),
    absenceReason: 'no response with a body',
    assert: (exchange) => expect(exchange).toBeJson(),
  },
  'code-hosting/pagination/page-header': {
    ...ofPages,
    assert(page, context) {
      expect(page).toHaveHeaderLike('X-Page', /^[1-9]\d*$/, 'a number from 1')
      const place = ownPlace(page, context)
      if (place) expect(page).toHaveHeader('X-Page', place.number)
    },
  },
  'code-hosting/pagination/per-page-header': {
    ...ofPages,
    assert(page, context) {
      expect(page).toHaveHeaderLike('X-PerPage', /^[1-9]\d*$/, 'a number from 1')
      expect(page).toHaveItemsUpTo(Number(page.headers.get('x-perpage')))
      const { size, hasMore, kind } = ownPlace(page, context) ?? {}
      // A page before the last one shows the size that was used.
      const isFull = hasMore && Array.isArray(page.json) && page.json.length === size
      if (isFull && kind !== 'lowered') expect(page).toHaveHeader('X-PerPage', size)
    },
  },
  'code-hosting/pagination/has-more-header': {
    ...ofPages,
    assert(page, context) {
      expect(page).toHaveHeaderLike('X-HasMore', /^(true|false)$/, 'true or false')
      const { hasMore } = ownPlace(page, context) ?? {}
      // Otherwise the total may be wrong.
      const isLinked = page.links.targets.has('next')
      if (hasMore === isLinked) expect(page).toHaveHeader('X-HasMore', String(hasMore))
      expectConsistent('code-hosting/pagination/has-more-header', page, context)
    },
  },
  'code-hosting/pagination/total-count': {
    ...ofPages,
    assert: (page, context) =>
      expectConsistent('code-hosting/pagination/total-count', page, context),
  },
  'code-hosting/pagination/link-when-several-pages': {
    ...ofPages,
    assert(page, context) {
      const place = ownPlace(page, context)
      if (place === undefined) {
        expectConsistent('code-hosting/pagination/link-when-several-pages', page, context)
        return
      }
      const { number, hasMore } = place
      // The total may be wrong instead.
      const isContradicted = hasMore && page.headers.get('x-hasmore') === 'false'
      if ((number > 1 || hasMore) && !isContradicted) expect(page).toHaveHeader('Link')
    },
  },
  'code-hosting/pagination/default-limit': ofOtherLists('absent'),
  'code-hosting/pagination/limit-not-positive': ofOtherLists('not positive'),
  'code-hosting/pagination/limit-honoured': ofOtherLists('honoured'),
  'code-hosting/pagination/limit-lowered': ofOtherLists('lowered'),
  'code-hosting/pagination/link-relations': {
    ...ofPages,
    assert: (page, context) =>
      expectConsistent('code-hosting/pagination/link-relations', page, context),
  },
  'code-hosting/pagination/exposed-headers': {
    ...ofPages,
    // If no page has the field without Origin, the check of the requirement sends Origin.
    appliesTo: (page, context) =>
      isStatedPage(page, context) && context.run.exchanges.some(exposes),
    absenceReason: 'no page of a list with Access-Control-Expose-Headers',
    assert: expectExposed,
  },
  'code-hosting/errors/body': {
    ...ofErrors,
    appliesTo: isApiError,
    absenceReason: 'no error response',
    assert: (exchange) => expect(exchange).toMatchSchema(schemas.errorBody),
  },
  'code-hosting/errors/documentation-link': {
    ...ofErrors,
    appliesTo: (exchange) => isApiError(exchange) && documentationUrl(exchange) !== undefined,
    absenceReason: 'no error body with a url',
    assert: (exchange) => expect(exchange).toLinkToDocumentation(),
  },
  'code-hosting/errors/no-content': {
    plans: (_, { status }) => status === 204,
    includes: isSupplied,
    appliesTo: ({ status }) => status === 204,
    absenceReason: 'no response with status 204',
    assert: (exchange) => expect(exchange).toHaveNoBody(),
  },
  'code-hosting/errors/server-error-message': {
    plans: () => false,
    includes: isSupplied,
    appliesTo: (exchange, { target }) =>
      exchange.status === 500 &&
      messageOf(exchange) !== undefined &&
      !isSentByAdmin(exchange, target),
    absenceReason: 'no response with status code 500',
    assert: (exchange) => expect(exchange).toHaveMessage(''),
  },
  'code-hosting/errors/no-rate-limit-headers': {
    ...ofEveryResponse,
    appliesTo: isOfTheService,
    absenceReason: 'no response',
    assert: (exchange) => expect(exchange).toHaveNoHeaderLike(/^x-ratelimit-/),
  },
} satisfies Partial<Record<RequirementId, ResponseRule>>

export const responseRuleIds = Object.keys(responseRules) as (keyof typeof responseRules)[]
