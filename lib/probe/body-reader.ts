import type { Dispatcher } from 'undici'
import { decodeContent } from './content-coding.ts'

/** Larger ones are read one after the other, so that they are never all in memory at once. */
const LARGE = 1024 * 1024

type Body = Dispatcher.ResponseData['body']

/**
 * Ends with `work`, or when the signal does. It leaves no listener behind: a signal lives until its
 * time is over, and with it what the work came to.
 */
export function inTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const tooLate = () => reject(signal.reason)
    signal.addEventListener('abort', tooLate, { once: true })
    if (signal.aborted) tooLate()
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', tooLate))
  })
}

/** No body is read behind 204; that its length is announced all the same is seen in the header. */
function isLengthBehind204(status: number, error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return status === 204 && code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
}

/** Reads response bodies, without their content coding, in bounded time and memory. */
export class BodyReader {
  readonly #maxBytes: number
  #turn: Promise<void> = Promise.resolve()

  /** @param maxBytes limit on a body, before and after its coding is undone */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /**
   * @param coding the field `Content-Encoding`
   * @throws the signal's reason, ContentCodingError, and what undici throws
   */
  read(status: number, body: Body, coding: string | null, signal: AbortSignal): Promise<Buffer> {
    return inTime(this.#read(status, body, coding, signal), signal)
  }

  // A queue of a library would go on to hold what has been read.
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work)
    this.#turn = done.then(
      () => {},
      () => {},
    )
    return done
  }

  async #read(
    status: number,
    body: Body,
    coding: string | null,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const chunks: Buffer[] = []
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
    const readRest = async (): Promise<Buffer> => {
      signal.throwIfAborted()
      await readUpTo(Number.POSITIVE_INFINITY)
      return decodeContent(Buffer.concat(chunks), coding, this.#maxBytes)
    }
    try {
      const isRead = await readUpTo(LARGE)
      // What is small may be large without its coding.
      if (isRead && coding === null) return Buffer.concat(chunks)
      return await this.#inTurn(readRest)
    } catch (error) {
      if (isLengthBehind204(status, error)) return Buffer.alloc(0)
      throw error
    }
  }
}
