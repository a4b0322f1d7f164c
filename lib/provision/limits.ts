import { createHash } from 'node:crypto'
import type { GiteaClient, SettingsRecord } from './gitea-client.ts'

/** The most that is created to show a limit: files in a tree, and bytes. */
const MAX_ENTRIES = 1000
const MAX_BYTES = 100_000

/** More in one commit would take a server longer than a request may last. */
const FILES_PER_COMMIT = 250

interface LimitFile {
  path: string
  /** In base64. */
  content: string
}

/** Files that go beyond limits of the API, and the supplied requests for them by variable. */
export interface LimitContent {
  files: readonly LimitFile[]
  requests: Readonly<Record<string, string>>
}

const createContent = (size: number) => Buffer.alloc(size, 'x')

const createFile = (path: string, size: number): LimitFile => {
  return { path, content: createContent(size).toString('base64') }
}

/** Returns the name that Git gives a blob. */
function hashBlob(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}

/**
 * Returns the smallest content that goes beyond each limit that is low enough.
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

/** Returns true if the server has the last of the files, which are added in their order. */
export async function hasLimitContent(
  client: GiteaClient,
  owner: string,
  name: string,
  files: LimitContent['files'],
): Promise<boolean> {
  const last = files.at(-1)
  return last === undefined || client.hasFile(owner, name, last.path)
}

export async function addLimitContent(
  client: GiteaClient,
  owner: string,
  name: string,
  files: LimitContent['files'],
): Promise<void> {
  for (let start = 0; start < files.length; start += FILES_PER_COMMIT) {
    await client.addFiles(owner, name, files.slice(start, start + FILES_PER_COMMIT))
  }
}
