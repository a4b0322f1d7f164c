import { isUtf8 } from 'node:buffer'
import { promisify } from 'node:util'
import { brotliDecompress, deflateRawSync, inflateRaw, inflateRawSync, unzip } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { rejectOnAbort } from './abort.ts'
import type { Exchange } from './exchange.ts'
import { UnreadableError } from './transport-error.ts'

/** Maximum nesting of a JSON body, which reports and their readers must process too. */
const MAX_JSON_DEPTH = 100
/** Maximum number of JSON values in a body. A repository record has about a hundred. */
const MAX_VALUES = 200_000
const MAX_ELEMENTS = 20_000

/** Returns the index of the quote that ends a JSON string, or the length of the text. @param start its first quote */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text[at - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return at
  }
  return text.length
}

/**
 * Returns the depth of a JSON text, and approximately its number of values and the elements of its largest
 * list. `end` is the end of the last complete element of the outermost list within the limits.
 */
function measureJson(text: string) {
  let [maxDepth, values, maxElements, depth, end] = [0, 0, 0, 0, 0]
  /** Separators in each open list or object, by depth. */
  const elements = new Uint32Array(MAX_JSON_DEPTH + 1)
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
    else if (character === ',') {
      values += 1
      const count = (elements[depth] ?? 0) + 1
      elements[depth] = count
      maxElements = Math.max(maxElements, count + 1)
      if (depth === 1 && values <= MAX_VALUES && count <= MAX_ELEMENTS) end = at
    } else if (character === '[' || character === '{') {
      depth += 1
      elements[depth] = 0
      values += 1
      maxDepth = Math.max(maxDepth, depth)
    } else if (character === ']' || character === '}') depth -= 1
  }
  return { maxDepth, values, maxElements, end }
}

