import { TOTP } from 'otpauth'
import { fail, HttpError } from '../../http.ts'
import type { Change } from '../../rule-tables.ts'
import {
  alter,
  at,
  authentication,
  on,
  onlyIf,
  type RuleChange,
  type Rules,
  reject,
} from '../changes.ts'
import { hasEmptyQueryToken, hasQuery, underSudo, usesScheme } from '../requests.ts'
import { logins, type RequestContext } from '../server.ts'

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

const tokenOf = (value: string, { server }: RequestContext) =>
  server.store.tokens.find((token) => token.value === value)

/** A token in basic authentication authenticates its user, if this holds for the name or password that it has. */
export const tokenInBasic = (
  part: 'username' | 'password',
  isAccepted: (username: string, login: string) => boolean,
): Change<Rules> => [
  alter('accountNamed', (account, username, password, context) => {
    const token = tokenOf(part === 'username' ? username : password, context)
    return token && isAccepted(username, token.login)
      ? context.server.store.account(token.login)
      : account
  }),
  alter('passwordHolds', (holds, _account, presented, context) => {
    const { credentials } = context
    if (holds || credentials?.scheme !== 'basic') return holds
    const { username } = credentials
    const token = tokenOf(part === 'username' ? username : presented, context)
    return token !== undefined && isAccepted(username, token.login)
  }),
]

const isLogin = (username: string) => Object.values<string>(logins).includes(username)

const hasHeader =
  (name: string) =>
  ({ headers }: RequestContext) =>
    headers.has(name)

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

const anyPassword = { passwordHolds: () => true }
const sudoForAll = { sudoAllowed: () => true }
const administratorsSeeAll = alter(
  'maySee',
  (may, _repository, { actor }) => may || actor.siteAdmin,
)
const sudoWithoutEffect = alter('actAs', (_named, actor) => actor)
const performedBySiteAdmin = performedBy('anonymousCaller', logins.siteAdmin)

export const authenticationFaults = [
  authentication('unknown-username', {
    'token-accepted-as-the-password-of-an-unknown-user': on(
      'user',
      tokenInBasic('password', (username) => username.startsWith('plumbline')),
    ),
    'token-accepted-as-a-username': on(
      'user',
      tokenInBasic('username', () => true),
    ),
  }),
  authentication('missing-credentials', {
    ...at('sudo-without-credentials', ['by-query'], onlyIf(underSudo, performedBySiteAdmin)),
    'sudo-without-credentials-rejected-with-403': onlyIf(
      underSudo,
      reject('missingCredentials', 403),
    ),
    'local-address-of-a-proxy-accepted': onlyIf(hasHeader('X-Forwarded-For'), performedBySiteAdmin),
    // The server ignores the token correctly, so it breaks only this requirement.
    'public-repository-returned-with-a-disabled-query-token in query-disabled':
      publicRepositoryShown,
  }),
  authentication('unusable-credentials', {
    'empty-bearer-token-accepted': onlyIf(
      ({ headers }) => headers.get('Authorization') === 'Bearer',
      performedBy('unusableCaller', logins.main),
    ),
    'empty-query-token-accepted': onlyIf(
      hasEmptyQueryToken,
      performedBy('anonymousCaller', logins.main),
    ),
    'unknown-scheme-treated-as-bearer': alter('schemeOf', (known) => known ?? 'bearer'),
  }),
  authentication('unknown-token', {
    ...at('unknown-token-accepted', ['with-the-legacy-prefix'], anyTokenAccepted),
    ...at('unknown-token-accepted', ['in-access-token'], anyTokenAccepted),
    'token-compared-without-its-first-character': matching(
      (token, value) => token.slice(1) === value.slice(1),
    ),
    'last-eight-of-a-token-accepted': matching(
      (token, value) => token === value || (value.length === 8 && token.endsWith(value)),
    ),
    'token-compared-in-any-case': matching(isSame),
    'token-with-a-suffix-accepted': matching((token, value) => value.startsWith(token)),
    'token-recognized-by-its-prefix': matching(
      (token, value) => value.length > 20 && token.startsWith(value),
    ),
    'deleted-token-accepted': tokensCached,
  }),
  authentication(
    ['wrong-password', 'one-time-code-insufficient'],
    at('wrong-password-accepted', [''], anyPassword),
  ),
  authentication('wrong-password', {
    'token-accepted-as-the-password-of-another-user': on(
      'user',
      tokenInBasic('password', (username, login) => username !== login && isLogin(username)),
    ),
    ...at('wrong-password-accepted', ['with-sudo'], anyPassword),
    'empty-password-accepted': alsoPassword((_, presented) => presented === ''),
    'password-of-another-account-accepted': alsoPassword((_, presented, { server }) =>
      server.store.accounts.some(({ password }) => password === presented),
    ),
    'password-cut-at-colon': alsoPassword(
      (password, presented) => presented.split(':')[0] === password,
    ),
    'password-trimmed-at-its-end': alsoPassword(
      (password, presented) => presented.trimEnd() === password,
    ),
    'password-compared-in-any-case': alsoPassword(isSame),
  }),
  authentication('one-time-code-insufficient', {
    'one-time-code-instead-of-the-password': alsoPassword((_password, _given, context) =>
      hasOneTimeCode(context),
    ),
  }),
  authentication('basic', {
    'basic-rejected': on('user', rejectMain),
    ...at('basic-rejected', ['on-a-repository'], rejectMain),
    'basic-rejected-with-404-on-the-list': onlyIf(
      (context) => usesScheme('basic')(context) && context.caller?.actor.login === logins.main,
      { effectivePage: () => fail(new HttpError(404, 'not found')) },
    ),
  }),
  authentication('sudo-admin-only', {
    ...at('sudo-for-everyone', ['on-the-list'], sudoForAll),
    'sudo-for-tokens-with-write-admin': [
      { canGrant: () => true },
      alter(
        'sudoAllowed',
        (allowed, _actor, { caller }) =>
          allowed || caller?.scopes?.includes('write:admin') === true,
      ),
    ],
  }),
  authentication(['sudo-admin-only', 'tokens/own-credentials'], {
    ...at('sudo-for-everyone', ['by-query'], sudoForAll),
    'sudo-for-everyone-if-the-main-account-is-a-site-admin in main-account-a-site-admin':
      sudoForAll,
  }),
  authentication(['sudo-header', 'sudo-query'], {
    ...at('sudo-changes-nothing', ['on-the-list'], sudoWithoutEffect),
    'sudo-as-an-unknown-user-ignored': alter('sudoLogin', (login, { server }) =>
      login && server.store.account(login) ? login : undefined,
    ),
  }),
  authentication('sudo-header', {
    ...at('sudo-ignored', ['with-bearer-in-other-letters'], { sudoLogin: () => undefined }),
    'sudo-header-keeps-what-the-administrator-sees': onlyIf(
      ({ headers }) => headers.has('Sudo'),
      administratorsSeeAll,
    ),
  }),
  authentication('sudo-query', {
    'sudo-query-keeps-what-the-administrator-sees': onlyIf(hasQuery('sudo'), administratorsSeeAll),
  }),
  authentication('one-time-code-checked', {
    'one-time-codes-accepted-for-hours': {
      oneTimeCodeValid: (secret, token) =>
        new TOTP({ secret }).validate({ token, window: 360 }) !== null,
    },
  }),
  authentication('one-time-code-accepted', {
    'one-time-code-never-accepted': { oneTimeCodeValid: () => false },
  }),
].flat()
