import { alter, faultsOf, on, reject, within } from '../changes.ts'
import type { FurtherEndpoint } from '../server.ts'

const requireScopes = (endpoint: FurtherEndpoint, ...scopes: readonly string[]) =>
  on(endpoint, { requiredScopes: () => scopes })

const alsoOpenTo = (endpoint: FurtherEndpoint, category: string) =>
  on(
    endpoint,
    alter(
      'grants',
      (grants, granted) => grants || granted.some((scope) => scope.endsWith(`:${category}`)),
    ),
  )

const withinAll = (...change: Parameters<typeof within>[1][]) =>
  within('every-category-supplied', change)

const withoutScopes = 'token does not have at least one of required scope(s)'

const scopes = faultsOf('scopes')
const limits = faultsOf('limits')
const tokens = faultsOf('tokens')

export const furtherFaults = [
  scopes('repository-category', {
    'hooks-open-to-every-scope': requireScopes('hooks'),
    'hooks-need-a-write-scope': requireScopes('hooks', 'write:repository'),
    'files-open-to-every-scope': requireScopes('files'),
    'hooks-open-to-scopes-of-organizations': alsoOpenTo('hooks', 'organization'),
    'hooks-without-the-scope-answered-with-401': reject('missingScope', 401, 'hooks'),
  }),
  scopes('admin-needs-site-admin', {
    'admin-endpoints-open-to-everyone': { canAdministrate: () => true },
    'admin-endpoints-open-to-every-scope': requireScopes('admin'),
    'admin-endpoints-answered-with-404': reject('notSiteAdmin', 404),
    'admin-endpoints-error-sent-with-200': reject('notSiteAdmin', 200),
  }),
  scopes('other-categories', {
    'activities-open-to-every-scope': withinAll(requireScopes('activity')),
    'issues-open-to-every-scope': withinAll(requireScopes('issues')),
    'issues-open-to-every-scope-where-no-other-category-is-supplied': within(
      'one-category-supplied',
      requireScopes('issues'),
    ),
    'issues-open-to-scopes-of-repositories': withinAll(alsoOpenTo('issues', 'repository')),
    'notifications-open-to-every-scope': withinAll(requireScopes('notifications')),
    'organizations-open-to-every-scope': withinAll(requireScopes('organization')),
    'organizations-need-a-scope-of-repositories': withinAll(
      requireScopes('organization', 'read:repository'),
    ),
    'packages-open-to-every-scope': withinAll(requireScopes('packages')),
    'packages-open-to-scopes-of-organizations': withinAll(alsoOpenTo('packages', 'organization')),
    'packages-without-the-scope-answered-with-404': withinAll(
      reject('missingScope', 404, 'packages'),
    ),
  }),
  scopes(['other-categories', 'message-names-required'], {
    'issues-need-a-write-scope': withinAll(requireScopes('issues', 'write:issue')),
  }),
  scopes(['missing-scope-message', 'message-names-required', 'message-names-granted'], {
    'missing-scope-message-without-scopes-on-packages': withinAll(
      reject('missingScope', withoutScopes, 'packages'),
    ),
  }),
  limits('git-trees', {
    'tree-page-as-long-as-requested': { treePageSize: (requested) => Number(requested) },
    'tree-page-one-entry-too-long': alter('treePageSize', (size) => size + 1),
  }),
  limits('blob', {
    'blob-returned-beyond-the-limit': within('limits-of-a-few-bytes', {
      isBlobReturned: () => true,
    }),
    'blob-returned-beyond-the-limit-as-it-is': within('limits-of-a-few-bytes', {
      isBlobReturned: () => true,
      blobRecord: (_size, content) => Buffer.from(content ?? '', 'base64').toString(),
    }),
  }),
  limits('response', {
    'files-returned-beyond-the-limit': within('limits-of-a-few-bytes', {
      isFileReturned: () => true,
    }),
  }),
  tokens('last-eight-in-reads', {
    'last-eight-missing-in-reads': alter('listedTokenRecord', (record) => ({
      ...record,
      token_last_eight: undefined,
    })),
    'last-eight-behind-asterisks-in-reads': alter('listedTokenRecord', (record, _, end) => ({
      ...record,
      token_last_eight: `****${end}`,
    })),
  }),
  tokens('value-shown-once', {
    'token-value-in-reads': alter('listedTokenRecord', (record, { value }) => ({
      ...record,
      sha1: value,
    })),
  }),
].flat()
