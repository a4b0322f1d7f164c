/** Reads HTTP Archives (HAR 1.2) entry by entry, so that only one is in memory. */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry } from 'har-format'
import { regularSize, UnsupportedFileError } from '../../text/read-file.ts'

/** Maximum size of all files of a recording. */
const MAX_RECORDING_BYTES = 100_000_000

/** Number of values that enclose an entry, with itself: the archive, its log, the list of entries. */
const ENTRY_DEPTH = 4

const [TAB, SPACE, QUOTE, BACKSLASH] = [0x09, 0x20, 0x22, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** Returns the files of a recording; of a folder, its archives. @throws UnsupportedFileError if too large */
export function recordingFiles(paths: readonly string[]): string[] {
  const files = paths.flatMap((path) => {
    if (!statSync(path).isDirectory()) return [path]
    const names = readdirSync(path).filter((name) => /\.har$/i.test(name))
    return names.sort().map((name) => join(path, name))
  })
  const size = files.reduce((sum, file) => sum + regularSize(file), 0)
  if (size <= MAX_RECORDING_BYTES) return files
  throw new UnsupportedFileError(
    `has ${Math.ceil(size / 1e6)} MB with the other files, and at most ${MAX_RECORDING_BYTES / 1e6} MB are read`,
  )
}

const isMessage = (value: unknown): boolean => Array.isArray(Object(value).headers)

function isEntry(value: { request?: unknown; response?: unknown }): value is Entry {
  const { request, response, startedDateTime } = value as Partial<Entry>
  return (
    isMessage(request) &&
    isMessage(response) &&
    URL.canParse(request?.url ?? '') &&
    typeof request?.method === 'string' &&
    Number.isInteger(response?.status) &&
    !Number.isNaN(Date.parse(startedDateTime ?? ''))
  )
}

/** Returns what is judged of an entry, since all entries are kept. */
function toCompact({ request, response, startedDateTime, time, ...rest }: Entry): Entry {
  const { method, url, headers, postData } = request
  const { status, headers: received, content } = response
  const { _fromCache, _fetchedViaServiceWorker } = rest as Record<string, unknown>
  return {
    ...{ startedDateTime, time, _fromCache, _fetchedViaServiceWorker },
    request: { method, url, headers, postData },
    response: { status, headers: received, content },
  } as unknown as Entry
}

/** Reads the entries of an archive. @throws UnsupportedFileError with the position of the damage */
export function* readEntries(path: string): Generator<Entry> {
  const file = openSync(path, 'r')
  const chunk = Buffer.alloc(65_536)
  let [offset, depth, start, entries] = [0, 0, -1, 0]
  let [isString, isEscaped] = [false, false]
  let read: Buffer[] = []
  const damaged = (at: number, problem: string) =>
    new UnsupportedFileError(`is damaged at byte ${at + 1}, after ${entries} entries: ${problem}`)

  function* entryIn(end: Buffer): Generator<Entry> {
    let value: object
    try {
      value = JSON.parse(Buffer.concat([...read, end]).toString('utf8'))
    } catch {
      // The message of the error would quote the text, which may have a secret.
      throw damaged(start, 'this entry is not JSON')
    }
    // Pages and the extensions of tools are as deep.
    if (!('request' in value)) return
    if (!isEntry(value))
      throw damaged(start, 'this entry has no complete request, response or time')
    entries += 1
    yield toCompact(value)
  }

  try {
    for (let count = readSync(file, chunk); count > 0; count = readSync(file, chunk)) {
      let from = 0
      for (let at = 0; at < count; at += 1) {
        const byte = chunk[at] as number
        if (isString) {
          if (isEscaped) isEscaped = false
          else if (byte === BACKSLASH) isEscaped = true
          else if (byte === QUOTE) isString = false
        } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
          depth += 1
          if (depth === ENTRY_DEPTH && byte === OPEN_OBJECT) [start, from] = [offset + at, at]
        } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
          depth -= 1
          if (depth === ENTRY_DEPTH - 1 && start >= 0) {
            yield* entryIn(chunk.subarray(from, at + 1))
            read = []
            start = -1
          }
        } else if (byte === QUOTE) isString = true
        const isOutside = depth < 0 || (depth === 0 && byte !== CLOSE_OBJECT)
        if (isOutside && (byte < TAB || byte > SPACE) && !BYTE_ORDER_MARK.includes(byte)) {
          throw damaged(offset + at, 'this is not an archive in JSON')
        }
      }
      if (start >= 0) read.push(Buffer.from(chunk.subarray(from, count)))
      offset += count
    }
    if (depth > 0 || offset === 0) throw damaged(offset, 'it ends early')
  } finally {
    closeSync(file)
  }
}
