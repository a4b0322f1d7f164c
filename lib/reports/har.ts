import { STATUS_CODES } from 'node:http'
import type { Entry, Har, Request, Response } from 'har-format'
import type { RequirementResult, RunReport } from '../conformance/result.ts'
import type { ExchangeRecord, HeaderField } from '../probe/exchange-record.ts'
import { keptWords } from './evidence.ts'
import { runVerdictText } from './exit-status.ts'
import { groupBy } from './reason-groups.ts'
import { worstFirst } from './verdict-counts.ts'

/** Where Chrome notes why there was no response. */
type ChromeResponse = Response & { _error?: string }

// What Chrome writes, and reads, where the type is not known.
const unknownType = 'x-unknown'

// undici speaks this version unless another is asked for, which the probe does not do.
const httpVersion = 'HTTP/1.1'

const unavailable = -1

// Whatever RFC 3986 does not allow behind the authority, and a percent sign that escapes nothing.
const illegalInUrl = /[^\w\-.~:/?@!$&'()*+,;=%]|%(?![0-9a-f]{2})/giu

function percentEncoded(character: string): string {
  const bytes = Array.from(Buffer.from(character), (byte) => byte.toString(16).toUpperCase())
  return bytes.map((byte) => `%${byte.padStart(2, '0')}`).join('')
}

/**
 * The URL without its fragment and as RFC 3986 wants it, else as it was sent: nothing is resolved,
 * since dot segments may be what a request is about. Firefox gives up a whole archive over one URL
 * that cannot be parsed; such a text becomes the query of a URL below the reserved name `invalid`.
 */
function importableUrl(text: string): string {
  const [, authority, rest] = /^(https?:\/\/[^/?#]*)([^#]*)/is.exec(text) ?? []
  if (authority === undefined || rest === undefined || !URL.canParse(text)) {
    return `http://url.invalid/?${text.replace(illegalInUrl, percentEncoded)}`
  }
  return `${authority}${rest.replace(illegalInUrl, percentEncoded)}`
}

function headerValue(headers: readonly HeaderField[], name: string): string | undefined {
  return headers.find((field) => field.name.toLowerCase() === name)?.value
}

function requestOf({ request }: ExchangeRecord): Request {
  const { method, headers, body, bodyBytes } = request
  const url = importableUrl(request.url)
  const mimeType = headerValue(headers, 'content-type') ?? ''
  return {
    method,
    url,
    httpVersion,
    // What is in these is in the headers too, and no cookie is kept.
    cookies: [],
    headers: [...headers],
    queryString: Array.from(new URL(url).searchParams, ([name, value]) => ({ name, value })),
    ...(body === null ? {} : { postData: { mimeType, text: body } }),
    headersSize: unavailable,
    bodySize: bodyBytes ?? Buffer.byteLength(body ?? ''),
  }
}

function responseOf(exchange: ExchangeRecord): ChromeResponse {
  const { response, error } = exchange
  const { status = 0, headers = [], body = null, bodyBytes = 0 } = response ?? {}
  const kept = keptWords(exchange)
  const coded = headerValue(headers, 'content-encoding') !== undefined
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: response === null ? '' : httpVersion,
    cookies: [],
    headers: [...headers],
    content: {
      size: bodyBytes,
      mimeType: headerValue(headers, 'content-type') ?? unknownType,
      ...(body === null ? {} : { text: body }),
      ...(kept === undefined ? {} : { comment: kept }),
    },
    redirectURL: headerValue(headers, 'location') ?? '',
    headersSize: unavailable,
    bodySize: coded || response === null ? unavailable : bodyBytes,
    ...(response === null
      ? { _transferSize: 0, _error: error ?? 'no response, for a reason that is not known' }
      : {}),
  }
}

function comment(exchange: ExchangeRecord, resting: readonly RequirementResult[]): string {
  const { id, purpose, attempt, error } = exchange
  const rows = worstFirst.flatMap((verdict) => {
    const ids = resting.filter((result) => result.verdict === verdict)
    if (ids.length === 0) return []
    return `${verdict}: ${ids.map(({ requirement }) => requirement).join(', ')}`
  })
  return [
    `${id}, for ${purpose}`,
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    ...(error === null ? [] : [`no response: ${error}`]),
    ...(rows.length === 0 ? ['no requirement rests on it'] : rows),
  ].join('; ')
}

function entry(exchange: ExchangeRecord, resting: readonly RequirementResult[]): Entry {
  return {
    startedDateTime: exchange.startedAt,
    time: exchange.durationMs,
    request: requestOf(exchange),
    response: responseOf(exchange),
    cache: {},
    timings: {
      blocked: unavailable,
      dns: unavailable,
      connect: unavailable,
      ssl: unavailable,
      send: 0,
      wait: exchange.durationMs,
      receive: 0,
    },
    comment: comment(exchange, resting),
    // Chrome goes by the media type otherwise, and hides a JSON body behind its filter "Other".
    _resourceType: 'fetch',
  }
}

/**
 * Every exchange of the run as an HTTP Archive (HAR 1.2) that the developer tools of Chrome and
 * Firefox import. When the first byte of a response came is not known: all of the time is waiting.
 */
export function evidenceHar(report: RunReport): string {
  const pairs = report.results.flatMap((result) =>
    Array.from(new Set(result.exchanges), (id) => ({ id, result })),
  )
  const resting = groupBy(pairs, ({ id }) => id)
  const har: Har = {
    log: {
      version: '1.2',
      creator: { name: 'Plumbline', version: report.tool.version },
      // None, and yet there: Firefox reads no archive without the list.
      pages: [],
      entries: report.exchanges.map((exchange) => {
        const results = resting.get(exchange.id) ?? []
        return entry(
          exchange,
          results.map(({ result }) => result),
        )
      }),
      comment: `Run ${report.run.id}, ${runVerdictText(report)}`,
    },
  }
  return `${JSON.stringify(har, null, 2)}\n`
}
