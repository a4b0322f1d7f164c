import type { Change } from '../../service.ts'
import type { RequestContext } from '../deployment.ts'
import {
  altered,
  faultsOf,
  on,
  type RuleChange,
  type Rules,
  refused,
  where,
  within,
} from '../rules.ts'
import { beyondTheUser, unknownScheme } from './authentication.ts'

/** Sends a header that announces the deprecation with another value, or leaves it out. */
function legacyHeader(name: 'Deprecation' | 'Sunset' | 'Warning', value?: string): RuleChange {
  return altered('legacyHeaders', ({ [name]: _left, ...others }) =>
    value === undefined ? others : { ...others, [name]: value },
  )
}

const warning =
  "The 'token' authorization scheme is deprecated, send 'Authorization: Bearer' instead"

const prefixInUpperCase = ({ headers }: RequestContext) =>
  headers.get('Authorization')?.startsWith('TOKEN') === true

const legacyDisabled = (change: Change<Rules>) => within('legacy-disabled', change)

/** Faults in the old prefix of a token: whether it is taken, and what announces its end. */
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
    'disabled-legacy-accepted': legacyDisabled({ legacySchemeAllowed: () => true }),
    'disabled-legacy-accepted-in-upper-case': legacyDisabled({
      legacySchemeAllowed: (_settings, { headers }) =>
        headers.get('Authorization')?.startsWith('TOKEN ') === true,
    }),
    'disabled-legacy-accepted-on-a-repository': legacyDisabled({
      legacySchemeAllowed: (_settings, { endpoint }) => endpoint === 'repository',
    }),
    'disabled-legacy-answered-with-403': legacyDisabled(refused('legacyDisabled', 403)),
  },
  'legacy-disabled-message': {
    'disabled-legacy-message-of-an-unknown-token': legacyDisabled(
      refused('legacyDisabled', 'invalid username, password or token'),
    ),
    'disabled-legacy-message-with-full-stop': legacyDisabled(
      refused('legacyDisabled', (message) => `${message}.`),
    ),
    'disabled-legacy-message-with-other-quotes': legacyDisabled(
      refused('legacyDisabled', (message) => message.replaceAll("'", '"')),
    ),
    'disabled-legacy-message-right-on-the-user-alone': legacyDisabled(
      on(beyondTheUser, refused('legacyDisabled', 'token is required')),
    ),
  },
  'legacy-deprecation-header': {
    'deprecation-header-missing': legacyHeader('Deprecation'),
    'deprecation-header-missing-on-a-repository': on('repository', legacyHeader('Deprecation')),
    'deprecation-header-holds-one': legacyHeader('Deprecation', '1'),
    'deprecation-header-holds-a-moment': legacyHeader('Deprecation', '@1775001600'),
    'deprecation-header-holds-yes-in-another-case': legacyHeader('Deprecation', 'True'),
  },
  'legacy-deprecation-header + legacy-sunset-header + legacy-warning-header': {
    'deprecation-headers-missing-in-upper-case': where(prefixInUpperCase, {
      legacyHeaders: () => ({}),
    }),
  },
  'legacy-sunset-header': {
    'sunset-header-missing': legacyHeader('Sunset'),
    'sunset-header-with-another-date': legacyHeader('Sunset', 'Tue, 31 Mar 2026 23:59:59 GMT'),
    'sunset-header-as-an-iso-date': legacyHeader('Sunset', '2026-04-01T00:00:00Z'),
    'sunset-header-as-an-obsolete-date': legacyHeader(
      'Sunset',
      'Wednesday, 01-Apr-26 00:00:00 GMT',
    ),
    'sunset-header-in-another-zone-name': legacyHeader('Sunset', 'Wed, 01 Apr 2026 00:00:00 UTC'),
  },
  'legacy-warning-header': {
    'warning-header-missing-on-the-list': on('user-repositories', legacyHeader('Warning')),
    'warning-header-without-bearer': legacyHeader(
      'Warning',
      '299 - "this authorization scheme is deprecated"',
    ),
    'warning-header-without-deprecation': legacyHeader(
      'Warning',
      '299 - "use Authorization: Bearer"',
    ),
    'warning-header-of-code-199': legacyHeader('Warning', `199 - "${warning}"`),
    'warning-header-without-quotes': legacyHeader('Warning', `299 - ${warning}`),
    'warning-header-without-agent': legacyHeader('Warning', `299 "${warning}"`),
  },
})
