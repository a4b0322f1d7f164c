import { TOTP } from 'otpauth'
import { refuse } from '../../endpoints.ts'
import type { Change } from '../../service.ts'
import type { Credentials, Endpoint, RequestContext } from '../deployment.ts'
import { logins } from '../population.ts'
import {
  altered,
  asking,
  faultsOf,
  on,
  type RuleChange,
  type Rules,
  refused,
  where,
  within,
} from '../rules.ts'

export const beyondTheUser = ['user-repositories', 'repository'] as const

/** Takes a scheme, with its prefix written in a way that matches, for one of no known form. */
export function unknownScheme(scheme: 'bearer' | 'legacy', written = /./): RuleChange {
  return altered('schemeOf', (known, prefix) =>
    known === scheme && written.test(prefix) ? undefined : known,
  )
}

/** Sends some of the headers that announce a deprecation with Bearer too. */
function announced(...names: readonly string[]): RuleChange {
  return (rules) => ({
    bearerHeaders: (context) =>
      Object.fromEntries(
        Object.entries(rules.legacyHeaders(context)).filter(([name]) => names.includes(name)),
      ),
  })
}

const sentBy =
  (scheme: Credentials['scheme']) =>
  ({ credentials }: RequestContext) =>
    credentials?.scheme === scheme

/** Takes any token for one of the main account. */
const anyTokenTaken = altered(
  'tokenWithValue',
  (token, value) => token ?? { id: 0, login: logins.main, name: 'any', scopes: ['all'], value },
)

// The other accounts' passwords are what rows about something else rest on.
function passwordRefusedOn(endpoint: Endpoint): RuleChange {
  return on(
    endpoint,
    altered('passwordHolds', (holds, { login }) => holds && login !== logins.main),
  )
}

function tokenParameters(...names: readonly string[]): Partial<Rules> {
  return { tokenParameters: () => names }
}

const publicRepositoryShown = on('repository', {
  anonymousCaller: ({ deployment }) => {
    const account = deployment.store.account(logins.other)
    return account && { account, actor: account, scopes: ['read:repository', 'public-only'] }
  },
})

const inQuery = ({ url }: RequestContext) =>
  ['token', 'access_token'].some((name) => url.searchParams.has(name))
const hasOneTimeCode = ({ headers }: RequestContext) => headers.has('X-Service-OTP')

const queryDisabled = (change: Change<Rules>) => within('query-disabled', change)

