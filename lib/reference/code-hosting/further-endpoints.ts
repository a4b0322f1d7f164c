import type { Endpoints, Handler, ResponseParts } from '../http.ts'
import { callerOf } from './authenticate.ts'
import type { Call } from './changes.ts'
import type { FurtherEndpoint } from './deployment.ts'
import { jsonRecord, seenRepository } from './endpoints.ts'

/** More entries than a page may have. */
const ENTRIES_BEYOND = 5

/** Size of a file that is returned, beside one that is too large with it. */
const SMALL_FILE_BYTES = 100

const content = (size: number) => Buffer.alloc(size, 'a').toString('base64')

const jsonHandler =
  (createRecord: (call: Call) => unknown): Handler<Call> =>
  (call) =>
    jsonRecord(call, 200, createRecord(call))

function tree(call: Call): ResponseParts {
  const { rules, deployment, url } = call
  seenRepository(call)
  const total = deployment.settings.defaultGitTreesPerPage + ENTRIES_BEYOND
  const requested = url.searchParams.get('per_page')
  const size = Math.min(rules.treePageSize(requested, deployment.settings, call), total)
  const entries = Array.from({ length: size }, (_, index) => ({ path: `entry-${index + 1}` }))
  return jsonRecord(call, 200, rules.treeRecord(entries, total, call))
}

function blob(call: Call): ResponseParts {
  const { rules, deployment } = call
  seenRepository(call)
  const size = deployment.settings.defaultMaxBlobSize + 1
  const shown = rules.isBlobReturned(size, deployment.settings, call)
  return jsonRecord(call, 200, rules.blobRecord(size, shown ? content(size) : null, call))
}

function files(call: Call): ResponseParts {
  const { rules, deployment } = call
  const { settings } = deployment
  seenRepository(call)
  let shown = 0
  const all = [SMALL_FILE_BYTES, settings.defaultMaxResponseSize].map((size, index) => {
    const isShown = rules.isFileReturned(size, shown, settings, call)
    if (isShown) shown += size
    return { path: `file-${index + 1}`, size, content: isShown ? content(size) : null }
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
  version: ['GET /api/v1/version', jsonHandler((call) => ({ version: call.rules.release(call) }))],
}
