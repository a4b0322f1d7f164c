import { STATUS_CODES } from 'node:http'
import type { Content, Cookie, Entry, Har, PostData, Request, Response } from 'har-format'
import type { RequirementResult, RunReport } from '../conformance/result.ts'
import type { ExchangeRecord, HeaderField } from '../probe/exchange-record.ts'
import { keptWords } from './evidence.ts'
import { runVerdictText } from './exit-status.ts'
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
  const afterAuthority = /^https?:\/\/[^/?#]*([^#]*)/is.exec(text)?.[1]
  if (afterAuthority === undefined || !URL.canParse(text)) {
    return `http://url.invalid/?${text.replace(illegalInUrl, percentEncoded)}`
  }
  const { protocol, host } = new URL(text)
  return `${protocol}//${host}${afterAuthority.replace(illegalInUrl, percentEncoded)}`
}

function headerValue(headers: readonly HeaderField[], name: string): string | undefined {
  return headers.find((field) => field.name.toLowerCase() === name)?.value
}

/** Name and value of what looks like `name=value`; what stands behind a semicolon is left out. */
function cookie(text: string): Cookie {
  const [pair = ''] = text.split(';')
  const [name = '', ...value] = pair.split('=')
  return { name: name.trim(), value: value.join('=').trim() }
}

function requestCookies(headers: readonly HeaderField[]): Cookie[] {
  return headers
    .filter(({ name }) => name.toLowerCase() === 'cookie')
    .flatMap(({ value }) => value.split(';').map(cookie))
}

function responseCookies(headers: readonly HeaderField[]): Cookie[] {
  return headers
    .filter(({ name }) => name.toLowerCase() === 'set-cookie')
    .map(({ value }) => cookie(value))
}

function postData(body: string, headers: readonly HeaderField[]): PostData {
  return { mimeType: headerValue(headers, 'content-type') ?? '', text: body }
}

function requestOf({ request }: ExchangeRecord): Request {
  const { method, headers, body, bodyBytes } = request
  const url = importableUrl(request.url)
  return {
    method,
    url,
    httpVersion,
    cookies: requestCookies(headers),
    headers: headers.map(({ name, value }) => ({ name, value })),
    queryString: Array.from(new URL(url).searchParams, ([name, value]) => ({ name, value })),
    ...(body === null ? {} : { postData: postData(body, headers) }),
    headersSize: unavailable,
    bodySize: bodyBytes ?? Buffer.byteLength(body ?? ''),
  }
}

function responseOf(exchange: ExchangeRecord): ChromeResponse {
  const { response, error } = exchange
  if (response === null) {
    return {
      status: 0,
      statusText: '',
      httpVersion: '',
      cookies: [],
      headers: [],
      content: { size: 0, mimeType: unknownType },
      redirectURL: '',
      headersSize: unavailable,
      bodySize: unavailable,
      _transferSize: 0,
      _error: error ?? 'no response, for a reason that is not known',
    }
  }
  const { status, headers, body, bodyBytes } = response
  const mimeType = headerValue(headers, 'content-type') ?? unknownType
  const kept = keptWords(exchange)
  const content: Content = {
    size: bodyBytes,
    mimeType,
    ...(body === null ? {} : { text: body }),
    ...(kept === undefined ? {} : { comment: kept }),
  }
  const coded = headerValue(headers, 'content-encoding') !== undefined
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion,
    cookies: responseCookies(headers),
    headers: headers.map(({ name, value }) => ({ name, value })),
    content,
    redirectURL: headerValue(headers, 'location') ?? '',
    headersSize: unavailable,
    bodySize: coded ? unavailable : bodyBytes,
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

function restingOn(results: readonly RequirementResult[]): Map<string, RequirementResult[]> {
  const resting = new Map<string, RequirementResult[]>()
  for (const result of results) {
    for (const id of new Set(result.exchanges)) {
      resting.set(id, [...(resting.get(id) ?? []), result])
    }
  }
  return resting
}

/**
 * Every exchange of the run, in the order of sending, as an HTTP Archive (HAR 1.2) that the
 * developer tools of Chrome and Firefox import. The comment of an entry names the exchange, what it
 * was made for and the requirements that rest on it, by verdict. Times are in milliseconds; when the
 * first byte of a response came is not known, so that all of the time is spent waiting. An exchange
 * without a response has status 0 and says why in `_error`, as Chrome writes it.
 */
export function evidenceHar(report: RunReport): string {
  const resting = restingOn(report.results)
  const har: Har = {
    log: {
      version: '1.2',
      creator: { name: 'Plumbline', version: report.tool.version },
      // None, and yet there: Firefox reads no archive without the list.
      pages: [],
      entries: report.exchanges.map((exchange) => entry(exchange, resting.get(exchange.id) ?? [])),
      comment: `Run ${report.run.id}, ${runVerdictText(report)}`,
    },
  }
  return `${JSON.stringify(har, null, 2)}\n`
}