/** Faults in credentials (schemes, tokens, passwords, the query), sudo and one-time codes. */
export const authenticationFaults = faultsOf('authentication', {
  'missing-credentials': {
    'missing-credentials-answered-with-403': refused('missingCredentials', 403),
    'missing-credentials-answered-with-a-redirect': refused('missingCredentials', 303),
    'missing-credentials-answered-with-404-on-a-repository': on(
      'repository',
      refused('missingCredentials', 404),
    ),
    'missing-credentials-answered-with-403-on-token-creation': on(
      'create-token',
      refused('missingCredentials', 403),
    ),
    'missing-credentials-error-sent-with-200-on-the-user': on(
      'user',
      refused('missingCredentials', 200),
    ),
    'missing-credentials-error-sent-with-200-where-no-account-is-told': within(
      'no-accounts',
      on('user', refused('missingCredentials', 200)),
    ),
    'public-repository-shown-without-credentials': publicRepositoryShown,
    // The token is overlooked, as it is to be: the server is wrong in one thing, and not in two.
    'public-repository-shown-with-a-disabled-query-token': queryDisabled(publicRepositoryShown),
  },
  'missing-credentials-message': {
    'wrong-missing-credentials-message': refused('missingCredentials', 'authentication required'),
    'missing-credentials-message-in-another-case': refused(
      'missingCredentials',
      'Token is required',
    ),
    'missing-credentials-message-with-full-stop': refused(
      'missingCredentials',
      (message) => `${message}.`,
    ),
    'missing-credentials-message-right-on-the-user-alone': on(
      beyondTheUser,
      refused('missingCredentials', 'only signed in users are allowed here'),
    ),
  },
  'unknown-token': {
    'unknown-token-answered-with-403': refused('unknownToken', 403),
    'unknown-token-answered-with-404': refused('unknownToken', 404),
    'unknown-token-answered-with-404-on-a-repository': on(
      'repository',
      refused('unknownToken', 404),
    ),
    'unknown-token-error-sent-with-200-on-the-list': on(
      'user-repositories',
      refused('unknownToken', 200),
    ),
    'unknown-token-error-sent-with-200-where-no-account-is-told': within(
      'no-accounts',
      on('user', refused('unknownToken', 200)),
    ),
    'unknown-token-accepted-in-the-query': where(sentBy('query'), anyTokenTaken),
    'unknown-token-accepted-with-the-legacy-prefix': where(sentBy('legacy'), anyTokenTaken),
    'token-known-by-its-last-eight-characters': {
      tokenWithValue: (value, { deployment }) =>
        deployment.store.tokens.find((token) => token.value.slice(-8) === value.slice(-8)),
    },
  },
  'unknown-token-message': {
    'wrong-unknown-token-message': refused('unknownToken', 'token does not exist'),
    'unknown-token-message-of-a-missing-one': refused('unknownToken', 'token is required'),
    'unknown-token-message-with-full-stop': refused('unknownToken', (message) => `${message}.`),
    'unknown-token-message-right-on-the-user-alone': on(
      beyondTheUser,
      refused('unknownToken', 'invalid token'),
    ),
  },
  'wrong-password': {
    'wrong-password-answered-with-403': refused('wrongPassword', 403),
    'wrong-password-answered-with-404': refused('wrongPassword', 404),
    'wrong-password-accepted': { passwordHolds: () => true },
    'wrong-password-accepted-for-token-creation': on('create-token', {
      passwordHolds: () => true,
    }),
  },
  'wrong-password-message': {
    'wrong-wrong-password-message': refused('wrongPassword', 'wrong password'),
    'wrong-password-message-empty': refused('wrongPassword', ''),
    'wrong-password-message-in-another-case': refused(
      'wrongPassword',
      'Invalid username, password or token',
    ),
    'wrong-password-message-of-missing-credentials': refused('wrongPassword', 'token is required'),
  },
  bearer: {
    'bearer-refused': unknownScheme('bearer'),
    'bearer-refused-where-the-legacy-prefix-is-disabled': within(
      'legacy-disabled',
      unknownScheme('bearer'),
    ),
  },
  'bearer + scopes/all + resources/repository': {
    'bearer-refused-on-a-repository': on('repository', unknownScheme('bearer')),
    'bearer-refused-on-a-repository-where-nothing-else-is-taken': within(
      'legacy-and-query-disabled',
      on('repository', unknownScheme('bearer')),
    ),
  },
  'bearer-case-insensitive': {
    'bearer-prefix-case-sensitive': unknownScheme('bearer', /^(?!Bearer$)/),
    'bearer-prefix-refused-in-lower-case': unknownScheme('bearer', /^bearer$/),
    'bearer-prefix-refused-in-upper-case': unknownScheme('bearer', /^BEARER$/),
    'bearer-prefix-accepted-in-three-spellings-alone': unknownScheme(
      'bearer',
      /^(?!Bearer$|bearer$|BEARER$)/,
    ),
    'bearer-prefix-case-sensitive-on-a-repository': on(
      'repository',
      unknownScheme('bearer', /^(?!Bearer$)/),
    ),
  },
  'bearer-not-deprecated': {
    'deprecation-headers-on-bearer': announced('Deprecation', 'Sunset', 'Warning'),
    'deprecation-header-alone-on-bearer': announced('Deprecation'),
    'sunset-header-alone-on-bearer': announced('Sunset'),
    'warning-header-alone-on-bearer-on-a-repository': on('repository', announced('Warning')),
  },
  basic: {
    'basic-refused': passwordRefusedOn('user'),
    'basic-refused-on-the-list': passwordRefusedOn('user-repositories'),
    'basic-refused-on-a-repository': passwordRefusedOn('repository'),
    'basic-answered-with-404-on-the-list': where(
      ({ caller, credentials }) =>
        credentials?.scheme === 'basic' && caller?.actor.login === logins.main,
      { effectivePage: () => refuse({ status: 404, message: 'not found' }) },
    ),
  },
  'query-token': {
    'query-token-refused': tokenParameters('access_token'),
    'query-token-refused-on-the-list': on('user-repositories', tokenParameters('access_token')),
  },
  'query-access-token': {
    'query-access-token-refused': tokenParameters('token'),
    'query-access-token-refused-on-a-repository': on('repository', tokenParameters('token')),
  },
  'query-token + query-access-token': {
    'query-tokens-refused-although-allowed': tokenParameters(),
  },
  'query-disabled': {
    'disabled-query-token-accepted': queryDisabled(tokenParameters('token')),
    'disabled-query-access-token-accepted': queryDisabled(tokenParameters('access_token')),
    'disabled-query-access-token-accepted-on-the-list': queryDisabled(
      on('user-repositories', tokenParameters('access_token')),
    ),
    'disabled-query-token-answered-with-403': queryDisabled(
      where(inQuery, refused('missingCredentials', 403)),
    ),
  },
  'sudo-admin-only': {
    'sudo-for-everyone': { sudoAllowed: () => true },
    'sudo-for-everyone-by-query': where(asking('sudo'), { sudoAllowed: () => true }),
    'sudo-for-everyone-on-the-list': on('user-repositories', { sudoAllowed: () => true }),
    'sudo-of-others-ignored': where(({ caller }) => caller?.actor.siteAdmin !== true, {
      sudoLogin: () => undefined,
    }),
    'sudo-of-others-answered-with-401': refused('sudoRefused', 401),
    'sudo-of-others-answered-with-404': refused('sudoRefused', 404),
  },
  'sudo-header + sudo-query': {
    'sudo-refused-to-the-site-admin': { sudoAllowed: () => false },
    'sudo-changes-nothing': { performedAs: (actor) => actor },
    'sudo-changes-nothing-on-the-list': on('user-repositories', { performedAs: (actor) => actor }),
  },
  'sudo-header + sudo-admin-only': {
    'sudo-header-ignored': { sudoLogin: ({ url }) => url.searchParams.get('sudo') ?? undefined },
  },
  'sudo-query + sudo-admin-only': {
    'sudo-query-ignored': { sudoLogin: ({ headers }) => headers.get('Sudo') ?? undefined },
  },
  'one-time-code-required': {
    'one-time-code-checked-where-there-is-one': where((context) => !hasOneTimeCode(context), {
      oneTimeCodeNeeded: () => false,
    }),
    'missing-one-time-code-error-sent-with-201': refused('missingOneTimeCode', 201),
  },
  'one-time-code-required + one-time-code-checked': {
    'one-time-code-ignored': { oneTimeCodeNeeded: () => false },
  },
  'one-time-code-checked': {
    'one-time-code-not-checked': { oneTimeCodeValid: () => true },
    'one-time-code-of-zeros-accepted': altered(
      'oneTimeCodeValid',
      (valid, _secret, code) => valid || code === '000000',
    ),
    'one-time-codes-accepted-for-hours': {
      oneTimeCodeValid: (secret, token) =>
        new TOTP({ secret }).validate({ token, window: 360 }) !== null,
    },
  },
  'one-time-code-accepted': {
    'one-time-code-never-accepted': { oneTimeCodeValid: () => false },
    'token-created-with-200-with-a-one-time-code': where(hasOneTimeCode, {
      createdTokenStatus: () => 200,
    }),
  },
})
