/** Deeper than any record of an API; reports, and those who read them, go down as deep. */
const DEEPEST = 100
/** Each takes far more room in memory than in the text. */
const MOST_VALUES = 500_000

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
  /** Digits in a row, outside of strings. */
  digits: number
}

function extentOf(text: string): Extent {
  let depth = 0
  let deepest = 0
  let values = 1
  let digits = 0
  let longest = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    digits = isDigit(code) ? digits + 1 : 0
    if (digits > longest) longest = digits
    if (code === QUOTE) at = endOfString(text, at + 1)
    else if (code === COMMA) values += 1
    else if (isOpening(code)) {
      depth += 1
      values += 1
      if (depth > deepest) deepest = depth
    } else if (isClosing(code)) depth -= 1
  }
  return { depth: deepest, values, digits: longest }
}

/** What is neither a list nor an object is a single value, or no JSON. */
const STRUCTURED = /^[ \t\r\n]*[[{]/

/**
 * The value of a JSON text; `undefined` when it is none.
 *
 * @throws JsonLimitError
 */
export function parseJson(text: string): unknown {
  const { depth, values, digits } = STRUCTURED.test(text)
    ? extentOf(text)
    : { depth: 0, values: 1, digits: 0 }
  if (values > MOST_VALUES) {
    throw new JsonLimitError(
      `the response body has more than ${MOST_VALUES} values, too many to be read`,
    )
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
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
