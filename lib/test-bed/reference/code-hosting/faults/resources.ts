import { fail, HttpError, type ResponseParts, responseParts } from '../../http.ts'
import { inSection } from '../../rule-tables.ts'
import {
  alter,
  alterParts,
  documentation,
  limits,
  on,
  onlyIf,
  type RuleChange,
  resources,
  settings,
  versioning,
} from '../changes.ts'
import { list, usesScheme } from '../requests.ts'
import { type Endpoint, logins, type RequestContext } from '../server.ts'

type Fields = Readonly<Record<string, unknown>>

const changePage = (change: Partial<ResponseParts>) =>
  alter('documentationPage', (page) => ({ ...page, ...change }))

const redirected = (path: string) =>
  alter('documentationPage', (_page, { server }) =>
    responseParts(302, { Location: server.basePath + path }),
  )

const settingsDenied = {
  settingsRecord: () => fail(new HttpError(403, 'you may not read the settings')),
}

const recorded = (change: (fields: Fields) => unknown) =>
  alter('settingsRecord', (record) => change(Object(record)))

const field = (name: string, change: (value: number) => unknown) =>
  recorded((fields) => ({ ...fields, [name]: change(Number(fields[name])) }))

const withContentOf = (endpoint: Endpoint, change: (content: string) => string) =>
  alterParts((parts, context) =>
    context.endpoint === endpoint && parts.status === 200
      ? { ...parts, body: change(String(parts.body)) }
      : undefined,
  )

const recordOf =
  (rule: 'userRecord' | 'repositoryRecord', endpoint: Endpoint) =>
  (change: (record: Fields) => unknown): RuleChange =>
    on(
      endpoint,
      alter(rule, (record, ..._parameters) => change(Object(record)) as object),
    )

const fullName = (change: (name: string, record: Fields) => unknown) => (record: Fields) => ({
  ...record,
  full_name: change(String(record.full_name), record),
})

const user = recordOf('userRecord', 'user')
const listed = recordOf('repositoryRecord', list)

/** Sends the status of a response that a transforming proxy has changed (RFC 9110, 15.3.4). */
const respondWith203 = alterParts((parts) =>
  parts.status === 200 ? { ...parts, status: 203 } : parts,
)

const html = 'text/html;charset=utf-8'

/** Sends HTML to clients that accept any media type. */
const sentInHtml = (applies: (context: RequestContext) => boolean) =>
  alterParts((parts, context) => {
    if (context.headers.get('Accept') !== '*/*' || !applies(context)) return
    parts.headers.set('Content-Type', html)
    return { ...parts, body: '<!doctype html><title>Code hosting</title>' }
  })

const withoutLogin = user(({ login, ...record }) => ({ ...record, username: login }))

/** Requirements on credentials and scopes that expect 200. */
const okRequirements = [
  ...inSection('authentication', 'bearer', 'bearer-case-insensitive', 'basic'),
  'authentication/legacy-case-insensitive',
  ...inSection('scopes', 'read-suffices', 'write-includes-read'),
]

export const resourceFaults = [
  documentation('served', {
    'documentation-missing': changePage({ status: 404 }),
    'documentation-blank': changePage({ body: '\n' }),
    'documentation-redirected-in-a-circle': redirected('/api/swagger'),
    'documentation-redirected-to-nothing': redirected('/api/swagger/index.html'),
  }),
  versioning(['prefix', 'settings/readable-by-any-client'], {
    'settings-missing-below-the-prefix': on('settings', (rules) => ({
      begin: (context) => fail(rules.missingEndpoint(context)),
    })),
  }),
  settings('readable-by-any-client', {
    'settings-need-credentials': on('settings', { needsCaller: () => true }),
    'settings-denied-to-passwords': onlyIf(usesScheme('basic'), settingsDenied),
    'settings-denied-to-public-only-tokens': onlyIf(
      ({ caller }) => caller?.scopes?.includes('public-only') === true,
      settingsDenied,
    ),
    'settings-denied-to-tokens-of-another-account': onlyIf(
      ({ caller }) => caller?.scopes !== undefined && caller.account.login === logins.other,
      settingsDenied,
    ),
  }),
  settings(['record', 'values'], {
    'settings-field-missing': field('default_git_trees_per_page', () => undefined),
  }),
  settings('values', {
    'settings-in-mebibytes-for-administrators': onlyIf(
      ({ caller }) => caller?.account.siteAdmin === true,
      field('default_max_blob_size', (size) => size / 2 ** 20),
    ),
  }),
  limits('git-trees', {
    'tree-page-one-entry-too-long': alter('treePageSize', (size) => size + 1),
  }),
  limits('blob', {
    'blob-returned-beyond-the-limit-unencoded in limits-of-a-few-bytes': {
      isBlobReturned: () => true,
      blobRecord: (_size, content) => Buffer.from(content ?? '', 'base64').toString(),
    },
  }),
  limits('response', {
    'files-returned-beyond-the-limit in limits-of-a-few-bytes': { isFileReturned: () => true },
  }),

  resources(['user', ...okRequirements], { 'user-responds-with-203': on('user', respondWith203) }),
  resources(
    ['repository', 'listed-repository', 'scopes/public-only-shows-public', ...okRequirements],
    { 'repository-responds-with-203': on('repository', respondWith203) },
  ),
  resources(['repositories', 'authentication/basic'], {
    'list-responds-with-203': on(list, respondWith203),
  }),
  resources('user', {
    'user-record-without-login-if-no-name-is-known in given-token-only': withoutLogin,
  }),
  resources(['user', 'authentication/basic'], {
    'user-record-of-the-first-account': ({ userRecord }) => ({
      userRecord: (account, context) =>
        userRecord(context.server.store.accounts[0] ?? account, context),
    }),
  }),
  resources('repositories', {
    'listing-full-name-null-if-archived': listed(
      fullName((name, { archived }) => (archived ? null : name)),
    ),
  }),
  resources('listed-repository', {
    'archived-repositories-listed-under-another-name': listed(
      fullName((name, { archived }) => (archived ? `${name}.archived` : name)),
    ),
  }),
  resources('json', {
    'web-page-for-clients-that-accept-anything-on-the-user': sentInHtml(
      ({ endpoint }) => endpoint === 'user',
    ),
  }),
  resources(['json', 'repository'], {
    'repository-with-comma-at-the-end': withContentOf('repository', (at) => at.replace(/}$/, ',}')),
  }),
].flat()
