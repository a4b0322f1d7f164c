import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Exchange } from './exchange.ts'
import { UnreadableError } from './transport-error.ts'

/** Maximum nesting of a JSON body, which reports and their readers must process too. */
const MAX_JSON_DEPTH = 100
/** Maximum number of JSON values in a body. A repository record has about a hundred. */
const MAX_VALUES = 200_000
const MAX_ELEMENTS = 20_000

/**
 * Returns the depth of a JSON text, and approximately its number of values and the elements of its largest
 * list. `end` is the end of the last complete element of the outermost list within the limits.
 */
function measureJson(text: string) {
  let [maxDepth, values, maxElements, depth, end] = [0, 0, 0, 0, 0]
  /** Separators in each open list or object, by depth. */
  const elements = new Uint32Array(MAX_JSON_DEPTH + 1)
  let isString = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') isString = !isString
    else if (isString) at += character === '\\' ? 1 : 0
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
export function leastElements(text: string): number {
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
export const MAX_CONCURRENT_BYTES = 512 * 1024
/** Maximum total size of larger bodies: each check that reads one inflates and parses it. */
const MAX_LARGE_BYTES = 32 * 1024 * 1024
const MAX_COMPRESSED_BYTES = 16 * 1024 * 1024

export const createStoreFullError = () =>
  new UnreadableError(
    'the large responses of this run are more together than are kept (32 MiB, 16 MiB compressed)',
  )

export class BodyStore {
  #largeBytes = 0
  #compressedBytes = 0
  /** The last inflated body, which is often read again. */
  #last: { compressed: Buffer; text: string; json?: unknown } | undefined

  get isFull(): boolean {
    return this.#largeBytes > MAX_LARGE_BYTES || this.#compressedBytes > MAX_COMPRESSED_BYTES
  }

  /** Keeps a body. Parts of a large one are created again on each access. @throws UnreadableError, also if full */
  keep(body: Buffer): Pick<Exchange, 'text' | 'json'> {
    if (body.length > MAX_UNCOMPRESSED_BYTES && this.isFull) throw createStoreFullError()
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
      if (this.#last?.compressed !== compressed) {
        this.#last = { compressed, text: inflateRawSync(compressed).toString('utf8') }
      }
      return this.#last
    }
    return {
      get text() {
        return inflate().text
      },
      get json() {
        if (!isJson) return undefined
        const last = inflate()
        last.json ??= JSON.parse(last.text)
        return last.json
      },
    }
  }
}
