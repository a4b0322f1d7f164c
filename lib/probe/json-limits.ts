/** Deeper than any record of an API; reports, and those who read them, go down as deep. */
const DEEPEST = 100
/** Each takes far more room in memory than in the text. A record of a repository has about a hundred. */
const MOST_VALUES = 200_000
/** In one list or object: thousands of records are a page that is judged, and no record has as many. */
const MOST_ELEMENTS = 20_000

/** More digits than any number has that is meant as one; what they say beyond is lost anyway. */
const LONGEST_NUMBER = 1000

/** A text is JSON, or looks like it, and goes beyond the limits to what is read (RFC 8259, 9). */
export class JsonLimitError extends Error {
  override readonly name = 'JsonLimitError'
}

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c

function isOpening(code: number): boolean {
  return code === 0x5b || code === 0x7b
}

function isClosing(code: number): boolean {
  return code === 0x5d || code === 0x7d
}

/** Offset of the quotation mark that ends a string, or of the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at += 1
    else if (code === QUOTE) return at
  }
  return text.length
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

interface Extent {
  depth: number
  /** About how many it has. */
  values: number
  /** About how many the largest list or object has of its own. */
  elements: number
  /** Digits in a row, outside of strings. */
  digits: number
}

function extentOf(text: string): Extent {
  const extent: Extent = { depth: 0, values: 1, elements: 0, digits: 0 }
  let depth = 0
  let digits = 0
  /** Of each list or object that is open, as deep as is read. */
  const elements = new Uint32Array(DEEPEST + 1)
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    digits = isDigit(code) ? digits + 1 : 0
    if (digits > extent.digits) extent.digits = digits
    if (code === QUOTE) at = endOfString(text, at + 1)
    else if (code === COMMA) {
      extent.values += 1
      const count = (elements[depth] ?? 0) + 1
      elements[depth] = count
      if (count >= extent.elements) extent.elements = count + 1
    } else if (isOpening(code)) {
      depth += 1
      elements[depth] = 0
      extent.values += 1
      if (depth > extent.depth) extent.depth = depth
    } else if (isClosing(code)) depth -= 1
  }
  return extent
}

/** What is neither a list nor an object is a single value, or no JSON. */
const STRUCTURED = /^[ \t\r\n]*[[{]/

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * The value of a JSON text; `undefined` when it is none.
 *
 * @throws JsonLimitError
 */
export function parseJson(text: string): unknown {
  if (!STRUCTURED.test(text)) return parsed(text)
  const { depth, values, elements, digits } = extentOf(text)
  if (values > MOST_VALUES) {
    throw new JsonLimitError(
      `the response body has more than ${MOST_VALUES} values, too many to be read`,
    )
  }
  if (elements > MOST_ELEMENTS) {
    throw new JsonLimitError(
      `the response body has a list or an object of more than ${MOST_ELEMENTS} elements, too many to be read`,
    )
  }
  const value = parsed(text)
  if (value === undefined) return undefined
  if (depth > DEEPEST) {
    throw new JsonLimitError(
      `the response body is JSON nested ${depth} levels deep, and no more than ${DEEPEST} are read`,
    )
  }
  if (digits > LONGEST_NUMBER) {
    throw new JsonLimitError(
      `the response body has a number of ${digits} digits, and no more than ${LONGEST_NUMBER} are read`,
    )
  }
  return value
}
