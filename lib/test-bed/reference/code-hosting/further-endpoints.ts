import type { Endpoints, Handler, ResponseParts } from '../http.ts'
import { callerOf } from './authenticate.ts'
import type { Call } from './changes.ts'
import { jsonRecord, seenRepository } from './endpoints.ts'
import type { FurtherEndpoint } from './server.ts'

/** Number of entries of a tree above the maximum of a page. */
const EXTRA_ENTRIES = 5

/** Size of a file that is returned, next to a file that exceeds the limit. */
const SMALL_FILE_BYTES = 100

const content = (size: number) => Buffer.alloc(size, 'a').toString('base64')

const jsonHandler =
  (createRecord: (call: Call) => unknown): Handler<Call> =>
  (call) =>
    jsonRecord(call, 200, createRecord(call))

function tree(call: Call): ResponseParts {
  const { rules, server, url } = call
  seenRepository(call)
  const total = server.settings.defaultGitTreesPerPage + EXTRA_ENTRIES
  const requested = url.searchParams.get('per_page')
  const size = Math.min(rules.treePageSize(requested, server.settings, call), total)
  const entries = Array.from({ length: size }, (_, index) => ({ path: `entry-${index + 1}` }))
  return jsonRecord(call, 200, rules.treeRecord(entries, total, call))
}

function blob(call: Call): ResponseParts {
  const { rules, server } = call
  seenRepository(call)
  const size = server.settings.defaultMaxBlobSize + 1
  const isReturned = rules.isBlobReturned(size, server.settings, call)
  return jsonRecord(call, 200, rules.blobRecord(size, isReturned ? content(size) : null, call))
}

function files(call: Call): ResponseParts {
  const { rules, server } = call
  const { settings } = server
  seenRepository(call)
  let returnedBytes = 0
  const all = [SMALL_FILE_BYTES, settings.defaultMaxResponseSize].map((size, index) => {
    const isReturned = rules.isFileReturned(size, returnedBytes, settings, call)
    if (isReturned) returnedBytes += size
    return { path: `file-${index + 1}`, size, content: isReturned ? content(size) : null }
  })
  return jsonRecord(call, 200, rules.filesRecord(all, call))
}

function admin(call: Call): ResponseParts {
  const { rules } = call
  if (!rules.canAdministrate(callerOf(call).account, call)) throw rules.notSiteAdmin(call)
  return jsonRecord(call, 200, [{ name: 'update_mirrors' }])
}

const repository = '/api/v1/repos/:owner/:repo'

/** Endpoints that the document mentions without their path. */
export const furtherEndpoints: Endpoints<FurtherEndpoint, Call> = {
  activity: ['GET /api/v1/activitypub/user-id/:id', jsonHandler(() => ({ type: 'Person' }))],
  issues: [`GET ${repository}/issues`, jsonHandler(() => [])],
  notifications: ['GET /api/v1/notifications', jsonHandler(() => [])],
  organization: ['GET /api/v1/orgs/:org', jsonHandler(() => ({ name: 'harbor' }))],
  packages: ['GET /api/v1/packages/:owner', jsonHandler(() => [])],
  hooks: [`GET ${repository}/hooks`, jsonHandler(() => [])],
  'git-tree': [`GET ${repository}/git/trees/:sha`, tree],
  'git-blob': [`GET ${repository}/git/blobs/:sha`, blob],
  files: [`GET ${repository}/files`, files],
  admin: ['GET /api/v1/admin/cron', admin],
  version: ['GET /api/v1/version', jsonHandler(() => ({ version: '1.27.3' }))],
}
