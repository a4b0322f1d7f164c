import { STATUS_CODES } from 'node:http'
import { isRelevantRequestHeader } from '../probe/curl.ts'
import type { ExchangeRecord, HeaderField } from '../probe/exchange-record.ts'
import { exchangeOf } from '../results/reason.ts'
import type { RequirementResult } from '../results/run-report.ts'
import { type ExcerptLimits, excerpt, printableLine } from '../text/printable.ts'
import { type BodyLine, excerptBody } from './body-excerpt.ts'

export interface ExchangeLookup {
  exchange(id: string): ExchangeRecord | undefined
  /**
   * Returns the exchange that explains a result: the first of a failure; for other results the exchange
   * in the reason, the last without a response, or the last.
   */
  of(result: RequirementResult): ExchangeRecord | undefined
}

export function createLookup(exchanges: readonly ExchangeRecord[]): ExchangeLookup {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]))
  return {
    exchange: (id) => byId.get(id),
    of({ verdict, noVerdict, exchanges }) {
      const found = exchanges.flatMap((id) => byId.get(id) ?? [])
      if (verdict === 'fail') return found[0]
      const shownBy = byId.get((noVerdict && exchangeOf(noVerdict)) ?? '')
      return shownBy ?? found.findLast(({ response }) => response === null) ?? found.at(-1)
    },
  }
}

/** Returns `e1, sent …, 12 ms`. */
export function exchangeTitle({ id, startedAt, durationMs, attempt }: ExchangeRecord): string {
  const attempts = attempt > 1 ? `, attempt ${attempt}` : ''
  return `${id}, sent ${startedAt}, ${Math.round(durationMs)} ms${attempts}`
}

export interface InspectedParts {
  status: boolean
  header(name: string): boolean
  pointers: readonly string[]
  /** JSON texts by pointer, of values that may be in the part of a body that is not kept. */
  values: ReadonlyMap<string, string>
  /** True if each result is about the status or a header field, and none about the body. */
  isOutsideBody: boolean
}

export function inspectedParts(
  results: readonly Pick<RequirementResult, 'reads'>[],
): InspectedParts {
  const reads = results.flatMap((result) => result.reads ?? [])
  const headers = reads.map((read) => ('header' in read ? read.header.toLowerCase() : ''))
  const pointers = reads.flatMap((read) => ('pointer' in read ? read.pointer : []))
  const values = reads.flatMap((read): [string, string][] =>
    'pointer' in read && read.value !== undefined ? [[read.pointer, read.value]] : [],
  )
  return {
    status: reads.some((read) => 'status' in read),
    header: (name) => headers.includes(name.toLowerCase()),
    pointers,
    values: new Map(values),
    isOutsideBody: results.length > 0 && reads.length === results.length && pointers.length === 0,
  }
}

export function requestLine({ request }: ExchangeRecord): string {
  return printableLine(`${request.method} ${request.url}`)
}

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

// Header fields that most servers and gateways send and that seldom explain a verdict.
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
  limits: ExcerptLimits | undefined,
  read?: InspectedParts,
): BodyLine[] {
  if (limits === undefined) return []
  const unmarked = (text: string) => ({ text, isMarked: false })
  if (body === null && bytes > 0) return ['', `[${bytes} bytes of body, not kept]`].map(unmarked)
  if (body === null || body === '') return []
  return [unmarked(''), ...excerptBody(body, limits, read).lines]
}

/** Returns printable lines, without bodies if they have no limits; `>` starts each line of the request and `<` each line of the response. */
export function exchangeLines(
  exchange: ExchangeRecord,
  options: {
    read: InspectedParts
    requestDetails: boolean
    /** Response header fields: the fields that are read, or others too; default: all. */
    headers?: 'all' | 'read'
    body: ExcerptLimits | undefined
  },
) {
  const { request, response } = exchange
  const { read, requestDetails, headers = 'all', body } = options
  const lines: { text: string; isRead: boolean }[] = []
  const add = (prefix: string, text: string, isRead = false) =>
    lines.push({ text: `${prefix} ${text}`.trimEnd(), isRead })
  add('>', requestLine(exchange))
  if (requestDetails) {
    const headers = request.headers.filter(isRelevantRequestHeader).map(headerLine)
    for (const text of headers) add('>', text)
    for (const { text } of bodyLines(request.body, request.bodyBytes ?? 0, body)) add('>', text)
  }
  add('<', statusLine(exchange), read.status)
  if (response === null) return lines
  for (const field of response.headers) {
    const isRead = read.header(field.name)
    const isCommon = commonResponseHeaders.has(field.name.toLowerCase())
    if (isRead || (headers === 'all' && !isCommon)) add('<', headerLine(field), isRead)
  }
  for (const line of bodyLines(response.body, response.bodyBytes, body, read)) {
    add('<', line.text, line.isMarked)
  }
  const kept = truncationNote(exchange)
  if (kept !== undefined && body !== undefined) add('<', `[${kept}]`)
  return lines
}
