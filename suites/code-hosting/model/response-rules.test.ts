import { describe, expect, it } from 'vitest'
import { isFailedExpectation } from '../../../lib/conformance/deviations.ts'
import { exchangeWith, type StubResponse } from '../../../lib/conformance/exchange.fixture.ts'
import { authorization, basic, bearer, type Credentials } from '../../../lib/probe/credentials.ts'
import { codeHostingEndpoints } from '../client.ts'
import { targetWith } from '../service.fixture.ts'
import { UNRELATED_SCOPE } from '../tokens/scopes.ts'
import { expectedAccess } from './access.ts'
import type { Case } from './case.ts'
import type { ListCase } from './list-table.ts'
import { hasBody, type ResponseRule, responseRuleIds, responseRules } from './response-rules.ts'

const { settings } = targetWith()
const byBearer = { resource: 'user', actor: 'main', sentAs: 'Bearer', scopes: ['all'] } as const

const list = { ...byBearer, resource: 'repositories', limit: 'maximum', page: '1' } as const
const cases: Readonly<Record<string, Case | ListCase>> = {
  user: byBearer,
  'user by any credentials': { ...byBearer, sentAs: 'any valid' },
  'user by bearer': { ...byBearer, sentAs: 'bearer' },
  'user by TOKEN': { ...byBearer, sentAs: 'TOKEN' },
  'user by parameter': { ...byBearer, sentAs: '?token=' },
  'user by password': { ...byBearer, sentAs: 'Basic' },
  'user without credentials': { ...byBearer, actor: 'anonymous' },
  'user without credentials, with Sudo': {
    ...byBearer,
    actor: 'anonymous',
    sudo: { as: 'main', in: 'header' },
  },
  'user by a deleted token': { ...byBearer, problem: 'deleted' },
  'user by a deleted token, with Sudo': {
    ...byBearer,
    problem: 'deleted',
    sudo: { as: 'main', in: 'header' },
  },
  'user without a scope': { ...byBearer, scopes: [UNRELATED_SCOPE] },
  'repositories without a scope': { ...list, scopes: ['read:admin'] },
  list,
  'list of an open limit': { ...list, limit: '2^63' },
  repository: { ...byBearer, resource: 'public repository' },
  'hidden repository': { ...byBearer, resource: 'private repository', actor: 'other' },
  settings: { ...byBearer, resource: 'settings' },
  creation: { ...byBearer, resource: 'tokens of the main account', sentAs: 'Basic' },
  'creation by a token': { ...byBearer, resource: 'tokens of the main account' },
  'archived change': { ...byBearer, resource: 'archived change' },
  'no-content change': { ...byBearer, resource: 'no-content change' },
}

const planned = (rule: ResponseRule, changes = {}) =>
  Object.entries(cases).flatMap(([name, one]) => {
    const access = expectedAccess(one, { ...settings, ...changes })
    return access && rule.plans(one, access) ? name : []
  })

const users = [
  ...['user', 'user by any credentials', 'user by bearer', 'user by TOKEN', 'user by parameter'],
  'user by password',
]
const errors = [
  ...['user without credentials', 'user without credentials, with Sudo'],
  ...['user by a deleted token', 'user by a deleted token, with Sudo', 'user without a scope'],
  ...['repositories without a scope', 'hidden repository', 'creation by a token'],
]
const changes = ['archived change', 'no-content change']
const byScheme = [
  ...['user', 'user by any credentials', 'user by bearer', 'user without a scope'],
  ...['repositories without a scope', 'list', 'list of an open limit', 'repository'],
  ...['hidden repository', ...changes],
]
const all = Object.keys(cases)

