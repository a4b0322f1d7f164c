import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { parseJson } from './json-limits.ts'

/** The text of a body and what it is as JSON. */
export interface BodyContent {
  readonly text: string
  /** `undefined` when the text is no JSON. */
  readonly json: unknown
}

const KIBIBYTE = 1024
const MEBIBYTE = 1024 * KIBIBYTE

/** A larger body is kept packed, and its value not at all: a run keeps all that it has seen to its end. */
const SMALL = 16 * KIBIBYTE
/** Larger ones are read one after the other, and no more of them than time allows. */
export const LARGE = 512 * KIBIBYTE
/** Of the large ones together: each is unpacked and parsed for every check that reads it. */
const MOST_LARGE_BYTES = 32 * MEBIBYTE
const MOST_PACKED_BYTES = 16 * MEBIBYTE

/** Too much has come in a run for all of it to be kept. */
export class KeptBodiesError extends Error {
  override readonly name = 'KeptBodiesError'

  constructor() {
    super(
      'the large responses of this run are more together than are kept ' +
        `(${MOST_LARGE_BYTES / MEBIBYTE} MiB, ${MOST_PACKED_BYTES / MEBIBYTE} MiB compressed)`,
    )
  }
}

/** The bodies of a run, which take a bounded room in memory. */
export class KeptBodies {
  #largeBytes = 0
  #packedBytes = 0
  /** What is read is often read again at once. */
  #last: { packed: Buffer; text: string; json?: unknown } | undefined

  /** Asked before the rest of a large body is read: once there is no room, none is waited for. */
  get isFull(): boolean {
    return this.#largeBytes > MOST_LARGE_BYTES || this.#packedBytes > MOST_PACKED_BYTES
  }

  /**
   * Keeps a body. The text and the value of one that is not small are made anew at each reading: who
   * keeps them gives up what is gained.
   *
   * @returns what is read at once, and what goes on to be kept
   * @throws JsonLimitError, and KeptBodiesError when there is no room left
   */
  keep(body: Buffer): { content: BodyContent; kept: BodyContent } {
    if (body.length > SMALL && this.isFull) throw new KeptBodiesError()
    const text = body.toString('utf8')
    const content = { text, json: parseJson(text) }
    if (body.length <= SMALL) return { content, kept: content }
    if (body.length > LARGE) this.#largeBytes += body.length
    const packed = deflateRawSync(body, { level: 1 })
    this.#packedBytes += packed.length
    if (this.isFull) throw new KeptBodiesError()
    this.#last = { packed, ...content }
    return { content, kept: this.#packedContent(packed, content.json !== undefined) }
  }

  #packedContent(packed: Buffer, isJson: boolean): BodyContent {
    const unpacked = () => {
      if (this.#last?.packed !== packed) {
        this.#last = { packed, text: inflateRawSync(packed).toString('utf8') }
      }
      return this.#last
    }
    return {
      get text() {
        return unpacked().text
      },
      get json() {
        if (!isJson) return undefined
        const last = unpacked()
        last.json ??= JSON.parse(last.text)
        return last.json
      },
    }
  }
}
