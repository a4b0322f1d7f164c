import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { HttpError } from '../../http.ts'
import { alter, alterParts, on, onlyIf, tokens } from '../changes.ts'
import { hasQuery, usesScheme } from '../requests.ts'
import { logins, type RequestContext } from '../server.ts'
import { tokenInBasic } from './authentication.ts'

const recordWith = (change: (record: { sha1: string; token_last_eight: string }) => object) =>
  alter('tokenRecord', (record) => ({ ...record, ...change(Object(record)) }))

const ending = (lastEight: (value: string) => string) => ({ lastEight })

const hashed = (by: string, value: string) => createHash(by).update(value).digest('hex')

export const presentedToken = ({ credentials }: RequestContext): string | undefined =>
  credentials !== undefined && 'token' in credentials ? credentials.token : undefined

const anyCredentials = { managesTokens: () => true }

const alsoKnown = (isKnown: (scope: string) => boolean) =>
  alter('scopeKnown', (known, scope) => known || isKnown(scope))

const ofCreation = ['created', 'name-unique-per-user', 'documented-scopes']

export const tokenFaults = [
  tokens([...ofCreation, 'authentication/one-time-code-accepted'], {
    'token-created-with-200': { createdTokenStatus: () => 200 },
  }),
  tokens('basic-only', {
    'tokens-created-with-the-legacy-prefix': onlyIf(usesScheme('legacy'), anyCredentials),
    'tokens-created-with-a-token-in-access-token': onlyIf(hasQuery('access_token'), anyCredentials),
  }),
  tokens('basic-only', {
    'token-with-all-accepted-instead-of-the-password': on(
      'create-token',
      alter(
        'passwordHolds',
        (holds, { login }, presented, { server }) =>
          holds ||
          server.store
            .tokensOf(login)
            .some(({ value, scopes }) => value === presented && scopes.includes('all')),
      ),
    ),
    'tokens-created-with-a-token-as-username': on(
      'create-token',
      tokenInBasic('username', () => true),
    ),
  }),
  tokens('own-credentials', {
    'tokens-created-by-the-site-admin': alter(
      'managesTokensOf',
      (may, _account, { actor }) => may || actor.siteAdmin,
    ),
  }),
  tokens('duplicate-name', {
    'duplicate-name-accepted-with-other-scopes': {
      tokenNameTaken: (tokens, { login }, name, scopes) =>
        tokens.some(
          (token) =>
            token.login === login && token.name === name && token.scopes.join() === scopes.join(),
        ),
    },
    // Another request may create the token between the check and the creation.
    'duplicate-name-accepted-at-the-same-time': alter('tokenNameTaken', async (is) =>
      delay(50, await is),
    ),
    'duplicate-name-accepted': { tokenNameTaken: () => false },
  }),
  tokens('name-unique-per-user', {
    'token-names-unique-across-users': {
      tokenNameTaken: (tokens, _account, name) => tokens.some((token) => token.name === name),
    },
  }),
  tokens('documented-scopes', {
    'documented-scope-rejected': alter('scopeKnown', (is, one) => is && one !== 'read:activitypub'),
    'admin-scopes-denied-to-the-site-admin': { canGrant: (scope) => !scope.endsWith(':admin') },
  }),
  tokens('unknown-scope', {
    'scope-in-other-letters-accepted': (rules) => ({
      scopeKnown: (scope, context) => rules.scopeKnown(scope.toLowerCase(), context),
    }),
    'scope-with-blanks-accepted': (rules) => ({
      scopeKnown: (scope, context) => rules.scopeKnown(scope.trim(), context),
    }),
    'several-scopes-in-one-text-accepted': (rules) => ({
      scopeKnown: (scope, context) =>
        scope.split(',').every((one) => rules.scopeKnown(one, context)),
    }),
    'scope-of-another-category-accepted': alsoKnown((scope) => scope === 'read:misc'),
    'unknown-scope-accepted-before-a-known-one': (rules) => ({
      scopeKnown: () => true,
      scopesError: ([...scopes], context) => {
        const end = scopes.pop() ?? 'all'
        return rules.scopeKnown(end, context) ? undefined : rules.unknownScope(end, context)
      },
    }),
  }),
  tokens('created', {
    'token-value-under-another-name': recordWith(({ sha1 }) => ({ sha1: undefined, token: sha1 })),
    'token-value-an-object': recordWith(({ sha1 }) => ({ sha1: { value: sha1 } })),
  }),
  tokens(['created', 'last-eight'], {
    'last-eight-missing': recordWith(() => ({ token_last_eight: undefined })),
  }),
  tokens(['last-eight', 'last-eight-in-reads'], {
    'last-eight-is-last-seven': ending((value) => value.slice(-7)),
  }),
  tokens('authenticates', {
    'token-value-is-a-hash-of-it': recordWith(({ sha1, token_last_eight: end }) => ({
      sha1: hashed('sha1', sha1).slice(0, -8) + end,
    })),
  }),
  tokens(['authenticates', 'resources/user'], {
    'token-of-another-user-authenticates-the-main-one': on(
      'user',
      alter('tokenWithValue', (token) =>
        token?.login === logins.other ? { ...token, login: logins.main } : token,
      ),
    ),
    'token-authenticates-another-user': on(
      'user',
      alter('tokenWithValue', (token) =>
        token?.login === logins.main ? { ...token, login: logins.other } : token,
      ),
    ),
  }),
  tokens('value-shown-once', {
    'token-value-in-listing': on(
      'user-repositories',
      alter('repositoryRecord', (record, { owner, name }, context) => {
        const value = presentedToken(context)
        if (value === undefined) return record
        const address = context.server.baseUrl.replace('://', `://${value}@`)
        return { ...record, clone_url: `${address}/${owner}/${name}.git` }
      }),
    ),
    'token-value-in-duplicate-name-message': alter(
      'duplicateTokenName',
      ({ status, message }, name, { server }) => {
        const token = server.store.tokens.find((other) => other.name === name)
        return new HttpError(status, `${message} (${token?.value})`)
      },
    ),
    'token-value-in-the-user-record': alter('userRecord', (record, { login }, { server }) => {
      const tokens = server.store.tokensOf(login)
      return { ...record, tokens: tokens.map(({ name, value }) => ({ name, sha1: value })) }
    }),
    'token-value-in-a-cookie': alterParts(({ headers }, context) => {
      const value = context.caller && presentedToken(context)
      if (value !== undefined) headers.set('Set-Cookie', `session=${value}; HttpOnly`)
    }),
  }),
].flat()