const expected: Record<keyof typeof responseRules, readonly string[]> = {
  'code-hosting/authentication/bearer-not-deprecated': byScheme,
  'code-hosting/authentication/legacy-deprecation-header': ['user by TOKEN'],
  'code-hosting/authentication/legacy-sunset-header': ['user by TOKEN'],
  'code-hosting/authentication/legacy-warning-header': ['user by TOKEN'],
  'code-hosting/tokens/created': ['creation'],
  'code-hosting/tokens/last-eight': ['creation'],
  'code-hosting/tokens/value-shown-once': all,
  'code-hosting/resources/user': users,
  'code-hosting/resources/repository': ['repository'],
  'code-hosting/resources/repositories': ['list', 'list of an open limit'],
  'code-hosting/resources/json': all.filter((name) => !changes.includes(name)),
  'code-hosting/pagination/page-header': ['list'],
  'code-hosting/pagination/per-page-header': ['list'],
  'code-hosting/pagination/has-more-header': ['list'],
  'code-hosting/pagination/total-count': ['list'],
  'code-hosting/pagination/link-when-several-pages': ['list'],
  'code-hosting/pagination/link-relations': ['list'],
  'code-hosting/pagination/default-limit': [],
  'code-hosting/pagination/limit-not-positive': [],
  'code-hosting/pagination/limit-honoured': [],
  'code-hosting/pagination/limit-lowered': [],
  'code-hosting/pagination/exposed-headers': ['list'],
  'code-hosting/errors/body': [...errors, 'archived change'],
  'code-hosting/errors/documentation-link': [...errors, 'archived change'],
  'code-hosting/errors/no-content': ['no-content change'],
  'code-hosting/errors/server-error-message': [],
  'code-hosting/errors/no-rate-limit-headers': all,
}

it.each(responseRuleIds)('%s is planned for the cases whose response it is about', (id) => {
  expect(planned(responseRules[id])).toEqual(expected[id])
})

it('plans no headers of the legacy scheme where it is disabled', () => {
  const rule = responseRules['code-hosting/authentication/legacy-sunset-header']
  expect(planned(rule, { allowLegacyTokenScheme: false })).toEqual([])
})

it.each([
  [200, '{}', true],
  [200, '', false],
  [299, '{}', true],
  // A redirection may have a page for people.
  [300, '{}', false],
  [399, '{}', false],
  [400, '{}', true],
  [500, '', false],
])('expects JSON in a response %d with the body "%s": %s', (status, text, isExpected) => {
  expect(hasBody(exchangeWith({ status, text }))).toBe(isExpected)
})

interface Sent extends StubResponse {
  by?: Credentials
  endpoint?: keyof typeof codeHostingEndpoints | 'another'
  path?: string
  origin?: string
  /** Values of the tokens that other requests of the run created. */
  issued?: string[]
  /** Another exchange of the run. */
  beside?: Sent
}

type Judged = [sent: Sent, isRight: boolean | undefined]

const target = targetWith()
const sizes = target.settings

function exchangeOf({ by, endpoint = 'user', path, origin, ...response }: Sent) {
  return exchangeWith(response, path, {
    ...(endpoint !== 'another' && { endpoint: codeHostingEndpoints[endpoint] }),
    ...(by && { credentials: by }),
    ...(origin !== undefined && { headers: { Origin: origin } }),
  })
}

/** Judges an exchange by a rule; undefined if the rule is not about it. */
function judge(rule: ResponseRule, { beside, issued = [], ...sent }: Sent) {
  const exchange = exchangeOf(sent)
  const context = {
    ...{ target, settings: target.settings },
    run: { exchanges: [...(beside ? [exchangeOf(beside)] : []), exchange] },
    tokens: { isValid: (value: string) => value === 'valid' },
    tokenCreation: { issuedTokens: issued.map((value) => ({ value, exchange: 'another' })) },
  }
  if (!rule.appliesTo(exchange, context)) return undefined
  try {
    rule.assert(exchange, context)
  } catch (error) {
    if (!isFailedExpectation(error)) throw error
    return false
  }
  return true
}

