import { TOTP } from 'otpauth'
import { fail, HttpError } from '../../http.ts'
import type { Change } from '../../rule-tables.ts'
import {
  alter,
  faultsOf,
  hasQuery,
  on,
  onlyIf,
  type RuleChange,
  type Rules,
  reject,
  rejectionOf,
  serverError,
  underSudo,
  usesScheme,
  within,
} from '../changes.ts'
import { logins, type RequestContext } from '../server.ts'

const list = 'user-repositories'

export const beyondTheUser = [list, 'repository'] as const

const missing = rejectionOf('missingCredentials')
const unknown = rejectionOf('unknownToken')
const wrongPassword = rejectionOf('wrongPassword')
const unusable = rejectionOf('unusableCredentials')

export const withFullStop = (message: string) => `${message}.`

const matching = (isMatch: (token: string, value: string) => boolean): Partial<Rules> => ({
  tokenWithValue: (value, { server }) =>
    server.store.tokens.find((token) => isMatch(token.value, value)),
})

const isSame = (some: string, other: string) => some.toLowerCase() === other.toLowerCase()

const tokensCached: RuleChange = (rules) => {
  const cached = new Map<string, ReturnType<Rules['tokenWithValue']>>()
  return {
    tokenWithValue: (value, context) => {
      const token = rules.tokenWithValue(value, context) ?? cached.get(value)
      cached.set(value, token)
      return token
    },
  }
}

const performedBy =
  (rule: 'anonymousCaller' | 'unusableCaller', login: string): RuleChange =>
  (rules) => ({
    [rule]: (context: RequestContext) => {
      const account = context.server.store.account(login)
      return account ? { account, actor: account, scopes: undefined } : rules[rule](context)
    },
  })

const alsoPassword = (
  isAccepted: (password: string, presented: string, context: RequestContext) => boolean,
) =>
  alter(
    'passwordHolds',
    (holds, account, presented, context) =>
      holds || isAccepted(account.password, presented, context),
  )

const performedBySiteAdmin = performedBy('anonymousCaller', logins.siteAdmin)

const sendsOnly =
  (scheme: string) =>
  ({ headers }: RequestContext) =>
    headers.get('Authorization') === scheme

const ofUnknownUser = ({ credentials, server }: RequestContext) =>
  credentials?.scheme === 'basic' && !server.store.account(credentials.username)

const hasEmptyQueryToken = ({ url: { searchParams } }: RequestContext) =>
  searchParams.get('token') === '' || searchParams.get('access_token') === ''

const anyTokenAccepted = alter(
  'tokenWithValue',
  (token, value) => token ?? { id: 0, login: logins.main, name: 'any', scopes: ['all'], value },
)

// Other requirements need the passwords of the other accounts.
const rejectMain = alter('passwordHolds', (holds, { login }) => holds && login !== logins.main)

const publicRepositoryShown = on('repository', {
  anonymousCaller: ({ server }) => {
    const account = server.store.account(logins.other)
    return account && { account, actor: account, scopes: ['read:repository', 'public-only'] }
  },
})

const hasOneTimeCode = ({ headers }: RequestContext) => headers.has('X-Service-OTP')

const noAccounts = (change: Change<Rules>) => within('no-accounts', on('user', change))

const anyPassword = { passwordHolds: () => true }
const sudoForEveryone = { sudoAllowed: () => true }
const sudoChangesNothing = alter('actAs', (_named, actor) => actor)
const createdWith200 = { createdTokenStatus: () => 200 }

const authentication = faultsOf('authentication')

