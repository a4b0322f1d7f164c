import { withContentOf, withValueOf } from '../changed-content.ts'
import type { Fault } from '../fault.ts'
import type { Endpoint } from '../request-context.ts'
import { type RuleChange, replaceRule } from '../rules.ts'

const section = 'code-hosting/resources'

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
function user(change: (record: UserContent) => unknown): RuleChange {
  return withValueOf('user', change)
}

/** Sends another value in place of the repository record. */
function repository(change: (record: RepositoryContent) => unknown): RuleChange {
  return withValueOf('repository', change)
}

/** Sends another value in place of each record of the listing. */
function listed(change: (record: RepositoryContent) => unknown): RuleChange {
  return withValueOf('user-repositories', (records: readonly RepositoryContent[]) =>
    records.map(change),
  )
}

/** What is about credentials and scopes with which a request is answered with 200. */
const served = [
  'code-hosting/authentication/bearer',
  'code-hosting/authentication/bearer-case-insensitive',
  'code-hosting/authentication/legacy-accepted',
  'code-hosting/authentication/basic',
  'code-hosting/authentication/query-token',
  'code-hosting/authentication/query-access-token',
  'code-hosting/scopes/read-suffices',
  'code-hosting/scopes/write-includes-read',
]

/** The right content with the status of a response that somebody on the way has changed. */
function answeredWith203(endpoint: Endpoint): RuleChange {
  return replaceRule('finish', (documented) => (parts, context) => {
    const changed = context.endpoint === endpoint && parts.status === 200
    return documented(changed ? { ...parts, status: 203 } : parts, context)
  })
}

/** What a user record that does not tell whose it is breaks. */
const nameless = [
  `${section}/user`,
  'code-hosting/authentication/sudo-header',
  'code-hosting/authentication/sudo-query',
  'code-hosting/tokens/authenticates',
]

/** What a listing whose repositories cannot be told apart breaks. */
const unlisted = [`${section}/repositories`, 'code-hosting/pagination/walk']

/** Another media type for the successful responses of an endpoint. */
function typed(endpoint: Endpoint, mediaType: string): RuleChange {
  return replaceRule(
    'contentType',
    (documented) => (status, context) =>
      context.endpoint === endpoint && status < 400 ? mediaType : documented(status, context),
  )
}

/** Faults in records and in the form of all content. */
export const resourceFaults: readonly Fault[] = [
  {
    name: 'user-answered-with-203',
    requirements: [`${section}/user`, ...served],
    change: answeredWith203('user'),
  },
  {
    name: 'list-answered-with-203',
    requirements: [
      `${section}/repositories`,
      ...served,
      ...['default-limit', 'limit-not-positive', 'limit-honoured', 'limit-lowered', 'walk'].map(
        (name) => `code-hosting/pagination/${name}`,
      ),
    ],
    change: answeredWith203('user-repositories'),
  },
  {
    name: 'user-record-without-login',
    requirements: nameless,
    change: user(({ login, ...record }) => ({ ...record, username: login })),
  },
  {
    name: 'user-record-without-login-where-no-name-is-known',
    requirements: [`${section}/user`],
    variant: 'given-token-alone',
    change: user(({ login, ...record }) => ({ ...record, username: login })),
  },
  {
    name: 'user-login-as-number',
    requirements: nameless,
    change: user((record) => ({ ...record, login: record.id })),
  },
  {
    name: 'user-record-in-an-object',
    requirements: nameless,
    change: user((record) => ({ user: record })),
  },
  {
    name: 'user-record-of-the-first-account',
    requirements: [`${section}/user`],
    change: replaceRule(
      'userRecord',
      (documented) => (account, context) =>
        documented(context.deployment.store.accounts[0] ?? account, context),
    ),
  },
  {
    name: 'full-name-without-owner',
    requirements: [`${section}/repository`],
    change: repository((record) => ({ ...record, full_name: record.name })),
  },
  {
    name: 'full-name-turned-round',
    requirements: [`${section}/repository`],
    change: repository((record) => ({
      ...record,
      full_name: record.full_name.split('/').reverse().join('/'),
    })),
  },
  {
    name: 'repository-in-an-array',
    requirements: [`${section}/repository`],
    change: repository((record) => [record]),
  },
  {
    name: 'listing-without-full-name',
    requirements: unlisted,
    change: listed(({ full_name: _left, ...record }) => record),
  },
  {
    name: 'listing-full-name-null-where-archived',
    requirements: unlisted,
    change: listed((record) => (record.archived ? { ...record, full_name: null } : record)),
  },
  {
    name: 'listing-of-names',
    requirements: unlisted,
    change: listed((record) => record.full_name),
  },
  {
    name: 'listing-in-an-object',
    requirements: unlisted,
    change: withValueOf('user-repositories', (records) => ({
      ok: true,
      data: records,
    })),
  },
  {
    name: 'user-as-html',
    requirements: [`${section}/json`],
    change: typed('user', 'text/html;charset=utf-8'),
  },
  {
    name: 'listing-as-octets',
    requirements: [`${section}/json`],
    change: typed('user-repositories', 'application/octet-stream'),
  },
  {
    name: 'errors-as-html',
    requirements: [`${section}/json`],
    change: replaceRule(
      'contentType',
      (documented) => (status, context) =>
        status >= 400 ? 'text/html;charset=utf-8' : documented(status, context),
    ),
  },
  {
    name: 'media-type-missing-on-settings',
    requirements: [`${section}/json`],
    change: replaceRule('finish', (documented) => (parts, context) => {
      if (context.endpoint === 'settings') parts.headers.delete('Content-Type')
      return documented(parts, context)
    }),
  },
  {
    name: 'repository-with-comma-at-the-end',
    requirements: [`${section}/json`, `${section}/repository`],
    change: withContentOf('repository', (content) => content.replace(/}$/, ',}')),
  },
]
