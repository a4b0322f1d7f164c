import { ofSection } from '../../service.ts'
import { altered, faultsOf, on, type RuleChange, sent, within } from '../changes.ts'
import type { Endpoint } from '../deployment.ts'

type Fields = Readonly<Record<string, unknown>>

const list = 'user-repositories'

const withContentOf = (endpoint: Endpoint, change: (content: string) => string) =>
  sent((parts, context) =>
    context.endpoint === endpoint && parts.status === 200
      ? { ...parts, body: change(String(parts.body)) }
      : undefined,
  )

const recordOf =
  (rule: 'userRecord' | 'repositoryRecord', endpoint: Endpoint) =>
  (change: (record: Fields) => unknown): RuleChange =>
    on(
      endpoint,
      altered(rule, (record, ..._asked) => change(Object(record)) as object),
    )

/** Another value in place of a record, and of each record of the listing. */
const user = recordOf('userRecord', 'user')
const repository = recordOf('repositoryRecord', 'repository')
const listed = recordOf('repositoryRecord', list)

/** The right content with the status of a response that somebody on the way has changed. */
const answeredWith203 = sent((parts) => (parts.status === 200 ? { ...parts, status: 203 } : parts))

const html = 'text/html;charset=utf-8'

const typed = (mediaType: string) =>
  altered('contentType', (type, status) => (status < 400 ? mediaType : type))

const withoutLogin = user(({ login, ...record }) => ({ ...record, username: login }))

/** What is about credentials and scopes with which a request is answered with 200. */
const served = `${ofSection(
  'authentication',
  'bearer + bearer-case-insensitive + legacy-accepted + basic + query-token + query-access-token',
)} + scopes/read-suffices + scopes/write-includes-read`

/** What is about pages that are answered with 200. */
const servedPages = ofSection(
  'pagination',
  'default-limit + limit-not-positive + limit-honoured + limit-lowered + walk',
)

export const resourceFaults = faultsOf('resources', {
  [`user + ${served}`]: { 'user-answered-with-203': on('user', answeredWith203) },
  [`repository + ${served}`]: { 'repository-answered-with-203': on('repository', answeredWith203) },
  [`repositories + ${served} + ${servedPages}`]: {
    'list-answered-with-203': on(list, answeredWith203),
  },
  'user + authentication/sudo-header + authentication/sudo-query + tokens/authenticates': {
    'user-record-without-login': withoutLogin,
    'user-login-as-number': user((record) => ({ ...record, login: record.id })),
    'user-record-in-an-object': user((record) => ({ user: record })),
  },
  user: {
    'user-record-without-login-where-no-name-is-known': within('given-token-alone', withoutLogin),
    'user-record-of-the-first-account': ({ userRecord }) => ({
      userRecord: (account, context) =>
        userRecord(context.deployment.store.accounts[0] ?? account, context),
    }),
  },
  repository: {
    'full-name-without-owner': repository((record) => ({ ...record, full_name: record.name })),
    'full-name-turned-round': repository(({ full_name, ...record }) => ({
      ...record,
      full_name: String(full_name).split('/').reverse().join('/'),
    })),
    'repository-in-an-array': repository((record) => [record]),
  },
  'repositories + pagination/walk': {
    'listing-without-full-name': listed(({ full_name: _left, ...record }) => record),
    'listing-full-name-null-where-archived': listed(({ full_name, ...record }) => ({
      ...record,
      full_name: record.archived ? null : full_name,
    })),
    'listing-of-names': listed((record) => record.full_name),
    'listing-in-an-object': withContentOf(list, (all) => `{"ok":true,"data":${all}}`),
  },
  json: {
    'user-as-html': on('user', typed(html)),
    'listing-as-octets': on(list, typed('application/octet-stream')),
    'errors-as-html': altered('contentType', (type, code) => (code < 400 ? type : html)),
    'media-type-missing-on-settings': on(
      'settings',
      sent(({ headers }) => void headers.delete('Content-Type')),
    ),
    'content-type-text': { contentType: () => 'text/plain;charset=utf-8' },
  },
  'json + repository': {
    'repository-with-comma-at-the-end': withContentOf('repository', (at) => at.replace(/}$/, ',}')),
  },
})
