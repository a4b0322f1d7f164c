import { inVariant } from '../../rule-tables.ts'
import { alter, alterParts, at, authentication, on, onlyIf, type RuleChange } from '../changes.ts'
import type { RequestContext } from '../server.ts'

/** Rejects a scheme whose prefix matches `written` as unknown. */
const unknownScheme = (scheme: 'bearer' | 'legacy', written = /./): RuleChange =>
  alter('schemeOf', (known, prefix) =>
    known === scheme && written.test(prefix) ? undefined : known,
  )

const noBearer = (written?: RegExp) => unknownScheme('bearer', written)

const announced =
  (...names: readonly string[]): RuleChange =>
  (rules) => ({
    bearerHeaders: (context) =>
      Object.fromEntries(
        Object.entries(rules.legacyHeaders(context)).filter(([name]) => names.includes(name)),
      ),
  })

const tokensIn = (...names: string[]) => ({ tokenParameters: () => names })

/** Rejects a parameter in queries that match. */
const rejectedIn = (parameter: string, isMatch: (query: string) => boolean): RuleChange =>
  onlyIf(
    ({ url }) => isMatch(url.search),
    alter('tokenParameters', (known) => known.filter((name) => name !== parameter)),
  )
const rejectedBeforeOthers = (parameter: string) =>
  rejectedIn(parameter, (query) => query.startsWith(`?${parameter}=`) && query.includes('&'))
const rejectedAfterOthers = (parameter: string) =>
  rejectedIn(parameter, (query) => query.includes(`&${parameter}=`))

const legacyFields = ['Deprecation', 'Sunset', 'Warning'] as const

const sent = (field: (typeof legacyFields)[number], value?: string) =>
  alter('legacyHeaders', ({ [field]: _left, ...others }) =>
    value === undefined ? others : { ...others, [field]: value },
  )

const text = "The 'token' authorization scheme is deprecated, send 'Authorization: Bearer' instead"

const prefixInUpperCase = ({ headers }: RequestContext) =>
  headers.get('Authorization')?.startsWith('TOKEN') === true

const headersMissingOn = (status: number) =>
  alterParts((parts) => {
    if (parts.status !== status) return
    for (const name of legacyFields) parts.headers.delete(name)
  })

const allowed = { legacySchemeAllowed: () => true }
const withoutHeaders = { legacyHeaders: () => ({}) }

export const tokenSchemeFaults = [
  authentication(['bearer', 'basic'], {
    'only-the-legacy-prefix-accepted': onlyIf(
      ({ endpoint }) => endpoint !== 'create-token',
      alter('schemeOf', (known) => (known === 'legacy' ? known : undefined)),
    ),
  }),
  authentication(['bearer', 'scopes/all', 'resources/repository'], {
    'bearer-rejected-on-a-repository': on('repository', noBearer()),
  }),
  authentication('bearer-case-insensitive', {
    ...at('bearer-prefix-case-sensitive', ['on-a-repository'], noBearer(/^(?!Bearer$)/)),
    'bearer-prefix-rejected-in-upper-case': noBearer(/^BEARER$/),
    'bearer-prefix-accepted-only-in-three-spellings': noBearer(/^(?!Bearer$|bearer$|BEARER$)/),
  }),
  authentication('bearer-not-deprecated', {
    'only-warning-header-on-bearer-on-a-repository': on('repository', announced('Warning')),
  }),
  authentication('query-token', {
    'query-token-rejected-before-another-parameter': rejectedBeforeOthers('token'),
  }),
  authentication(['query-token', 'sudo-query'], {
    'query-token-rejected-after-another-parameter': rejectedAfterOthers('token'),
  }),
  authentication('query-access-token', {
    'access-token-rejected-before-another-parameter': rejectedBeforeOthers('access_token'),
  }),
  authentication(
    'query-token',
    at('query-token-rejected', ['on-the-list'], tokensIn('access_token')),
  ),
  authentication(
    'query-access-token',
    at('query-access-token-rejected', ['on-a-repository'], tokensIn('token')),
  ),
  authentication(
    'query-disabled',
    inVariant('query-disabled', {
      'disabled-query-token-accepted': tokensIn('token'),
      ...at('disabled-query-access-token-accepted', ['on-the-list'], tokensIn('access_token')),
    }),
  ),
  authentication('legacy-accepted', {
    ...at('legacy-rejected', ['on-a-repository', 'on-the-list'], unknownScheme('legacy')),
  }),
  authentication('legacy-case-insensitive', {
    'legacy-prefix-rejected-in-title-case': unknownScheme('legacy', /^Token$/),
    'legacy-prefix-rejected-in-upper-case': unknownScheme('legacy', /^TOKEN$/),
    'legacy-prefix-accepted-only-in-three-spellings': unknownScheme(
      'legacy',
      /^(?!token$|Token$|TOKEN$)/,
    ),
  }),
  authentication(
    'legacy-disabled',
    inVariant('legacy-disabled', {
      ...at('disabled-legacy-accepted', ['', 'on-a-repository'], allowed),
      'disabled-legacy-accepted-in-upper-case': onlyIf(prefixInUpperCase, allowed),
    }),
  ),
  authentication('legacy-deprecation-header', {
    ...at('deprecation-header-missing', ['with-sudo', 'with-a-later-page'], sent('Deprecation')),
    'deprecation-header-holds-yes-in-another-case': sent('Deprecation', 'True'),
  }),
  authentication(['legacy-deprecation-header', 'legacy-sunset-header', 'legacy-warning-header'], {
    'deprecation-headers-missing-in-upper-case': onlyIf(prefixInUpperCase, withoutHeaders),
    'deprecation-headers-missing-on-a-missing-repository': headersMissingOn(404),
    'deprecation-headers-missing-for-a-missing-scope': headersMissingOn(403),
    'legacy-headers-missing-on-locked-resources': headersMissingOn(423),
  }),
  authentication('legacy-sunset-header', {
    ...at('sunset-header-missing', ['with-public-only'], sent('Sunset')),
    'sunset-header-in-another-zone-name': sent('Sunset', 'Wed, 01 Apr 2026 00:00:00 UTC'),
  }),
  authentication('legacy-warning-header', {
    ...at('warning-header-missing', ['with-sudo-query'], sent('Warning')),
    'warning-header-without-agent': sent('Warning', `299 "${text}"`),
  }),
].flat()
