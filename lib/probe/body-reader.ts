import type { Dispatcher } from 'undici'
import { decodeContent } from './content-coding.ts'
import { type KeptBodies, KeptBodiesError, LARGE } from './kept-bodies.ts'

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
  readonly #kept: Pick<KeptBodies, 'isFull'>
  #turn: Promise<void> = Promise.resolve()

  /**
   * @param maxBytes limit on a body, before and after its coding is undone
   * @param kept where the bodies go: the rest of a large one is read only while there is room
   */
  constructor(maxBytes: number, kept: Pick<KeptBodies, 'isFull'>) {
    this.#maxBytes = maxBytes
    this.#kept = kept
  }

  /**
   * @param coding the field `Content-Encoding`
   * @throws the signal's reason, ContentCodingError, KeptBodiesError, and what undici throws
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
    try {
      const isRead = await readUpTo(LARGE)
      // What is small may be large without its coding.
      if (isRead && coding === null) return Buffer.concat(chunks)
      return await this.#inTurn(async () => {
        signal.throwIfAborted()
        if (!isRead && this.#kept.isFull) {
          // Closes the connection, on which the rest may never end.
          await arriving.return?.()
          throw new KeptBodiesError()
        }
        await readUpTo(Number.POSITIVE_INFINITY)
        return decodeContent(Buffer.concat(chunks), coding, this.#maxBytes)
      })
    } catch (error) {
      if (isLengthBehind204(status, error)) return Buffer.alloc(0)
      throw error
    }
  }
}
