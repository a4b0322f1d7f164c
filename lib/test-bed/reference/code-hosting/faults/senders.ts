// Faults of changes, tokens and the admin request that show only with another sender, with a name in
// other letters, or with the second request.

import { HttpError, withBytes } from '../../http.ts'
import { alter, faultsOf, on, onlyIf, reject } from '../changes.ts'
import { hasQuery, underSudo } from '../requests.ts'
import type { RequestContext } from '../server.ts'
import { remembering } from './sequences.ts'

const authentication = faultsOf('authentication')
const errors = faultsOf('errors')
const scopes = faultsOf('scopes')
const tokens = faultsOf('tokens')

const content = '{"status":"ok"}'
const isChange = ({ method }: RequestContext) => method !== 'GET'
const isStar = ({ endpoint }: RequestContext) => endpoint === 'star-repository'

export const senderFaults = [
  authentication('unknown-token-message', {
    'unknown-token-called-missing-by-changes': onlyIf(isChange, {
      unknownToken: () => new HttpError(401, 'token is required'),
    }),
  }),
  authentication('missing-credentials', {
    'missing-credentials-of-changes-rejected-with-403': onlyIf(
      isStar,
      reject('missingCredentials', 403),
    ),
  }),
  authentication(['legacy-deprecation-header', 'legacy-sunset-header', 'legacy-warning-header'], {
    'legacy-headers-missing-from-204': alter('finish', (parts) => {
      const { headers } = parts
      if (parts.status !== 204) return parts
      for (const name of ['Deprecation', 'Sunset', 'Warning']) headers.delete(name)
      return parts
    }),
  }),
  authentication('legacy-disabled', {
    'disabled-legacy-prefix-accepted-by-changes in legacy-disabled': onlyIf(isChange, {
      legacySchemeAllowed: () => true,
    }),
  }),
  authentication('one-time-code-required', {
    'empty-one-time-code-accepted': alter(
      'oneTimeCodeNeeded',
      (isNeeded, _account, { headers }) => isNeeded && headers.get('X-Service-OTP') !== '',
    ),
  }),
  errors('server-error-message', {
    'unknown-sudo-user-described-with-500': alter(
      'sudoForbidden',
      (error, { server, ...context }) => {
        const login = context.headers.get('Sudo') ?? context.url.searchParams.get('sudo') ?? ''
        return server.store.account(login) ? error : new HttpError(500, `no user ${login}`)
      },
    ),
  }),
  errors('conflict', {
    // A conflict is 409 for every caller that may make the change.
    'conflict-rejected-with-401-for-a-password': on(
      'create-repository',
      alter('passwordHolds', () => false),
    ),
  }),
  errors('archived', {
    'archived-change-accepted-with-access-token': onlyIf(hasQuery('access_token'), {
      canChange: () => true,
    }),
    'archived-change-accepted-with-sudo': onlyIf(underSudo, { canChange: () => true }),
  }),
  errors('no-content', {
    'content-on-the-second-no-content': remembering((sent) =>
      on(
        'star-repository',
        alter('finish', (parts, _parts, { url }) => {
          if (parts.status !== 204) return parts
          if (sent.has(url.pathname)) {
            return withBytes(parts, { 'Content-Length': `${content.length}` }, content)
          }
          sent.set(url.pathname, true)
          return parts
        }),
      ),
    ),
  }),
  errors('hidden-repository', {
    // A name in other letters shows the same repository, or none.
    'private-repository-returned-in-other-letters': alter(
      'maySee',
      (sees, { owner, name }, _caller, { parameters }) =>
        sees || parameters.owner !== owner || parameters.repo !== name,
    ),
  }),
  scopes('admin-needs-site-admin', {
    // With Sudo the request is performed as the named user, who is not a site administrator.
    'admin-endpoint-open-with-sudo': alter(
      'canAdministrate',
      (_, _account, { caller }) => caller?.actor.siteAdmin === true,
    ),
    'admin-endpoint-open-after-a-site-admin-read-it': ({ canAdministrate }) => {
      let isOpen = false
      return {
        canAdministrate: (account, context) => {
          isOpen ||= canAdministrate(account, context)
          return isOpen
        },
      }
    },
  }),
  scopes('all', {
    'all-does-not-cover-the-admin-category': ({ grants }) => ({
      grants: (granted, anyOf, context) => {
        const isAdmin = anyOf.includes('read:admin')
        return grants(isAdmin ? granted.filter((one) => one !== 'all') : granted, anyOf, context)
      },
    }),
  }),
  tokens('last-eight', {
    'last-eight-of-the-first-token-shown-for-each': remembering<string>((first) =>
      alter('tokenRecord', (record, { login }, lastEight) => {
        if (!first.has(login)) first.set(login, lastEight)
        return { ...record, token_last_eight: first.get(login) }
      }),
    ),
  }),
  faultsOf('resources')('user', {
    'login-hidden-from-public-only-tokens': alter('userRecord', (record, { id }, { caller }) =>
      caller?.scopes?.includes('public-only') ? { id } : record,
    ),
  }),
  tokens('value-shown-once', {
    // The list shows the values of tokens that were used.
    'token-value-listed-after-use': remembering((used) => [
      alter('tokenWithValue', (token) => {
        if (token) used.set(token.value, true)
        return token
      }),
      ({ listedTokenRecord, tokenRecord }) => ({
        listedTokenRecord: (token, ...rest) =>
          (used.has(token.value) ? tokenRecord : listedTokenRecord)(token, ...rest),
      }),
    ]),
  }),
].flat()
