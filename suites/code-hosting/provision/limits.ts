import { createHash } from 'node:crypto'
import type { SettingsRecord } from './gitea-client.ts'

/** Maximum limits that are exceeded: entries of a tree, and bytes. */
const MAX_ENTRIES = 1000
const MAX_BYTES = 100_000

export interface LimitFile {
  path: string
  /** In base64. */
  content: string
}

/** Files that exceed limits of the API, and the supplied requests for them by variable. */
export interface LimitContent {
  files: readonly LimitFile[]
  requests: Readonly<Record<string, string>>
}

const createContent = (size: number) => Buffer.alloc(size, 'x')

const createFile = (path: string, size: number): LimitFile => ({
  path,
  content: createContent(size).toString('base64'),
})

function hashBlob(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}

/**
 * Returns the smallest content that exceeds each limit that is low enough.
 *
 * @param repository `owner/name` of an empty repository
 */
export function createLimitContent(settings: SettingsRecord, repository: string): LimitContent {
  const {
    default_git_trees_per_page: entries = Infinity,
    default_max_blob_size: blob = Infinity,
    default_max_response_size: response = Infinity,
  } = settings
  const path = `GET /api/v1/repos/${repository}`
  const files: LimitFile[] = []
  const requests: Record<string, string> = {}
  if (blob <= MAX_BYTES) {
    files.push(createFile('large-blob', blob + 1))
    requests.CODE_HOSTING_LARGE_BLOB = `${path}/git/blobs/${hashBlob(createContent(blob + 1))}`
  }
  if (response <= MAX_BYTES) {
    const size = Math.min(blob, response)
    const count = Math.floor(response / size) + 1
    const parts = Array.from({ length: count }, (_, index) => createFile(`part-${index + 1}`, size))
    files.push(...parts)
    const body = JSON.stringify({ files: parts.map((part) => part.path) })
    requests.CODE_HOSTING_LARGE_FILES = `${path}/file-contents?body=${encodeURIComponent(body)}`
  }
  if (entries <= MAX_ENTRIES) {
    files.push(
      ...Array.from({ length: entries + 1 }, (_, index) => createFile(`entry-${index + 1}`, 0)),
    )
    requests.CODE_HOSTING_LARGE_TREE = `${path}/git/trees/HEAD?per_page=${entries + 1}`
  }
  return { files, requests }
}
