import { faultsOf } from '../../service.ts'
import { on, type RuleChange, where, withContentOf, withValueOf } from '../changes.ts'
import type { Rules } from '../rules.ts'

interface UserContent {
  readonly id: number
  readonly login: string
}

interface RepositoryContent {
  readonly name: string
  readonly full_name: string
  readonly archived: boolean
}

/** Sends another value in place of the user record. */
const user = (change: (record: UserContent) => unknown) => withValueOf('user', change)

/** Sends another value in place of the repository record. */
const repository = (change: (record: RepositoryContent) => unknown) =>
  withValueOf('repository', change)

/** Sends another value in place of each record of the listing. */
const listed = (change: (record: RepositoryContent) => unknown) =>
  withValueOf('user-repositories', (records: readonly RepositoryContent[]) => records.map(change))

/** The right content with the status of a response that somebody on the way has changed. */
const answeredWith203: RuleChange = (rules) => ({
  finish: (parts, context) =>
    rules.finish(parts.status === 200 ? { ...parts, status: 203 } : parts, context),
})

/** Another media type for successful responses. */
const typed =
  (mediaType: string): RuleChange =>
  (rules) => ({
    contentType: (status, context) =>
      status < 400 ? mediaType : rules.contentType(status, context),
  })

const withoutLogin = user(({ login, ...record }) => ({ ...record, username: login }))

/** What is about credentials and scopes with which a request is answered with 200. */
const served = [
  ...['bearer', 'bearer-case-insensitive', 'legacy-accepted', 'basic', 'query-token'],
  'query-access-token',
]
  .map((name) => `authentication/${name}`)
  .concat('scopes/read-suffices', 'scopes/write-includes-read')
  .join(' + ')

/** What is about pages that are answered with 200. */
const servedPages = [
  'default-limit',
  'limit-not-positive',
  'limit-honoured',
  'limit-lowered',
  'walk',
]
  .map((name) => `pagination/${name}`)
  .join(' + ')

/** Faults in records and in the form of all content. */
export const resourceFaults = faultsOf<Rules>('code-hosting/resources', {
  [`user + ${served}`]: {
    'user-answered-with-203': on('user', answeredWith203),
  },
  [`repository + ${served}`]: {
    'repository-answered-with-203': on('repository', answeredWith203),
  },
  [`repositories + ${served} + ${servedPages}`]: {
    'list-answered-with-203': on('user-repositories', answeredWith203),
  },
  // A record without the login.
  'user + authentication/sudo-header + authentication/sudo-query + tokens/authenticates': {
    'user-record-without-login': withoutLogin,
    'user-login-as-number': user((record) => ({ ...record, login: record.id })),
    'user-record-in-an-object': user((record) => ({ user: record })),
  },
  user: {
    'user-record-without-login-where-no-name-is-known': {
      variant: 'given-token-alone',
      change: withoutLogin,
    },
    'user-record-of-the-first-account': (rules) => ({
      userRecord: (account, context) =>
        rules.userRecord(context.deployment.store.accounts[0] ?? account, context),
    }),
  },
  repository: {
    'full-name-without-owner': repository((record) => ({ ...record, full_name: record.name })),
    'full-name-turned-round': repository((record) => ({
      ...record,
      full_name: record.full_name.split('/').reverse().join('/'),
    })),
    'repository-in-an-array': repository((record) => [record]),
  },
  // A listing whose repositories have no name.
  'repositories + pagination/walk': {
    'listing-without-full-name': listed(({ full_name: _left, ...record }) => record),
    'listing-full-name-null-where-archived': listed((record) =>
      record.archived ? { ...record, full_name: null } : record,
    ),
    'listing-of-names': listed((record) => record.full_name),
    'listing-in-an-object': withValueOf('user-repositories', (records) => ({
      ok: true,
      data: records,
    })),
  },
  json: {
    'user-as-html': on('user', typed('text/html;charset=utf-8')),
    'listing-as-octets': on('user-repositories', typed('application/octet-stream')),
    'errors-as-html': (rules) => ({
      contentType: (status, context) =>
        status >= 400 ? 'text/html;charset=utf-8' : rules.contentType(status, context),
    }),
    'media-type-missing-on-settings': where(
      ({ endpoint }) => endpoint === 'settings',
      (rules) => ({
        finish: (parts, context) => {
          parts.headers.delete('Content-Type')
          return rules.finish(parts, context)
        },
      }),
    ),
    'content-type-text': { contentType: () => 'text/plain;charset=utf-8' },
  },
  'json + repository': {
    'repository-with-comma-at-the-end': withContentOf('repository', (content) =>
      content.replace(/}$/, ',}'),
    ),
  },
})
