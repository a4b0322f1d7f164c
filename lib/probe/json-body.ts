import { UnreadableError } from './transport-error.ts'

/** Maximum nesting of a JSON body, which reports and their readers must process too. */
const MAX_JSON_DEPTH = 100
/** Maximum number of JSON values in a body. A repository record has about a hundred. */
const MAX_VALUES = 200_000
const MAX_ELEMENTS = 20_000

/** Returns the index of the quote that ends a JSON string, or the length of the text. @param start its first quote */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0
    while (text[at - 1 - backslashes] === '\\') backslashes += 1
    if (backslashes % 2 === 0) return at
  }
  return text.length
}

/**
 * Returns the depth of a JSON text, and approximately its number of values and the elements of its largest
 * list. `end` is the end of the last complete element of the outermost list within the limits.
 */
function measureJson(text: string) {
  let [maxDepth, values, maxElements, depth, end] = [0, 0, 0, 0, 0]
  /** Separators in each open list or object, by depth. */
  const elements = new Uint32Array(MAX_JSON_DEPTH + 1)
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') at = endOfString(text, at)
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
export function minLengthOf(text: string): number {
  if (!/^[ \t\r\n]*\[/.test(text)) return 0
  try {
    return JSON.parse(`${text.slice(0, measureJson(text).end)}]`).length
  } catch {
    return 0
  }
}
