import { STATUS_CODES } from 'node:http'
import { isRelevantRequestHeader } from '../probe/curl.ts'
import type { ExchangeRecord, HeaderField } from '../probe/exchange-record.ts'
import { exchangeOf } from '../results/reason.ts'
import { type Deviation, deviationText, type RequirementResult } from '../results/run-report.ts'
import { type BodyLine, excerptBody } from './body-excerpt.ts'
import { type ExcerptLimits, excerpt, printableLine } from './printable.ts'

const MAX_DEVIATION_LINES = 5

/** The exchanges of a report. */
export interface Evidence {
  exchange(id: string): ExchangeRecord | undefined
  /**
   * Returns the exchange that shows why a result is what it is: for a failure the first; otherwise the one
   * that its reason names, that brought no response, or that came last.
   */
  of(result: RequirementResult): ExchangeRecord | undefined
}

export function evidenceIn(exchanges: readonly ExchangeRecord[]): Evidence {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]))
  return {
    exchange: (id) => byId.get(id),
    of({ verdict, unjudged, exchanges }) {
      const found = exchanges.flatMap((id) => byId.get(id) ?? [])
      if (verdict === 'fail') return found[0]
      const shownBy = byId.get((unjudged && exchangeOf(unjudged)) ?? '')
      return shownBy ?? found.findLast(({ response }) => response === null) ?? found.at(-1)
    },
  }
}

/** `expected 201`, `actual 200` */
export function differences({ expected, actual }: RequirementResult): string[] {
  const sides = Object.entries({ expected, actual })
  return sides.flatMap(([label, text]) => (text === undefined ? [] : [`${label} ${text}`]))
}

/** `GET /api/v1/user 403: no X-Page`; what was expected too, where it is not what the first one lacks. */
function deviationLine(
  { subject, expected, actual, waived }: Deviation,
  first: string | undefined,
): string {
  const what = expected === first ? actual : `expected ${expected}, got ${actual}`
  return `${deviationText({ subject, actual: what })}${waived ? ' (waived)' : ''}`
}

/**
 * Returns a line for each deviation of a failure after the first, which expected and actual show.
 *
 * @returns `more`: the number of those without a line
 */
export function furtherDeviations(result: RequirementResult, max = MAX_DEVIATION_LINES) {
  const { expected, deviations = [], furtherDeviations = 0 } = result
  const shown = deviations.slice(1, max + 1)
  const lines = shown.map((deviation) => {
    return { text: deviationLine(deviation, expected), exchange: deviation.exchange }
  })
  return { lines, more: Math.max(0, deviations.length - 1 - max) + furtherDeviations }
}

/** `e1, sent …, 12 ms; see also e2` */
export function exchangeTitle(exchange: ExchangeRecord, result: RequirementResult): string {
  const { id, startedAt, durationMs, attempt } = exchange
  const others = result.exchanges.filter((other) => other !== id)
  const more = others.length - 5
  return [
    `${id}, sent ${startedAt}, ${Math.round(durationMs)} ms`,
    attempt > 1 ? `, attempt ${attempt}` : '',
    others.length > 0 ? `; see also ${others.slice(0, 5).join(', ')}` : '',
    more > 0 ? ` and ${more} more` : '',
  ].join('')
}

/** The parts of an exchange that contradict requirements. */
export interface ReadParts {
  status: boolean
  header(name: string): boolean
  /** JSON pointers into the body. */
  pointers: readonly string[]
  /** True if each result is about the status or a header field, and none about the body. */
  isBesideBody: boolean
}

/** Returns the parts of an exchange that contradict the requirements, for marking them. */
export function readParts(results: readonly Pick<RequirementResult, 'reads'>[]): ReadParts {
  const reads = results.flatMap((result) => result.reads ?? [])
  const headers = reads.map((read) => ('header' in read ? read.header.toLowerCase() : ''))
  const pointers = reads.flatMap((read) => ('pointer' in read ? read.pointer : []))
  return {
    status: reads.some((read) => 'status' in read),
    header: (name) => headers.includes(name.toLowerCase()),
    pointers,
    isBesideBody: results.length > 0 && reads.length === results.length && pointers.length === 0,
  }
}

