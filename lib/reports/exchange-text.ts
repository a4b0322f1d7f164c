import { STATUS_CODES } from 'node:http'
import type { ExchangeRecord, HeaderField } from '../probe/exchange.ts'
import { exchangeOf } from '../results/reason.ts'
import type { InspectedPart, RequirementResult } from '../results/run-report.ts'
import { findJsonValue, isJson } from '../text/json.ts'
import {
  type ExcerptLimits,
  excerpt,
  printableLine,
  printableText,
  truncate,
} from '../text/printable.ts'
import { counted } from '../text/quantities.ts'

export type ExchangesById = ReadonlyMap<string, ExchangeRecord>

/** Parts that results inspected. */
type Reads = readonly InspectedPart[]

export const exchangesById = (exchanges: readonly ExchangeRecord[]): ExchangesById =>
  new Map(exchanges.map((exchange) => [exchange.id, exchange]))

/** Returns the first exchange of a failure; for other results the exchange of the reason, the last without a response, or the last. */
export function explainingExchange(
  { verdict, noVerdict, exchanges }: RequirementResult,
  byId: ExchangesById,
): ExchangeRecord | undefined {
  const found = exchanges.flatMap((id) => byId.get(id) ?? [])
  if (verdict === 'fail') return found[0]
  const shownBy = byId.get((noVerdict && exchangeOf(noVerdict)) ?? '')
  return shownBy ?? found.findLast(({ response }) => response === null) ?? found.at(-1)
}

export const requestLine = ({ request }: ExchangeRecord): string =>
  printableLine(`${request.method} ${request.url}`)

/** Returns the status with its standard phrase, `404 Not Found`, or why there was no response. */
export function statusLine({ response, error }: ExchangeRecord): string {
  if (response === null) return printableLine(`no response: ${error ?? 'unknown reason'}`)
  return `${response.status} ${STATUS_CODES[response.status] ?? ''}`.trimEnd()
}

/** Returns `kept 64 kB of 9 MB` for a truncated body. */
export function truncationNote({ response }: ExchangeRecord): string | undefined {
  if (response?.bodyKept === undefined) return undefined
  const sizeText = (bytes: number) =>
    bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${Math.round(bytes / 1e6)} MB`
  return `kept ${sizeText(response.bodyKept)} of ${sizeText(response.bodyBytes)}`
}

export interface MessageLine {
  text: string
  /** True if a check found a contradiction in it. */
  isMarked: boolean
}

const unmarked = (text: string): MessageLine => ({ text, isMarked: false })

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

/** Start of a JSON list or object, which may be truncated. */
const STRUCTURED = /^\s*(?:\{\s*["}]|\[\s*[[{"\]])/

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
    const isMarked = places.some((one) => one.start < next && one.end >= start)
    // The inspected part has more space than the lines around it.
    return { text: truncate(line, isMarked ? 3 * length : length), isMarked }
  })
  const first = lines.findIndex(({ isMarked }) => isMarked)
  const from = Math.max(0, first - Math.floor(limits.lines / 4))
  const to = Math.min(lines.length, from + limits.lines)
  const omitted = (count: number, place: string) =>
    count === 0 ? [] : unmarked(`… [${counted(count, 'line')} ${place}]`)
  return [
    omitted(from, 'before'),
    lines.slice(from, to),
    omitted(lines.length - to, 'after'),
  ].flat()
}

/** Returns printable lines of a body around the values at JSON pointers, which are marked; else the first lines. */
export function excerptBody(body: string, limits: ExcerptLimits, reads: Reads = []): MessageLine[] {
  const pointers = reads.flatMap((read) => ('pointer' in read ? read.pointer : []))
  const placesIn = (text: string) =>
    pointers.flatMap((pointer) => {
      const place = findJsonValue(text, pointer)
      if (place === undefined) return []
      // Only the start of the parent is marked if a member is missing.
      return place.isExact ? place : { ...place, end: place.start }
    })
  const isShort = body.length <= MAX_JSON_CHARS
  const isStructured = isShort && STRUCTURED.test(body)
  const isLocated = isStructured && placesIn(body).length > 0
  if (isStructured && !isLocated && pointers.length > 0) {
    return [unmarked(`[${printableText(pointers.join(', '))} is in the part that was not kept]`)]
  }
  const isFormatted = isLocated || (isShort && isJson(body))
  const text = (isFormatted ? formatJson(body) : body).replaceAll('\r\n', '\n')
  const lines = isLocated
    ? linesAround(text, placesIn(text), limits)
    : excerpt(text, limits).split('\n').map(unmarked)
  return lines.map(({ text, isMarked }) => ({ text: printableText(text), isMarked }))
}

const fieldLimits: ExcerptLimits = { characters: 2000, lines: 1 }

/** Printable lines of a request or a response. */
export interface Message {
  head: MessageLine[]
  body: MessageLine[]
}

export function messagesOf(exchange: ExchangeRecord, reads: Reads, limits: ExcerptLimits) {
  const { request, response } = exchange
  const fieldLine = ({ name, value }: HeaderField) =>
    printableLine(`${name}: ${excerpt(value, fieldLimits)}`)
  function bodyLines(body: string | null, bytes = 0, parts?: Reads): MessageLine[] {
    if (body === null && bytes > 0) return [unmarked(`[${bytes} bytes of body, not kept]`)]
    return body ? excerptBody(body, limits, parts) : []
  }
  const kept = truncationNote(exchange)
  const isStatusRead = reads.some((read) => 'status' in read)
  const isHeaderRead = (name: string) =>
    reads.some((read) => 'header' in read && read.header.toLowerCase() === name.toLowerCase())
  return {
    sent: {
      head: [requestLine(exchange), ...request.headers.map(fieldLine)].map(unmarked),
      body: bodyLines(request.body, request.bodyBytes),
    },
    received: {
      head: [
        { text: statusLine(exchange), isMarked: response === null || isStatusRead },
        ...(response?.headers ?? []).map((field) => {
          return { text: fieldLine(field), isMarked: isHeaderRead(field.name) }
        }),
      ],
      body: [
        ...bodyLines(response?.body ?? null, response?.bodyBytes, reads),
        ...(kept === undefined ? [] : [unmarked(`[${kept}]`)]),
      ],
    },
  }
}
