import { STATUS_CODES } from 'node:http'
import type { ExchangeRecord, HeaderField } from '../probe/exchange-record.ts'
import { isTellingRequestHeader } from './curl.ts'
import { type ExcerptLimits, excerpt, printableLine, printableText } from './printable.ts'

/** What to tell of an exchange. */
export interface ExchangeTextOptions {
  /** Text about the exchange: a response header that it names is shown, however common it is. */
  about: string
  /** With the request's headers and body, or its request line alone. */
  requestDetails: boolean
  body: ExcerptLimits
}

const headerValueLimits: ExcerptLimits = { characters: 300, lines: 1 }

// Headers that nearly every server or gateway sends and that seldom explain a verdict.
const commonResponseHeaders = new Set([
  'accept-ranges',
  'age',
  'alt-svc',
  'cache-control',
  'connection',
  'content-length',
  'content-security-policy',
  'date',
  'etag',
  'expires',
  'keep-alive',
  'last-modified',
  'nel',
  'permissions-policy',
  'pragma',
  'referrer-policy',
  'report-to',
  'set-cookie',
  'strict-transport-security',
  'transfer-encoding',
  'vary',
  'x-content-type-options',
  'x-frame-options',
  'x-xss-protection',
])

/** Whether a text has the name, which is in lower case, as a word of its own, in any case. */
export function isNamedIn(about: string, name: string): boolean {
  return about
    .toLowerCase()
    .split(/[^a-z0-9-]+/)
    .includes(name)
}

function headerLine({ name, value }: HeaderField): string {
  return printableLine(`${name}: ${excerpt(value, headerValueLimits)}`)
}

function bodyLines(body: string | null, bytes: number, limits: ExcerptLimits): string[] {
  if (body === null && bytes > 0) return ['', `[${bytes} bytes of body, not kept]`]
  if (body === null || body === '') return []
  return ['', ...printableText(excerpt(body, limits).replaceAll('\r\n', '\n')).split('\n')]
}

function inWords(bytes: number): string {
  const [divisor, unit] = bytes < 1_000_000 ? [1000, 'kB'] : [1_000_000, 'MB']
  return `${Math.round(bytes / divisor)} ${unit}`
}

/** How much is kept of a body that was cut: `kept 64 kB of 9 MB`. */
export function keptWords({ response }: ExchangeRecord): string | undefined {
  if (response?.bodyKept === undefined) return undefined
  return `kept ${inWords(response.bodyKept)} of ${inWords(response.bodyBytes)}`
}

/** Method and URL: `GET https://git.example.com/api/v1/user`. */
export function requestLine({ request }: ExchangeRecord): string {
  return printableLine(`${request.method} ${request.url}`)
}

/** Status with its standard phrase, `404 Not Found`, or why there was no response. */
export function statusLine({ response, error }: ExchangeRecord): string {
  if (response === null) return printableLine(`no response: ${error ?? 'the reason is not known'}`)
  return `${response.status} ${STATUS_CODES[response.status] ?? ''}`.trimEnd()
}

/**
 * The exchange as printable lines: the request's begin with `>`, the response's with `<`, so that no
 * body can pass for a header. Long bodies are cut.
 */
export function exchangeLines(exchange: ExchangeRecord, options: ExchangeTextOptions): string[] {
  const { request, response } = exchange
  const sent = [requestLine(exchange)]
  if (options.requestDetails) {
    sent.push(...request.headers.filter(isTellingRequestHeader).map(headerLine))
    sent.push(...bodyLines(request.body, request.bodyBytes ?? 0, options.body))
  }
  const received = [statusLine(exchange)]
  if (response !== null) {
    const telling = response.headers.filter(({ name }) => {
      const lowerCase = name.toLowerCase()
      return !commonResponseHeaders.has(lowerCase) || isNamedIn(options.about, lowerCase)
    })
    const body = bodyLines(response.body, response.bodyBytes, options.body)
    const kept = keptWords(exchange)
    received.push(...telling.map(headerLine), ...body, ...(kept === undefined ? [] : [`[${kept}]`]))
  }
  return [
    ...sent.map((line) => `> ${line}`.trimEnd()),
    ...received.map((line) => `< ${line}`.trimEnd()),
  ]
}
