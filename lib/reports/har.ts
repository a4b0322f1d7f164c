import { STATUS_CODES } from 'node:http'
import type { Entry, Har, Request, Response } from 'har-format'
import type { ExchangeRecord, HeaderField } from '../probe/exchange.ts'
import type { RunReport } from '../results/run-report.ts'
import { truncationNote } from './exchange-text.ts'

// Characters that RFC 3986 does not allow after the authority, and invalid percent-encoding.
const illegalInUrl = /[^\w\-.~:/?@!$&'()*+,;=%]|%(?![0-9a-f]{2})/giu

/** Returns the URL without fragment and illegal characters. Firefox rejects invalid URLs: such text becomes the query of `url.invalid`. */
function importableUrl(text: string): string {
  const [, authority, rest = text] =
    (URL.canParse(text) && /^(https?:\/\/[^/?#]*)([^#]*)/is.exec(text)) || []
  const legal = rest.replace(illegalInUrl, (character) =>
    encodeURIComponent(character.replace(/\p{Cs}/u, '\ufffd')),
  )
  return `${authority ?? 'http://url.invalid/?'}${legal}`
}

const headerValue = (headers: readonly HeaderField[], name: string): string | undefined =>
  headers.find((field) => field.name.toLowerCase() === name)?.value

/** Returns the fields of requests and responses alike. A size of -1 means unknown; cookies stay in the header fields. */
const message = (headers: HeaderField[]) => {
  // The version that undici uses by default.
  return { httpVersion: 'HTTP/1.1', cookies: [], headers, headersSize: -1 }
}

function requestOf({ method, url: sent, headers, body, bodyBytes }: ExchangeRecord['request']) {
  const url = importableUrl(sent)
  const mimeType = headerValue(headers, 'content-type') ?? ''
  return {
    method,
    url,
    ...message(headers),
    queryString: Array.from(new URL(url).searchParams, ([name, value]) => ({ name, value })),
    ...(body !== null && { postData: { mimeType, text: body } }),
    bodySize: bodyBytes ?? Buffer.byteLength(body ?? ''),
  } satisfies Request
}

/** Converts a response; Chrome uses `_error` for the reason of a missing one. */
function responseOf(exchange: ExchangeRecord): Response & { _error?: string } {
  const { response, error } = exchange
  const { status = 0, headers = [], body, bodyBytes = 0 } = response ?? {}
  const kept = truncationNote(exchange)
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    ...message(headers),
    content: {
      size: bodyBytes,
      // Chrome uses this for an unknown type.
      mimeType: headerValue(headers, 'content-type') ?? 'x-unknown',
      ...(typeof body === 'string' && { text: body }),
      ...(kept !== undefined && { comment: kept }),
    },
    redirectURL: headerValue(headers, 'location') ?? '',
    bodySize: response === null || headerValue(headers, 'content-encoding') ? -1 : bodyBytes,
    ...(response === null && {
      httpVersion: '',
      _transferSize: 0,
      _error: error ?? 'no response, unknown reason',
    }),
  }
}

function entry(exchange: ExchangeRecord): Entry {
  const { id, purpose, attempt, startedAt, durationMs, request } = exchange
  return {
    startedDateTime: startedAt,
    time: durationMs,
    request: requestOf(request),
    response: responseOf(exchange),
    cache: {},
    // The time of the first byte is unknown.
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: `${id}, for ${purpose}${attempt > 1 ? `, attempt ${attempt}` : ''}`,
    // Without it, Chrome lists JSON responses under the filter "Other".
    _resourceType: 'fetch',
  }
}

/** Returns all exchanges as an HTTP Archive (HAR 1.2) for the developer tools of Chrome and Firefox. */
export function evidenceHar({ tool, run, exchanges }: RunReport, title: string): string {
  const har: Har = {
    log: {
      version: '1.2',
      creator: { name: 'Plumbline', version: tool.version },
      // Firefox requires the list.
      pages: [],
      entries: exchanges.map(entry),
      comment: `Run ${run.id}, ${title}`,
    },
  }
  return `${JSON.stringify(har, null, 2)}\n`
}
