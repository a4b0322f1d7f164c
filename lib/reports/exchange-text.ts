import { STATUS_CODES } from 'node:http'
import type { ExchangeRecord, HeaderField } from '../probe/exchange-record.ts'
import { exchangeOf } from '../results/reason.ts'
import type { RequirementResult } from '../results/run-report.ts'
import { type ExcerptLimits, excerpt, printableLine } from '../text/printable.ts'
import { excerptBody, type MessageLine, unmarked } from './body-excerpt.ts'

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
  results: readonly Pick<RequirementResult, 'reads'>[] = [],
): InspectedParts {
  const reads = results.flatMap((result) => result.reads ?? [])
  const headers = reads.map((read) => ('header' in read ? read.header.toLowerCase() : ''))
  const inBody = reads.flatMap((read) => ('pointer' in read ? read : []))
  return {
    status: reads.some((read) => 'status' in read),
    header: (name) => headers.includes(name.toLowerCase()),
    pointers: inBody.map(({ pointer }) => pointer),
    values: new Map(inBody.flatMap(({ pointer, value }) => (value ? [[pointer, value]] : []))),
    isOutsideBody: results.length > 0 && reads.length === results.length && inBody.length === 0,
  }
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

interface ExchangeOptions {
  read: InspectedParts
  body: ExcerptLimits | undefined
  /** Maximum length of the value of a header field. */
  headerChars?: number
}

/** Returns the printable lines of the request and of the response, each with its body. */
export function messageLines(
  exchange: ExchangeRecord,
  { read, body: limits, headerChars = 300 }: ExchangeOptions,
): { sent: MessageLine[]; received: MessageLine[] } {
  const { request, response } = exchange
  const fieldLine = ({ name, value }: HeaderField) =>
    printableLine(`${name}: ${excerpt(value, { characters: headerChars, lines: 1 })}`)
  function bodyLines(body: string | null, bytes: number, options: object): MessageLine[] {
    if (limits === undefined) return []
    if (body === null && bytes > 0) return ['', `[${bytes} bytes of body, not kept]`].map(unmarked)
    return body ? [unmarked(''), ...excerptBody(body, limits, options)] : []
  }
  const kept = limits && truncationNote(exchange)
  return {
    sent: [
      unmarked(requestLine(exchange)),
      ...request.headers.map((field) => unmarked(fieldLine(field))),
      ...bodyLines(request.body, request.bodyBytes ?? 0, {}),
    ],
    received: [
      { text: statusLine(exchange), isMarked: read.status },
      ...(response?.headers ?? []).map((field) => {
        return { text: fieldLine(field), isMarked: read.header(field.name) }
      }),
      ...bodyLines(response?.body ?? null, response?.bodyBytes ?? 0, read),
      ...(kept === undefined ? [] : [unmarked(`[${kept}]`)]),
    ],
  }
}
