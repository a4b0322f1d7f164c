import { isUtf8 } from 'node:buffer'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { type BodyStore, createStoreFullError, MAX_CONCURRENT_BYTES } from './body-store.ts'
import { UnreadableError } from './transport-error.ts'

/** Decoders by content coding (RFC 9110, 8.4.1; Brotli: RFC 7932). */
const decoders = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

const MAX_CODINGS = 8

/**
 * Decodes the codings that a `Content-Encoding` field lists, last first. An unknown coding is ignored if the
 * body is UTF-8: some servers list other values there.
 */
export async function decodeContent(
  body: Buffer,
  field: string | null,
  maxBytes: number,
): Promise<Buffer> {
  const codings = (field ?? '').toLowerCase().match(/[^\s,]+/g) ?? []
  if (codings.length > MAX_CODINGS && body.length > 0) {
    throw new UnreadableError(`the body has ${codings.length} content codings, too many to undo`)
  }
  let decoded = body
  let unknown: string | undefined
  for (const coding of codings.reverse()) {
    if (coding === 'identity' || decoded.length === 0) continue
    const decode = decoders.get(coding)
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

/** Rejects when the signal aborts, and removes its listener as soon as `work` settles. */
export function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const rejectWithReason = () => reject(signal.reason)
    signal.addEventListener('abort', rejectWithReason, { once: true })
    if (signal.aborted) rejectWithReason()
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', rejectWithReason))
  })
}

/**
 * Reads and decodes the body of a response. `chunks` receives the data, also of an incomplete body.
 * @throws the signal's reason, UnreadableError, and errors of undici
 */
export type ReadBody = (
  status: number,
  body: Body,
  coding: string | null,
  signal: AbortSignal,
  chunks?: Buffer[],
) => Promise<Buffer>

/** Creates a reader. `maxBytes` applies before and after decoding. */
export function createBodyReader(maxBytes: number, kept: Pick<BodyStore, 'isFull'>): ReadBody {
  let queue: Promise<void> = Promise.resolve()

  function runInTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = queue.then(work)
    // A library queue would keep the data in memory.
    queue = Promise.allSettled([done]).then(() => {})
    return done
  }

  async function read(
    body: Body,
    coding: string | null,
    signal: AbortSignal,
    chunks: Buffer[] = [],
  ): Promise<Buffer> {
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

  return (status, ...parts) =>
    rejectOnAbort(read(...parts), parts[2]).catch((error) => {
      // A 204 response has no body, even if its header announces one.
      const isAnnounced = error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
      if (status === 204 && isAnnounced) return Buffer.alloc(0)
      throw error
    })
}
