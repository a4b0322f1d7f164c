import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Exchange } from './exchange.ts'
import { UnreadableError } from './transport-error.ts'

/** Deeper than any record of an API; reports, and those who read them, go down as deep. */
const DEEPEST = 100
/** Each takes far more room in memory than in the text. A record of a repository has about a hundred. */
const MOST_VALUES = 200_000
/** In one list or object: thousands of records are a page that is judged, and no record has as many. */
const MOST_ELEMENTS = 20_000

/**
 * How deep a text is that may be JSON, and about how many values it and its largest list have; `end` is
 * where the last complete element of its outermost list ends within the limits.
 */
function extentOf(text: string) {
  let [deepest, values, most, depth, end] = [0, 0, 0, 0, 0]
  /** Of each list or object that is open, as deep as is read. */
  const elements = new Uint32Array(DEEPEST + 1)
  let isString = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (sign === '"') isString = !isString
    else if (isString) at += sign === '\\' ? 1 : 0
    else if (sign === ',') {
      values += 1
      const count = (elements[depth] ?? 0) + 1
      elements[depth] = count
      most = Math.max(most, count + 1)
      if (depth === 1 && values <= MOST_VALUES && count <= MOST_ELEMENTS) end = at
    } else if (sign === '[' || sign === '{') {
      depth += 1
      elements[depth] = 0
      values += 1
      deepest = Math.max(deepest, depth)
    } else if (sign === ']' || sign === '}') depth -= 1
  }
  return { deepest, values, most, end }
}

/** What is neither a list nor an object is a single value, or no JSON. */
const STRUCTURED = /^[ \t\r\n]*[[{]/

/** The value of a JSON text; `undefined` when it is none. @throws UnreadableError beyond the limits (RFC 8259, 9) */
export function parseJson(text: string): unknown {
  const { deepest, values, most } = extentOf(STRUCTURED.test(text) ? text : '')
  const refuse = (what: string) => {
    throw new UnreadableError(`the response body ${what}`)
  }
  if (values > MOST_VALUES) refuse(`has more than ${MOST_VALUES} values, too many to be read`)
  if (most > MOST_ELEMENTS) {
    refuse(`has a list or an object of more than ${MOST_ELEMENTS} elements, too many to be read`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (deepest > DEEPEST) {
    refuse(`is JSON nested ${deepest} levels deep, and no more than ${DEEPEST} are read`)
  }
  return value
}

/** Returns how many elements a JSON list has at least that a text is the beginning of; 0 for anything else. */
export function leastElements(text: string): number {
  if (!/^[ \t\r\n]*\[/.test(text)) return 0
  try {
    return JSON.parse(`${text.slice(0, extentOf(text).end)}]`).length
  } catch {
    return 0
  }
}

/** A larger body is kept packed, and its value not at all: a run keeps all that it has seen to its end. */
const SMALL = 16 * 1024
/** Larger ones are read one after the other, and no more of them than time allows. */
export const LARGE = 512 * 1024
/** Of the large ones together: each is unpacked and parsed for every check that reads it. */
const MOST_LARGE_BYTES = 32 * 1024 * 1024
const MOST_PACKED_BYTES = 16 * 1024 * 1024

/** Too much has come in a run for all of it to be kept. */
export const noRoom = () =>
  new UnreadableError(
    'the large responses of this run are more together than are kept (32 MiB, 16 MiB compressed)',
  )

export class BodyStore {
  #largeBytes = 0
  #packedBytes = 0
  /** What is read is often read again at once. */
  #last: { packed: Buffer; text: string; json?: unknown } | undefined

  /** Asked before the rest of a large body is read: once there is no room, none is waited for. */
  get isFull(): boolean {
    return this.#largeBytes > MOST_LARGE_BYTES || this.#packedBytes > MOST_PACKED_BYTES
  }

  /** What is large is made anew at each reading. @throws UnreadableError, also without room */
  keep(body: Buffer): Pick<Exchange, 'text' | 'json'> {
    if (body.length > SMALL && this.isFull) throw noRoom()
    const text = body.toString('utf8')
    const content = { text, json: parseJson(text) }
    if (body.length <= SMALL) return content
    if (body.length > LARGE) this.#largeBytes += body.length
    const packed = deflateRawSync(body, { level: 1 })
    this.#packedBytes += packed.length
    if (this.isFull) throw noRoom()
    this.#last = { packed, ...content }
    const isJson = content.json !== undefined
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