const byToken = authorization('token', 'valid')
const byBearerToken = bearer('valid')
const warning = '299 - "the token scheme is deprecated; use Bearer"'
const created = { endpoint: 'createToken', status: 201 } as const
const token = { sha1: '0123456789ab', token_last_eight: '456789ab' }
const ofList = { endpoint: 'repositories', path: '/api/v1/user/repos', json: [{}] } as const
const statedPage = (headers: Record<string, string>): Sent => ({ ...ofList, headers })
/** The first page of three, as the settings of the server make it, with other fields. */
const firstPage = (changes: Record<string, string> = {}, without = ''): Sent => {
  const headers: Record<string, string> = {
    ...{ 'x-page': '1', 'x-perpage': '3', 'x-hasmore': 'true', 'x-total-count': '7' },
    ...{ link: '<?page=2>; rel="next"', ...changes },
  }
  delete headers[without]
  return { ...ofList, json: [{}, {}, {}], headers }
}
/** A page of another list, of which the server says these. */
const otherList = (query: string, headers: Record<string, string>, count = 1): Sent => ({
  ...{ endpoint: 'another', path: `/api/v1/orgs${query}`, headers },
  json: Array.from({ length: count }, () => ({})),
})
const nextPage = { Link: '<?page=2>; rel="next"' }
const ofLimit = (query: string, size: number): Judged[] => [
  [otherList(query, { 'X-PerPage': `${size}` }, size), true],
  [otherList(query, { 'X-PerPage': `${sizes.maxResponseItems + 1}` }), false],
  [otherList(query, { 'X-PerPage': `${sizes.maxResponseItems}` }), true],
  [otherList(query, { 'X-Page': '1' }, size + 1), false],
  [otherList('?limit=many', { 'X-Page': '1' }, size + 1), undefined],
  [otherList(query, {}, size + 1), undefined],
]
const error = { message: 'no', url: 'https://git.example.com/api/swagger' }
const SUNSET = 'Wed, 01 Apr 2026 00:00:00 GMT'
const LATER = 'Thu, 01 Jan 2099 00:00:00 GMT'
const EXPOSE = 'Access-Control-Expose-Headers'

const pageWith = (name: string, values: readonly string[], isRight: boolean) =>
  values.map((value): Judged => [statedPage({ [name]: value }), isRight])
/** An outlier may be a change of the list while the page was made, unless there is a second one. */
const outlier = (page: Sent): Judged[] => [
  [{ ...page, beside: page }, false],
  [page, true],
  [{ ...page, beside: firstPage() }, true],
  [{ ...firstPage(), beside: page }, true],
]
const repository = { endpoint: 'repository', path: '/api/v1/repos/maria/p%75blic' } as const

