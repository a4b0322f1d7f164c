import type { Change } from '../../rule-tables.ts'
import {
  alter,
  alterParts,
  faultsOf,
  on,
  onlyIf,
  type RuleChange,
  type Rules,
  reject,
  within,
} from '../changes.ts'
import type { RequestContext } from '../server.ts'
import { beyondTheUser, withFullStop } from './authentication.ts'

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

const accessTokens = tokensIn('access_token')

const header =
  (name: 'Deprecation' | 'Sunset' | 'Warning') =>
  (value?: string): RuleChange =>
    alter('legacyHeaders', ({ [name]: _left, ...others }) =>
      value === undefined ? others : { ...others, [name]: value },
    )

const deprecation = header('Deprecation')
const sunset = header('Sunset')
const warning = header('Warning')

const text = "The 'token' authorization scheme is deprecated, send 'Authorization: Bearer' instead"

const prefixInUpperCase = ({ headers }: RequestContext) =>
  headers.get('Authorization')?.startsWith('TOKEN') === true

const headersMissingOn = (status: number) =>
  alterParts((parts) => {
    if (parts.status !== status) return
    for (const name of ['Deprecation', 'Sunset', 'Warning']) parts.headers.delete(name)
  })

const queryDisabled = (change: Change<Rules>) => within('query-disabled', change)
const legacyDisabled = (change: Change<Rules>) => within('legacy-disabled', change)

const allowed = { legacySchemeAllowed: () => true }
const withoutHeaders = { legacyHeaders: () => ({}) }

const disabled = (change: number | string | ((message: string) => string)) =>
  legacyDisabled(reject('legacyDisabled', change))

const authentication = faultsOf('authentication')

export const tokenSchemeFaults = [
  authentication('bearer', {
    'bearer-rejected': noBearer(),
    'bearer-rejected-if-the-legacy-prefix-is-disabled': within('legacy-disabled', noBearer()),
  }),
  authentication(['bearer', 'scopes/all', 'resources/repository'], {
    'bearer-rejected-on-a-repository': on('repository', noBearer()),
    'bearer-rejected-on-a-repository-if-nothing-else-is-accepted': within(
      'legacy-and-query-disabled',
      on('repository', noBearer()),
    ),
  }),
  authentication('bearer-case-insensitive', {
    'bearer-prefix-case-sensitive': noBearer(/^(?!Bearer$)/),
    'bearer-prefix-rejected-in-lower-case': noBearer(/^bearer$/),
    'bearer-prefix-rejected-in-upper-case': noBearer(/^BEARER$/),
    'bearer-prefix-accepted-only-in-three-spellings': noBearer(/^(?!Bearer$|bearer$|BEARER$)/),
    'bearer-prefix-case-sensitive-on-a-repository': on('repository', noBearer(/^(?!Bearer$)/)),
  }),
  authentication('bearer-not-deprecated', {
    'deprecation-headers-on-bearer': announced('Deprecation', 'Sunset', 'Warning'),
    'only-deprecation-header-on-bearer': announced('Deprecation'),
    'only-sunset-header-on-bearer': announced('Sunset'),
    'only-warning-header-on-bearer-on-a-repository': on('repository', announced('Warning')),
  }),
  authentication('query-token', {
    'query-token-rejected': accessTokens,
    'query-token-rejected-on-the-list': on('user-repositories', accessTokens),
  }),
  authentication('query-access-token', {
    'query-access-token-rejected': tokensIn('token'),
    'query-access-token-rejected-on-a-repository': on('repository', tokensIn('token')),
  }),
  authentication(['query-token', 'query-access-token'], {
    'query-tokens-rejected': tokensIn(),
  }),
  authentication('query-disabled', {
    'disabled-query-token-accepted': queryDisabled(tokensIn('token')),
    'disabled-query-access-token-accepted': queryDisabled(accessTokens),
    'disabled-query-access-token-accepted-on-the-list': queryDisabled(
      on('user-repositories', accessTokens),
    ),
  }),
  authentication('legacy-accepted', {
    'legacy-rejected': { legacySchemeAllowed: () => false },
    'legacy-rejected-on-a-repository': on('repository', unknownScheme('legacy')),
    'legacy-rejected-on-the-list': on('user-repositories', unknownScheme('legacy')),
  }),
  authentication('legacy-case-insensitive', {
    'legacy-prefix-case-sensitive': unknownScheme('legacy', /^(?!token$)/),
    'legacy-prefix-rejected-in-title-case': unknownScheme('legacy', /^Token$/),
    'legacy-prefix-rejected-in-upper-case': unknownScheme('legacy', /^TOKEN$/),
    'legacy-prefix-accepted-only-in-three-spellings': unknownScheme(
      'legacy',
      /^(?!token$|Token$|TOKEN$)/,
    ),
  }),
  authentication('legacy-disabled', {
    'disabled-legacy-accepted': legacyDisabled(allowed),
    'disabled-legacy-accepted-in-upper-case': legacyDisabled(onlyIf(prefixInUpperCase, allowed)),
    'disabled-legacy-accepted-on-a-repository': legacyDisabled(on('repository', allowed)),
    'disabled-legacy-rejected-with-403': disabled(403),
  }),
  authentication('legacy-disabled-message', {
    'disabled-legacy-message-of-an-unknown-token': disabled('invalid username, password or token'),
    'disabled-legacy-message-with-full-stop': disabled(withFullStop),
    'disabled-legacy-message-with-other-quotes': disabled((text) => text.replaceAll("'", '"')),
    'disabled-legacy-message-right-only-on-the-user': legacyDisabled(
      reject('legacyDisabled', 'token is required', beyondTheUser),
    ),
  }),
  authentication('legacy-deprecation-header', {
    'deprecation-header-missing': deprecation(),
    'deprecation-header-missing-on-a-repository': on('repository', deprecation()),
    'deprecation-header-holds-one': deprecation('1'),
    'deprecation-header-holds-a-moment': deprecation('@1775001600'),
    'deprecation-header-holds-yes-in-another-case': deprecation('True'),
  }),
  authentication(['legacy-deprecation-header', 'legacy-sunset-header', 'legacy-warning-header'], {
    'deprecation-headers-missing-in-upper-case': onlyIf(prefixInUpperCase, withoutHeaders),
    'deprecation-headers-missing-on-a-missing-repository': headersMissingOn(404),
    'deprecation-headers-missing-for-a-missing-scope': headersMissingOn(403),
  }),
  authentication('legacy-sunset-header', {
    'sunset-header-missing': sunset(),
    'sunset-header-with-another-date': sunset('Tue, 31 Mar 2026 23:59:59 GMT'),
    'sunset-header-as-an-iso-date': sunset('2026-04-01T00:00:00Z'),
    'sunset-header-as-an-obsolete-date': sunset('Wednesday, 01-Apr-26 00:00:00 GMT'),
    'sunset-header-in-another-zone-name': sunset('Wed, 01 Apr 2026 00:00:00 UTC'),
  }),
  authentication('legacy-warning-header', {
    'warning-header-missing-on-the-list': on('user-repositories', warning()),
    'warning-header-without-bearer': warning('299 - "this authorization scheme is deprecated"'),
    'warning-header-without-deprecation': warning('299 - "use Authorization: Bearer"'),
    'warning-header-of-code-199': warning(`199 - "${text}"`),
    'warning-header-without-quotes': warning(`299 - ${text}`),
    'warning-header-without-agent': warning(`299 "${text}"`),
  }),
].flat()
