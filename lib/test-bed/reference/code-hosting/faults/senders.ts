// Faults of changes, tokens and the admin request that show only with another sender, with a name in
// other letters, or with the second request.

import { responseParts } from '../../http.ts'
import { alter, faultsOf, on, onlyIf, reject } from '../changes.ts'
import { underSudo } from '../requests.ts'
import type { RequestContext } from '../server.ts'
import { remembering } from './sequences.ts'

const errors = faultsOf('errors')
const scopes = faultsOf('scopes')
const tokens = faultsOf('tokens')

const content = '{"status":"ok"}'
const fieldsOfContent = `Content-Length: ${content.length}\r\nConnection: close`
const noContentWithBody = {
  ...responseParts(204),
  raw: `HTTP/1.1 204 No Content\r\n${fieldsOfContent}\r\n\r\n${content}`,
}

const isPost = ({ method }: RequestContext) => method === 'POST'

export const senderFaults = [
  errors('conflict', {
    // A conflict is 409 for every caller that may make the change.
    'conflict-rejected-with-401-for-a-password': on(
      'create-repository',
      alter('passwordHolds', () => false),
    ),
  }),
  errors('archived', {
    'archived-change-accepted-with-sudo': onlyIf(underSudo, { canChange: () => true }),
  }),
  errors('no-content', {
    'content-on-the-second-no-content': remembering((sent) =>
      on(
        'star-repository',
        alter('finish', (parts, _parts, { url }) => {
          if (parts.status !== 204) return parts
          if (sent.has(url.pathname)) return noContentWithBody
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
    // With Sudo the request is performed as the named user, who is no site administrator.
    'admin-endpoint-open-with-sudo': alter(
      'canAdministrate',
      (_, _account, { caller }) => caller?.actor.siteAdmin === true,
    ),
  }),
  scopes('all', {
    'all-does-not-cover-the-admin-category': ({ grants }) => ({
      grants: (granted, anyOf, context) => {
        const isAdmin = anyOf.includes('read:admin')
        return grants(isAdmin ? granted.filter((one) => one !== 'all') : granted, anyOf, context)
      },
    }),
  }),
  scopes('changes-need-write', {
    'missing-scope-rejected-with-401-for-changes': onlyIf(isPost, reject('missingScope', 401)),
  }),
  tokens('duplicate-name', {
    'duplicate-token-name-accepted-with-a-capital-letter': alter(
      'tokenNameTaken',
      (taken, _tokens, _account, name) => taken && name === name.toLowerCase(),
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