/** Exchanges, and whether they agree with a rule; undefined if the rule is not about them. */
const judged: Readonly<Record<keyof typeof responseRules, readonly Judged[]>> = {
  'code-hosting/authentication/bearer-not-deprecated': [
    [{ by: byBearerToken }, true],
    [{ by: byBearerToken, headers: { Deprecation: 'true' } }, false],
    [{ by: byBearerToken, headers: { Sunset: SUNSET } }, false],
    [{ by: byBearerToken, headers: { Warning: warning } }, false],
    [{ by: byBearerToken, headers: { Deprecation: '@1767225600', Sunset: LATER } }, true],
    [{ by: byToken }, undefined],
  ],
  'code-hosting/authentication/legacy-deprecation-header': [
    [{ by: byToken, headers: { Deprecation: 'true' } }, true],
    [{ by: byToken }, false],
    [{ by: byBearerToken }, undefined],
  ],
  'code-hosting/authentication/legacy-sunset-header': [
    [{ by: byToken, headers: { Sunset: SUNSET } }, true],
    [{ by: byToken, headers: { Sunset: LATER } }, false],
  ],
  'code-hosting/authentication/legacy-warning-header': [
    [{ by: byToken, headers: { Warning: warning } }, true],
    [{ by: byToken }, false],
  ],
  'code-hosting/tokens/created': [
    [{ ...created, json: token }, true],
    [{ ...created, json: { sha1: token.sha1 } }, false],
    [{ ...created, status: 200, json: {} }, undefined],
    [{ ...created, endpoint: 'user', json: {} }, undefined],
    // It cannot be sent.
    [{ ...created, json: { sha1: 'a\nb' } }, undefined],
  ],
  'code-hosting/tokens/last-eight': [
    [{ ...created, json: token }, true],
    [{ ...created, json: { ...token, token_last_eight: '01234567' } }, false],
  ],
  'code-hosting/tokens/value-shown-once': [
    [{ json: token }, undefined],
    [{ json: token, issued: ['another'] }, true],
    [{ json: token, issued: [token.sha1] }, false],
  ],
  'code-hosting/resources/user': [
    [{ json: { login: 'maria' } }, true],
    [{ json: { login: 7 } }, false],
    [{ json: { message: 'no' } }, undefined],
    [{ json: 'maria' }, undefined],
    [{ json: {}, status: 401 }, undefined],
    [{ json: {}, endpoint: 'settings' }, undefined],
  ],
  'code-hosting/resources/repository': [
    [{ ...repository, json: { full_name: 'maria/public' } }, true],
    [{ ...repository, json: { full_name: 'maria/private' } }, false],
    [{ ...repository, json: {} }, undefined],
    [{ ...repository, json: { full_name: '' }, status: 404 }, undefined],
    [{ ...repository, json: { full_name: '' }, endpoint: 'user' }, undefined],
  ],
  'code-hosting/resources/repositories': [
    [{ ...ofList, json: [{ full_name: 'maria/public' }] }, true],
    [ofList, false],
    [{ ...ofList, json: null }, false],
    [{ ...ofList, json: {} }, undefined],
  ],
  'code-hosting/resources/json': [
    [{ json: {} }, true],
    [{ text: '<html>' }, false],
    [{ text: '' }, undefined],
    [{ text: '<html>', endpoint: 'documentation' }, undefined],
  ],
  'code-hosting/pagination/default-limit': ofLimit('', sizes.defaultPagingNum),
  'code-hosting/pagination/limit-not-positive': ofLimit('?limit=-1', sizes.defaultPagingNum),
  'code-hosting/pagination/limit-honoured': ofLimit('?limit=2', 2),
  'code-hosting/pagination/limit-lowered': ofLimit('?limit=999', sizes.maxResponseItems),
  'code-hosting/pagination/page-header': [
    [otherList('?page=2&limit=2', { 'X-Page': '2', 'X-Total-Count': '3' }), true],
    [otherList('?page=2&limit=2', { 'X-Page': '1', 'X-Total-Count': '3' }), false],
    [otherList('?page=2&limit=2', { 'X-Page': '1', 'X-Total-Count': '2' }), true],
    [otherList('', { 'X-Total-Count': '1' }), false],
    [otherList('', {}), undefined],
    ...pageWith('X-Page', ['1', '9', '10', '120'], true),
    ...pageWith('X-Page', ['0', '01', '1 of 2', 'x1', ''], false),
    [{ ...ofList, json: {} }, undefined],
    [{ ...ofList, path: '/api/v1/user/repos?limit=9223372036854775808' }, undefined],
  ],
  'code-hosting/pagination/per-page-header': [
    [otherList('?limit=1', { 'X-PerPage': '1', 'X-Total-Count': '2' }), true],
    [otherList('?limit=1', { 'X-PerPage': '2', 'X-Total-Count': '2' }), false],
    [otherList('?limit=1', { 'X-PerPage': '2', 'X-Total-Count': '1' }), true],
    ...pageWith('X-PerPage', ['20', '1'], true),
    ...pageWith('X-PerPage', ['05', '5 items'], false),
    [{ ...statedPage({ 'X-PerPage': '1' }), json: [{}, {}] }, false],
  ],
  'code-hosting/pagination/has-more-header': [
    [otherList('?limit=1', { 'X-HasMore': 'true', 'X-Total-Count': '2' }), true],
    [otherList('?limit=1', { ...nextPage, 'X-HasMore': 'false', 'X-Total-Count': '2' }), false],
    [otherList('?limit=1', { 'X-HasMore': 'false', 'X-Total-Count': '2' }), true],
    ...pageWith('X-HasMore', ['true', 'false'], true),
    ...pageWith('X-HasMore', ['untrue', 'false, true'], false),
    ...outlier(firstPage({ 'x-hasmore': 'false' })),
  ],
  'code-hosting/pagination/total-count': outlier(firstPage({ 'x-total-count': '2' })),
  'code-hosting/pagination/link-when-several-pages': outlier(firstPage({}, 'link')),
  'code-hosting/pagination/link-relations': outlier(firstPage({ link: '<?page=1>; rel="first"' })),
  'code-hosting/pagination/exposed-headers': [
    [statedPage({ [EXPOSE]: 'Link' }), true],
    [statedPage({ [EXPOSE]: 'Link', 'X-Page': '1' }), false],
    [statedPage({ 'X-Page': '1' }), undefined],
    [{ ...statedPage({ 'X-Page': '1' }), beside: statedPage({ [EXPOSE]: 'Link' }) }, false],
    [
      { ...statedPage({ [EXPOSE]: 'Link', 'X-Page': '1' }), origin: 'https://a.example' },
      undefined,
    ],
  ],
  'code-hosting/errors/body': [
    [{ status: 400, json: error }, true],
    [{ status: 500, json: { message: 'no' } }, false],
    [{ status: 399, json: {} }, undefined],
  ],
  'code-hosting/errors/documentation-link': [
    [{ status: 404, json: error }, true],
    [{ status: 404, json: { url: '/doc' } }, false],
    [{ status: 404, json: {} }, undefined],
    [{ json: { url: '/doc' } }, undefined],
  ],
  'code-hosting/errors/no-content': [
    [{ status: 204 }, true],
    [{ status: 204, text: 'x' }, false],
    [{ status: 200, text: 'x' }, undefined],
  ],
  'code-hosting/errors/server-error-message': [
    [{ status: 500, json: { message: '' } }, true],
    [{ status: 500, json: { message: 'x' } }, false],
    [{ status: 400, json: { message: 'x' } }, undefined],
    [{ status: 500, json: {} }, undefined],
    [{ status: 500, json: { message: 'x' }, by: basic('ada', 'admin-password') }, undefined],
  ],
  'code-hosting/errors/no-rate-limit-headers': [
    [{ headers: { 'X-Rate': '1' } }, true],
    [{ headers: { 'Not-X-RateLimit-Limit': '60' } }, true],
    [{ headers: { 'X-RateLimit-Limit': '60' } }, false],
  ],
}

describe.each(responseRuleIds)('%s', (id) => {
  it.each(judged[id])('judges %o: %s', (sent, isRight) => {
    expect(judge(responseRules[id], sent)).toBe(isRight)
  })
})

const ofEveryCheck = [
  ...['tokens/value-shown-once', 'resources/json'],
  ...['errors/body', 'errors/documentation-link', 'errors/no-rate-limit-headers'],
]

it('judges errors, JSON and secrets of every check, and what the operator supplies', () => {
  const having = (name: 'ofEveryCheck' | 'includes') =>
    responseRuleIds
      .filter((id) => (responseRules[id] as ResponseRule)[name])
      .map((id) => id.replace('code-hosting/', ''))
  expect(having('ofEveryCheck')).toEqual(ofEveryCheck)
  expect(having('includes')).toEqual(
    expect.arrayContaining([
      ...ofEveryCheck.filter((name) => name !== 'resources/json'),
      ...['bearer-not-deprecated', 'legacy-sunset-header'].map((id) => `authentication/${id}`),
      ...['errors/no-content', 'errors/server-error-message'],
    ]),
  )
})
