import type { Change } from '../../service.ts'
import {
  altered,
  faultsOf,
  on,
  type RuleChange,
  type Rules,
  refused,
  where,
  within,
} from '../changes.ts'
import type { RequestContext } from '../deployment.ts'
import { beyondTheUser, unknownScheme, withFullStop } from './authentication.ts'

/** Sends a header that announces the deprecation with another value, or leaves it out. */
const header =
  (name: 'Deprecation' | 'Sunset' | 'Warning') =>
  (value?: string): RuleChange =>
    altered('legacyHeaders', ({ [name]: _left, ...others }) =>
      value === undefined ? others : { ...others, [name]: value },
    )

const deprecation = header('Deprecation')
const sunset = header('Sunset')
const warning = header('Warning')

const text = "The 'token' authorization scheme is deprecated, send 'Authorization: Bearer' instead"

const prefixInUpperCase = ({ headers }: RequestContext) =>
  headers.get('Authorization')?.startsWith('TOKEN') === true

const legacyDisabled = (change: Change<Rules>) => within('legacy-disabled', change)

const allowed: Partial<Rules> = { legacySchemeAllowed: () => true }
const withoutHeaders: Partial<Rules> = { legacyHeaders: () => ({}) }

const disabled = (change: number | string | ((message: string) => string)) =>
  legacyDisabled(refused('legacyDisabled', change))

export const legacySchemeFaults = faultsOf('authentication', {
  'legacy-accepted': {
    'legacy-refused': { legacySchemeAllowed: () => false },
    'legacy-refused-on-a-repository': on('repository', unknownScheme('legacy')),
    'legacy-refused-on-the-list': on('user-repositories', unknownScheme('legacy')),
  },
  'legacy-case-insensitive': {
    'legacy-prefix-case-sensitive': unknownScheme('legacy', /^(?!token$)/),
    'legacy-prefix-refused-in-title-case': unknownScheme('legacy', /^Token$/),
    'legacy-prefix-refused-in-upper-case': unknownScheme('legacy', /^TOKEN$/),
  },
  'legacy-disabled': {
    'disabled-legacy-accepted': legacyDisabled(allowed),
    'disabled-legacy-accepted-in-upper-case': legacyDisabled(where(prefixInUpperCase, allowed)),
    'disabled-legacy-accepted-on-a-repository': legacyDisabled(on('repository', allowed)),
    'disabled-legacy-answered-with-403': disabled(403),
  },
  'legacy-disabled-message': {
    'disabled-legacy-message-of-an-unknown-token': disabled('invalid username, password or token'),
    'disabled-legacy-message-with-full-stop': disabled(withFullStop),
    'disabled-legacy-message-with-other-quotes': disabled((text) => text.replaceAll("'", '"')),
    'disabled-legacy-message-right-on-the-user-alone': legacyDisabled(
      refused('legacyDisabled', 'token is required', beyondTheUser),
    ),
  },
  'legacy-deprecation-header': {
    'deprecation-header-missing': deprecation(),
    'deprecation-header-missing-on-a-repository': on('repository', deprecation()),
    'deprecation-header-holds-one': deprecation('1'),
    'deprecation-header-holds-a-moment': deprecation('@1775001600'),
    'deprecation-header-holds-yes-in-another-case': deprecation('True'),
  },
  'legacy-deprecation-header + legacy-sunset-header + legacy-warning-header': {
    'deprecation-headers-missing-in-upper-case': where(prefixInUpperCase, withoutHeaders),
  },
  'legacy-sunset-header': {
    'sunset-header-missing': sunset(),
    'sunset-header-with-another-date': sunset('Tue, 31 Mar 2026 23:59:59 GMT'),
    'sunset-header-as-an-iso-date': sunset('2026-04-01T00:00:00Z'),
    'sunset-header-as-an-obsolete-date': sunset('Wednesday, 01-Apr-26 00:00:00 GMT'),
    'sunset-header-in-another-zone-name': sunset('Wed, 01 Apr 2026 00:00:00 UTC'),
  },
  'legacy-warning-header': {
    'warning-header-missing-on-the-list': on('user-repositories', warning()),
    'warning-header-without-bearer': warning('299 - "this authorization scheme is deprecated"'),
    'warning-header-without-deprecation': warning('299 - "use Authorization: Bearer"'),
    'warning-header-of-code-199': warning(`199 - "${text}"`),
    'warning-header-without-quotes': warning(`299 - ${text}`),
    'warning-header-without-agent': warning(`299 "${text}"`),
  },
})
