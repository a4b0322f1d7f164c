import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Exchange } from './exchange.ts'
import { UnreadableError } from './transport-error.ts'

/** Maximum nesting of a JSON body, which reports and their readers must process too. */
const MAX_JSON_DEPTH = 100
/** Maximum number of JSON values in a body. A repository record has about a hundred. */
const MAX_JSON_VALUES = 200_000
/** Maximum number of elements of one list or object. */
const MAX_JSON_ELEMENTS = 20_000

/**
 * Returns the depth of a JSON text, and approximately its number of values and the elements of its largest
 * list. `end` is the end of the last complete element of the outermost list within the limits.
 */
function extentOf(text: string) {
  let [deepest, values, most, depth, end] = [0, 0, 0, 0, 0]
  /** Separators in each open list or object, by depth. */
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

/** The start of a JSON list or object. */
const STRUCTURED = /^[ \t\r\n]*[[{]/

/** Returns the value of a JSON text; undefined for any other. @throws UnreadableError beyond the limits (RFC 8259, 9) */
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

/** Returns the minimum number of elements of a truncated JSON list; 0 for any other text. */
export function leastElements(text: string): number {
  if (!/^[ \t\r\n]*\[/.test(text)) return 0
  try {
    return JSON.parse(`${text.slice(0, extentOf(text).end)}]`).length
  } catch {
    return 0
  }
}

/** Maximum size of a body that is kept uncompressed, with its parsed value. */
const MAX_UNCOMPRESSED_BYTES = 16 * 1024
/** Maximum size of a body that is read concurrently with others. */
export const MAX_CONCURRENT_BYTES = 512 * 1024
/** Maximum total size of larger bodies: each check that reads one inflates and parses it. */
const MAX_LARGE_TOTAL_BYTES = 32 * 1024 * 1024
const MAX_COMPRESSED_TOTAL_BYTES = 16 * 1024 * 1024

export const createStoreFullError = () =>
  new UnreadableError(
    'the large responses of this run are more together than are kept (32 MiB, 16 MiB compressed)',
  )

export class BodyStore {
  #largeBytes = 0
  #packedBytes = 0
  /** The last inflated body, which is often read again. */
  #last: { packed: Buffer; text: string; json?: unknown } | undefined

  /** True if no further large body can be kept. */
  get isFull(): boolean {
    return this.#largeBytes > MOST_LARGE_BYTES || this.#packedBytes > MOST_PACKED_BYTES
  }

  /** Keeps a body. Parts of a large one are created again on each access. @throws UnreadableError, also if full */
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
