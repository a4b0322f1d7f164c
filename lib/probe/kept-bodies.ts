import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { parseJson } from './json-limits.ts'

/** The text of a body and what it is as JSON. */
export interface BodyContent {
  readonly text: string
  /** `undefined` when the text is no JSON. */
  readonly json: unknown
}

const MEBIBYTE = 1024 * 1024
/** A larger body is kept packed: a run keeps all that it has seen to its end. */
const LARGE = MEBIBYTE / 4
/** Of the large ones. Unpacking takes time, too. */
const MOST_BYTES = 256 * MEBIBYTE
const MOST_PACKED_BYTES = 16 * MEBIBYTE

/** Too much has come in a run for all of it to be kept. */
export class KeptBodiesError extends Error {
  override readonly name = 'KeptBodiesError'
}

/** The bodies of a run, which take a bounded room in memory. */
export class KeptBodies {
  #bytes = 0
  #packedBytes = 0
  /** What is read is often read again at once. */
  #last: { packed: Buffer; text: string } | undefined

  /**
   * Keeps a body. The text and the value of a large one are made anew at each reading: who keeps
   * them gives up what is gained.
   *
   * @returns what is read at once, and what goes on to be kept
   * @throws JsonLimitError, and KeptBodiesError when there is no room left
   */
  keep(body: Buffer): { content: BodyContent; kept: BodyContent } {
    const text = body.toString('utf8')
    const content = { text, json: parseJson(text) }
    if (body.length <= LARGE) return { content, kept: content }
    const packed = deflateRawSync(body, { level: 1 })
    this.#bytes += body.length
    this.#packedBytes += packed.length
    if (this.#bytes > MOST_BYTES || this.#packedBytes > MOST_PACKED_BYTES) {
      throw new KeptBodiesError(
        'the large responses of this run are more together than are kept ' +
          `(${MOST_BYTES / MEBIBYTE} MiB, ${MOST_PACKED_BYTES / MEBIBYTE} MiB compressed)`,
      )
    }
    return { content, kept: this.#packedContent(packed, content.json !== undefined) }
  }

  #packedContent(packed: Buffer, isJson: boolean): BodyContent {
    const unpack = (): string => {
      if (this.#last?.packed !== packed) {
        this.#last = { packed, text: inflateRawSync(packed).toString('utf8') }
      }
      return this.#last.text
    }
    return {
      get text() {
        return unpack()
      },
      get json() {
        return isJson ? JSON.parse(unpack()) : undefined
      },
    }
  }
}