const LIST_OR_OBJECT = /^[ \t\r\n]*[[{]/

/** Returns the value of a JSON text; otherwise undefined. @throws UnreadableError beyond the limits (RFC 8259, 9) */
export function parseJson(text: string): unknown {
  const { maxDepth, values, maxElements } = measureJson(LIST_OR_OBJECT.test(text) ? text : '')
  const reject = (reason: string) => {
    throw new UnreadableError(`the response body ${reason}`)
  }
  if (values > MAX_VALUES) reject(`has more than ${MAX_VALUES} values, too many to be read`)
  if (maxElements > MAX_ELEMENTS) {
    reject(`has a list or an object of more than ${MAX_ELEMENTS} elements, too many to be read`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (maxDepth > MAX_JSON_DEPTH) {
    reject(`is JSON nested ${maxDepth} levels deep, and no more than ${MAX_JSON_DEPTH} are read`)
  }
  return value
}

/** Returns the minimum number of elements of a truncated JSON list; 0 for any other text. */
export function minLengthOf(text: string): number {
  if (!/^[ \t\r\n]*\[/.test(text)) return 0
  try {
    return JSON.parse(`${text.slice(0, measureJson(text).end)}]`).length
  } catch {
    return 0
  }
}

/** Maximum size of a body that is kept uncompressed, with its parsed value. */
const MAX_UNCOMPRESSED_BYTES = 16 * 1024
/** Maximum size of a body that is read concurrently with others. */
const MAX_CONCURRENT_BYTES = 512 * 1024
/** Maximum total size of larger bodies: each check that reads one inflates and parses it. */
const MAX_LARGE_BYTES = 32 * 1024 * 1024
const MAX_COMPRESSED_BYTES = 16 * 1024 * 1024

const createStoreFullError = () =>
  new UnreadableError(
    'the large responses of this run are more together than are kept (32 MiB, 16 MiB compressed)',
  )

export class BodyStore {
  #largeBytes = 0
  #compressedBytes = 0
  /** The last inflated body, which is often read again. */
  #last: { compressed: Buffer; text: string; json: unknown } | undefined

  get isFull(): boolean {
    return this.#largeBytes > MAX_LARGE_BYTES || this.#compressedBytes > MAX_COMPRESSED_BYTES
  }

  /** Keeps a body. Parts of a large one are created again on each access. @throws UnreadableError, also if full */
  keep(body: Buffer): Pick<Exchange, 'text' | 'json'> {
    const text = body.toString('utf8')
    const content = { text, json: parseJson(text) }
    if (body.length <= MAX_UNCOMPRESSED_BYTES) return content
    if (body.length > MAX_CONCURRENT_BYTES) this.#largeBytes += body.length
    const compressed = deflateRawSync(body, { level: 1 })
    this.#compressedBytes += compressed.length
    if (this.isFull) throw createStoreFullError()
    this.#last = { compressed, ...content }
    const isJson = content.json !== undefined
    const inflate = () => {
      if (this.#last?.compressed === compressed) return this.#last
      const text = inflateRawSync(compressed).toString('utf8')
      this.#last = { compressed, text, json: isJson ? JSON.parse(text) : undefined }
      return this.#last
    }
    return {
      get text() {
        return inflate().text
      },
      get json() {
        return inflate().json
      },
    }
  }
}

/** Decoders by content coding (RFC 9110, 8.4.1; Brotli: RFC 7932). */
const decoders = new Map([
  ...['gzip', 'x-gzip', 'deflate'].map((coding) => [coding, promisify(unzip)] as const),
  // Some servers send deflate without its header (RFC 1950).
  ['raw deflate', promisify(inflateRaw)],
  ['br', promisify(brotliDecompress)],
])

const MAX_CODINGS = 8

/** Decodes the codings of a `Content-Encoding` field, last first. Some servers list other values: an unknown one is ignored for UTF-8. */
export async function decodeContent(body: Buffer, field: string | null, maxBytes: number) {
  const codings = (field ?? '').toLowerCase().match(/[^\s,]+/g) ?? []
  if (codings.length > MAX_CODINGS && body.length > 0) {
    throw new UnreadableError(`the body has ${codings.length} content codings, too many to undo`)
  }
  let decoded = body
  let unknown: string | undefined
  for (const coding of codings.reverse()) {
    if (coding === 'identity' || decoded.length === 0) continue
    // The header names the method 8.
    const isRaw = coding === 'deflate' && ((decoded[0] ?? 0) & 15) !== 8
    const decode = decoders.get(isRaw ? 'raw deflate' : coding)
    if (decode === undefined) unknown = coding
    try {
      decoded = (await decode?.(decoded, { maxOutputLength: maxBytes })) ?? decoded
    } catch (cause) {
      throw new UnreadableError(`the body cannot be decoded as ${coding}`, { cause })
    }
  }
  if (unknown !== undefined && !isUtf8(decoded)) {
    const quoted = JSON.stringify(unknown.slice(0, 40))
    throw new UnreadableError(`the body has the content coding ${quoted}, which is not known`)
  }
  return decoded
}

type Body = Dispatcher.ResponseData['body']

/** Creates a reader. `maxBytes` applies before and after decoding. */
export function createBodyReader(maxBytes: number, kept: Pick<BodyStore, 'isFull'>) {
  let queue: Promise<void> = Promise.resolve()

  function runInTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = queue.then(work)
    // A library queue would keep the data in memory.
    queue = Promise.allSettled([done]).then(() => {})
    return done
  }

  async function read(body: Body, coding: string | null, signal: AbortSignal, chunks: Buffer[]) {
    let size = 0
    const chunkIterator = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    const readUpTo = async (limit: number): Promise<boolean> => {
      while (size <= limit) {
        const { done, value } = await chunkIterator.next()
        if (done) return true
        size += value.length
        chunks.push(value)
      }
      return false
    }
    const isRead = await readUpTo(MAX_CONCURRENT_BYTES)
    // A small encoded body may be large when decoded.
    if (isRead && coding === null) return Buffer.concat(chunks)
    return runInTurn(async () => {
      signal.throwIfAborted()
      if (!isRead && kept.isFull) {
        // Closes the connection: the remaining body may never end.
        await chunkIterator.return?.()
        throw createStoreFullError()
      }
      await readUpTo(Number.POSITIVE_INFINITY)
      return decodeContent(Buffer.concat(chunks), coding, maxBytes)
    })
  }

  /** Reads and decodes a body; `chunks` receives the data, also of an incomplete one. @throws the reason of the signal, UnreadableError */
  return (status: number, ...parts: Parameters<typeof read>): Promise<Buffer> =>
    rejectOnAbort(read(...parts), parts[2]).catch((error) => {
      // A 204 response has no body, even if its header announces one.
      const isAnnounced = error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
      if (status === 204 && isAnnounced) return Buffer.alloc(0)
      throw error
    })
}