export const authenticationFaults = [
  authentication('missing-credentials', {
    'missing-credentials-rejected-with-403': missing(403),
    'missing-credentials-redirected': missing(303),
    'missing-credentials-rejected-with-404-on-a-repository': missing(404, 'repository'),
    'missing-credentials-rejected-with-403-on-token-creation': missing(403, 'create-token'),
    'missing-credentials-error-sent-with-200-on-the-user': missing(200, 'user'),
    'missing-credentials-error-sent-with-200-without-accounts': noAccounts(missing(200)),
    'public-repository-returned-without-credentials': publicRepositoryShown,
    // The server ignores the token correctly, so it breaks only this requirement.
    'public-repository-returned-with-a-disabled-query-token': within(
      'query-disabled',
      publicRepositoryShown,
    ),
  }),
  authentication('missing-credentials-message', {
    'wrong-missing-credentials-message': missing('authentication required'),
    'missing-credentials-message-in-another-case': missing('Token is required'),
    'missing-credentials-message-with-full-stop': missing(withFullStop),
    'missing-credentials-message-right-only-on-the-user': missing('sign in', beyondTheUser),
  }),
  authentication('unusable-credentials', {
    'empty-bearer-token-accepted': onlyIf(
      sendsOnly('Bearer'),
      performedBy('unusableCaller', logins.main),
    ),
    'empty-legacy-token-fails-with-500': onlyIf(sendsOnly('token'), unusable(serverError)),
    'empty-basic-credentials-rejected-with-400': onlyIf(sendsOnly('Basic'), unusable(400)),
    'empty-query-token-accepted': onlyIf(
      hasEmptyQueryToken,
      performedBy('anonymousCaller', logins.main),
    ),
    'empty-query-token-rejected-with-400': onlyIf(hasEmptyQueryToken, missing(400)),
    'unknown-scheme-treated-as-bearer': alter('schemeOf', (known) => known ?? 'bearer'),
    'unusable-credentials-rejected-with-403': unusable(403),
    'unusable-credentials-fail-with-500': unusable(serverError),
  }),
  authentication('unknown-username', {
    'unknown-username-rejected-with-404': onlyIf(ofUnknownUser, wrongPassword(404)),
    'unknown-username-fails-with-500': onlyIf(ofUnknownUser, wrongPassword(serverError)),
  }),
  authentication('unknown-token', {
    'unknown-token-rejected-with-403': unknown(403),
    'unknown-token-rejected-with-404': unknown(404),
    'unknown-token-rejected-with-404-on-a-repository': unknown(404, 'repository'),
    'unknown-token-error-sent-with-200-on-the-list': unknown(200, list),
    'unknown-token-error-sent-with-200-without-accounts': noAccounts(unknown(200)),
    'unknown-token-accepted-in-the-query': onlyIf(usesScheme('query'), anyTokenAccepted),
    'unknown-token-accepted-with-the-legacy-prefix': onlyIf(usesScheme('legacy'), anyTokenAccepted),
    'unknown-token-accepted-in-access-token': onlyIf(hasQuery('access_token'), anyTokenAccepted),
    'token-recognized-by-its-last-eight-characters': matching(
      (token, value) => token.slice(-8) === value.slice(-8),
    ),
    'token-compared-without-its-first-character': matching(
      (token, value) => token.slice(1) === value.slice(1),
    ),
    'token-compared-without-its-last-character': matching(
      (token, value) => token.slice(0, -1) === value.slice(0, token.length - 1),
    ),
    'token-compared-in-any-case': matching(isSame),
    'token-with-a-suffix-accepted': matching((token, value) => value.startsWith(token)),
    'token-recognized-by-its-prefix': matching(
      (token, value) => value.length > 20 && token.startsWith(value),
    ),
    'deleted-token-accepted': tokensCached,
  }),
  authentication('unknown-token-message', {
    'wrong-unknown-token-message': unknown('token does not exist'),
    'unknown-token-message-of-a-missing-one': unknown('token is required'),
    'unknown-token-message-with-full-stop': unknown(withFullStop),
    'unknown-token-message-right-only-on-the-user': unknown('invalid token', beyondTheUser),
  }),
  authentication(['wrong-password', 'unknown-username'], {
    'wrong-password-rejected-with-403': wrongPassword(403),
    'wrong-password-rejected-with-404': wrongPassword(404),
  }),
  authentication(['wrong-password', 'one-time-code-insufficient'], {
    'wrong-password-accepted': anyPassword,
    'wrong-password-accepted-for-token-creation': on('create-token', anyPassword),
  }),
  authentication('wrong-password', {
    'wrong-password-accepted-on-the-list': on(list, anyPassword),
    'wrong-password-accepted-on-a-repository': on('repository', anyPassword),
    'empty-password-accepted': alsoPassword((_, presented) => presented === ''),
    'password-of-another-account-accepted': alsoPassword((_, presented, { server }) =>
      server.store.accounts.some(({ password }) => password === presented),
    ),
    'password-compared-in-any-case': alsoPassword(isSame),
    'password-with-a-suffix-accepted': alsoPassword((password, presented) =>
      presented.startsWith(password),
    ),
    'password-recognized-by-its-prefix': alsoPassword(
      (password, presented) => presented.length > 8 && password.startsWith(presented),
    ),
  }),
  authentication('one-time-code-insufficient', {
    'one-time-code-instead-of-the-password': alsoPassword((_password, _given, context) =>
      hasOneTimeCode(context),
    ),
  }),
  authentication('wrong-password-message', {
    'wrong-wrong-password-message': wrongPassword('wrong password'),
    'wrong-password-message-empty': wrongPassword(''),
    'wrong-password-message-in-another-case': wrongPassword('Invalid username, password or token'),
    'wrong-password-message-of-missing-credentials': wrongPassword('token is required'),
  }),
  authentication('basic', {
    'basic-rejected': on('user', rejectMain),
    'basic-rejected-on-the-list': on(list, rejectMain),
    'basic-rejected-on-a-repository': on('repository', rejectMain),
    'basic-rejected-with-404-on-the-list': onlyIf(
      (context) => usesScheme('basic')(context) && context.caller?.actor.login === logins.main,
      { effectivePage: () => fail(new HttpError(404, 'not found')) },
    ),
  }),
  authentication('sudo-admin-only', {
    'sudo-for-everyone': sudoForEveryone,
    'sudo-for-everyone-by-query': onlyIf(hasQuery('sudo'), sudoForEveryone),
    'sudo-for-everyone-on-the-list': on(list, sudoForEveryone),
    'sudo-for-everyone-on-a-repository': on('repository', sudoForEveryone),
    'sudo-for-everyone-with-a-password': onlyIf(usesScheme('basic'), sudoForEveryone),
    'sudo-without-credentials': onlyIf(underSudo, performedBySiteAdmin),
    'sudo-without-credentials-by-query': onlyIf(hasQuery('sudo'), performedBySiteAdmin),
    'sudo-of-others-error-sent-with-200': reject('sudoForbidden', 200),
    'sudo-for-everyone-if-the-main-account-is-a-site-admin': within(
      'main-account-a-site-admin',
      sudoForEveryone,
    ),
  }),
  authentication(['sudo-header', 'sudo-query'], {
    'sudo-denied-to-the-site-admin': { sudoAllowed: () => false },
    'sudo-changes-nothing': sudoChangesNothing,
    'sudo-changes-nothing-on-the-list': on(list, sudoChangesNothing),
    'sudo-changes-nothing-on-a-repository': on('repository', sudoChangesNothing),
    'sudo-denied-to-tokens': onlyIf(usesScheme('bearer'), { sudoAllowed: () => false }),
    'sudo-as-an-unknown-user-ignored': alter('sudoLogin', (login, { server }) =>
      login && server.store.account(login) ? login : undefined,
    ),
  }),
  authentication('sudo-header', {
    'sudo-header-ignored': { sudoLogin: ({ url }) => url.searchParams.get('sudo') ?? undefined },
  }),
  authentication('sudo-query', {
    'sudo-query-ignored': { sudoLogin: ({ headers }) => headers.get('Sudo') ?? undefined },
  }),
  authentication('one-time-code-required', {
    'one-time-code-checked-only-if-sent': alter(
      'oneTimeCodeNeeded',
      (needed, _account, context) => needed && hasOneTimeCode(context),
    ),
    'missing-one-time-code-error-sent-with-201': reject('missingOneTimeCode', 201),
  }),
  authentication(['one-time-code-required', 'one-time-code-checked'], {
    'one-time-code-ignored': { oneTimeCodeNeeded: () => false },
  }),
  authentication('one-time-code-checked', {
    'one-time-code-not-checked': { oneTimeCodeValid: () => true },
    'one-time-code-of-zeros-accepted': alter(
      'oneTimeCodeValid',
      (valid, _secret, code) => valid || code === '000000',
    ),
    'one-time-codes-accepted-for-hours': {
      oneTimeCodeValid: (secret, token) =>
        new TOTP({ secret }).validate({ token, window: 360 }) !== null,
    },
  }),
  authentication('one-time-code-accepted', {
    'one-time-code-never-accepted': { oneTimeCodeValid: () => false },
    'token-created-with-200-with-a-one-time-code': onlyIf(hasOneTimeCode, createdWith200),
  }),
].flat()
