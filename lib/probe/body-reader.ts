import { isUtf8 } from 'node:buffer'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { type BodyStore, LARGE, noRoom } from './body-store.ts'
import { UnreadableError } from './transport-error.ts'

/** Content codings of RFC 9110, 8.4.1, and Brotli (RFC 7932). */
const decoders = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
])

/** More than one is rare already, and each takes its time. */
const MOST_CODINGS = 8

/**
 * Undoes the codings that a `Content-Encoding` field lists, last first. An unknown one leaves what is
 * text all the same as it is: some servers name there what is no coding.
 */
export async function decodeContent(
  body: Buffer,
  field: string | null,
  maxBytes: number,
): Promise<Buffer> {
  const codings = (field ?? '').toLowerCase().match(/[^\s,]+/g) ?? []
  if (codings.length > MOST_CODINGS && body.length > 0) {
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
    const shown = JSON.stringify(unknown.slice(0, 40))
    throw new UnreadableError(`the body has the content coding ${shown}, which is not known`)
  }
  return decoded
}

type Body = Dispatcher.ResponseData['body']

/** Leaves no listener behind: a signal lives until its time is over, and what listens with it. */
export function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const tooLate = () => reject(signal.reason)
    signal.addEventListener('abort', tooLate, { once: true })
    if (signal.aborted) tooLate()
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', tooLate))
  })
}

/**
 * Reads the body of a response, and undoes its coding.
 *
 * @param chunks what has been read is added to them, also of a body that is not read to its end
 * @throws the signal's reason, UnreadableError, and what undici throws
 */
export type ReadBody = (
  status: number,
  body: Body,
  coding: string | null,
  signal: AbortSignal,
  chunks?: Buffer[],
) => Promise<Buffer>

/** The limit holds with and without the coding; a large body is read only while it can be kept. */
export function createBodyReader(maxBytes: number, kept: Pick<BodyStore, 'isFull'>): ReadBody {
  let turn: Promise<void> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work)
    const forget = () => {}
    // A queue of a library would go on to hold what has been read.
    turn = done.then(forget, forget)
    return done
  }

  async function read(
    body: Body,
    coding: string | null,
    signal: AbortSignal,
    chunks: Buffer[] = [],
  ): Promise<Buffer> {
    let size = 0
    const arriving = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    const readUpTo = async (limit: number): Promise<boolean> => {
      while (size <= limit) {
        const { done, value } = await arriving.next()
        if (done) return true
        size += value.length
        chunks.push(value)
      }
      return false
    }
    const isRead = await readUpTo(LARGE)
    // What is small may be large without its coding.
    if (isRead && coding === null) return Buffer.concat(chunks)
    return inTurn(async () => {
      signal.throwIfAborted()
      if (!isRead && kept.isFull) {
        // Closes the connection, on which the rest may never end.
        await arriving.return?.()
        throw noRoom()
      }
      await readUpTo(Number.POSITIVE_INFINITY)
      return decodeContent(Buffer.concat(chunks), coding, maxBytes)
    })
  }

  return (status, ...parts) =>
    inTime(read(...parts), parts[2]).catch((error) => {
      // No body is read behind 204; that its length is announced all the same is seen in the header.
      const isAnnounced = error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
      if (status === 204 && isAnnounced) return Buffer.alloc(0)
      throw error
    })
}
