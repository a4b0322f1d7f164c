import { isUtf8 } from 'node:buffer'
import { promisify } from 'node:util'
import { brotliDecompress, deflateRawSync, inflateRaw, inflateRawSync, unzip } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { rejectOnAbort } from './abort.ts'
import type { Exchange } from './exchange.ts'
import { parseJson } from './json-body.ts'
import { UnreadableError } from './transport-error.ts'

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