/** Returns the JSON pointer to what is wrong in the body, printable; undefined for other parts. */
export function placeInBody({ reads }: Pick<RequirementResult, 'reads'>): string | undefined {
  if (reads === undefined || !('pointer' in reads) || reads.pointer === '') return undefined
  return printableLine(reads.pointer)
}

export function requestLine({ request }: ExchangeRecord): string {
  return printableLine(`${request.method} ${request.url}`)
}

/** Status with its standard phrase, `404 Not Found`, or why there was no response. */
export function statusLine({ response, error }: ExchangeRecord): string {
  if (response === null) return printableLine(`no response: ${error ?? 'the reason is not known'}`)
  return `${response.status} ${STATUS_CODES[response.status] ?? ''}`.trimEnd()
}

/** How much is kept of a body that was cut: `kept 64 kB of 9 MB`. */
export function truncationNote({ response }: ExchangeRecord): string | undefined {
  if (response?.bodyKept === undefined) return undefined
  const inWords = (bytes: number) =>
    bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${Math.round(bytes / 1e6)} MB`
  return `kept ${inWords(response.bodyKept)} of ${inWords(response.bodyBytes)}`
}

// Headers that nearly every server or gateway sends and that seldom explain a verdict.
const commonResponseHeaders = new Set(
  `accept-ranges age alt-svc cache-control connection content-length content-security-policy date
   etag expires keep-alive last-modified nel permissions-policy pragma referrer-policy report-to
   set-cookie strict-transport-security transfer-encoding vary x-content-type-options
   x-frame-options x-xss-protection`.split(/\s+/),
)

const headerLine = ({ name, value }: HeaderField) =>
  printableLine(`${name}: ${excerpt(value, { characters: 300, lines: 1 })}`)

function bodyLines(
  body: string | null,
  bytes: number,
  limits: ExcerptLimits,
  pointers: readonly string[] = [],
): BodyLine[] {
  const plain = (text: string) => ({ text, isMarked: false })
  if (body === null && bytes > 0) return ['', `[${bytes} bytes of body, not kept]`].map(plain)
  if (body === null || body === '') return []
  return [plain(''), ...excerptBody(body, limits, { pointers }).lines]
}

/** Printable lines: the request's begin with `>`, the response's with `<`: no body can pass for a header. */
export function exchangeLines(
  exchange: ExchangeRecord,
  options: { read: ReadParts; requestDetails: boolean; body: ExcerptLimits },
) {
  const { request, response } = exchange
  const { read, requestDetails, body } = options
  const lines: { text: string; isRead: boolean }[] = []
  const add = (mark: string, text: string, isRead = false) =>
    lines.push({ text: `${mark} ${text}`.trimEnd(), isRead })
  add('>', requestLine(exchange))
  if (requestDetails) {
    const told = request.headers.filter(isRelevantRequestHeader).map(headerLine)
    for (const text of told) add('>', text)
    for (const { text } of bodyLines(request.body, request.bodyBytes ?? 0, body)) add('>', text)
  }
  add('<', statusLine(exchange), read.status)
  if (response === null) return lines
  for (const field of response.headers) {
    const isRead = read.header(field.name)
    const isCommon = commonResponseHeaders.has(field.name.toLowerCase())
    if (isRead || !isCommon) add('<', headerLine(field), isRead)
  }
  for (const line of bodyLines(response.body, response.bodyBytes, body, read.pointers)) {
    add('<', line.text, line.isMarked)
  }
  const kept = truncationNote(exchange)
  if (kept !== undefined) add('<', `[${kept}]`)
  return lines
}
