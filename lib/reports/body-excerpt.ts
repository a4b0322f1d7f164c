import { isJson } from '../text/json.ts'
import { findJsonValue } from '../text/json-pointer.ts'
import { type ExcerptLimits, excerpt, printableText } from '../text/printable.ts'

export interface MessageLine {
  text: string
  /** True if a check found a contradiction in it. */
  isMarked: boolean
}

export const unmarked = (text: string): MessageLine => ({ text, isMarked: false })

// Formatting a longer text takes too much time.
const MAX_JSON_CHARS = 262_144

// Without a limit, the indentation of a body of brackets would fill the memory.
const MAX_INDENTATION = 24

const MIN_LINE_CHARS = 80

const jsonParts = /"[^"\\]*(?:\\.[^"\\]*)*"|[{[]\s*[}\]]|[{}[\],:]|\s+/gs

/** Formats JSON text with a line for each member; changes only white space. */
function formatJson(text: string): string {
  let depth = 0
  const lineBreak = () => `\n${'  '.repeat(Math.max(0, Math.min(depth, MAX_INDENTATION)))}`
  return text.replace(jsonParts, (part) => {
    if (part === '{' || part === '[') {
      depth += 1
      return `${part}${lineBreak()}`
    }
    if (part === '}' || part === ']') {
      depth -= 1
      return `${lineBreak()}${part}`
    }
    if (part === ',') return `,${lineBreak()}`
    if (part === ':') return ': '
    return part.startsWith('"') ? part : part.replace(/\s+/g, '')
  })
}

/** Formats JSON text; undefined for other and for very long text. */
export function formattedJson(text: string): string | undefined {
  return text.length > MAX_JSON_CHARS || !isJson(text) ? undefined : formatJson(text)
}

/** Start of a JSON list or object, which may be truncated. */
const STRUCTURED = /^\s*(?:\{\s*["}]|\[\s*[[{"\]])/

/** Returns at most `length` characters of a line around a column; an ellipsis marks each cut end. */
function cutLine(line: string, column: number, length: number): string {
  if (line.length <= length) return line
  const start = Math.max(0, Math.min(column - Math.floor(length / 4), line.length - length))
  const kept = line.slice(start, start + length).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  const end = start + length < line.length ? '…' : ''
  return `${start > 0 ? '…' : ''}${kept}${end}`
}

/** Returns the lines around the first place, a quarter of them before it. */
function linesAround(
  text: string,
  places: readonly { start: number; end: number }[],
  limits: ExcerptLimits,
): MessageLine[] {
  const length = Math.max(MIN_LINE_CHARS, Math.floor(limits.characters / limits.lines))
  let next = 0
  const lines = text.split('\n').map((line) => {
    const start = next
    next += line.length + 1
    const place = places.find((one) => one.start < next && one.end >= start)
    const column = Math.max(0, (place?.start ?? 0) - start)
    // The inspected part has more space than the lines around it.
    const cut = cutLine(line, column, place === undefined ? length : 3 * length)
    return { text: cut, isMarked: place !== undefined }
  })
  const first = lines.findIndex(({ isMarked }) => isMarked)
  const from = Math.max(0, first - Math.floor(limits.lines / 4))
  const to = Math.min(lines.length, from + limits.lines)
  const omitted = (count: number, noun: string) =>
    count === 0 ? [] : unmarked(`… [${count} ${noun}]`)
  return [
    omitted(from, 'lines before'),
    lines.slice(from, to),
    omitted(lines.length - to, 'more lines'),
  ].flat()
}

interface ExcerptOptions {
  /** JSON pointers to the values to mark. */
  pointers?: readonly string[]
  /** Values by pointer that the kept part may not have. */
  values?: ReadonlyMap<string, string>
}

/**
 * Returns printable lines of a redacted body around the values at JSON pointers, which are marked;
 * the first lines if the body is no JSON, and none of them if it was not kept up to these values.
 */
export function excerptBody(
  body: string,
  limits: ExcerptLimits,
  { pointers = [], values = new Map() }: ExcerptOptions = {},
): MessageLine[] {
  const placesIn = (text: string) =>
    pointers.flatMap((pointer) => {
      const place = findJsonValue(text, pointer)
      if (place === undefined) return []
      // Only the start of the parent is marked if a member is missing.
      return place.isExact ? place : { ...place, end: place.start }
    })
  const isStructured = body.length <= MAX_JSON_CHARS && STRUCTURED.test(body)
  const isLocated = isStructured && placesIn(body).length > 0
  if (isStructured && !isLocated && pointers.length > 0) {
    const text = `[${printableText(pointers.join(', '))} is in the part that was not kept]`
    const found = pointers.flatMap((pointer) => values.get(pointer)?.split(/\r?\n/) ?? [])
    const shown = found.map((line) => ({ text: printableText(line), isMarked: true }))
    return [unmarked(text), ...shown]
  }
  const formatted = isLocated ? formatJson(body) : formattedJson(body)
  const text = (formatted ?? body).replaceAll('\r\n', '\n')
  const lines = isLocated
    ? linesAround(text, placesIn(text), limits)
    : excerpt(text, limits).split('\n').map(unmarked)
  return lines.map(({ text, isMarked }) => ({ text: printableText(text), isMarked }))
}
