import { STATUS_CODES } from 'node:http'
import type { Entry, Har, Request, Response } from 'har-format'
import type { ExchangeRecord, HeaderField } from '../probe/exchange-record.ts'
import type { RequirementResult, RunReport } from '../results/run-report.ts'
import { summarize } from '../results/verdict.ts'
import { truncationNote } from './evidence.ts'
import { runVerdictText } from './verdict-labels.ts'

// undici speaks this version unless another is asked for, which the probe does not do.
const httpVersion = 'HTTP/1.1'

// Whatever RFC 3986 does not allow behind the authority, and a percent sign that escapes nothing.
const illegalInUrl = /[^\w\-.~:/?@!$&'()*+,;=%]|%(?![0-9a-f]{2})/giu

/**
 * The URL without its fragment and as RFC 3986 wants it, else as it was sent: nothing is resolved,
 * since dot segments may be what a request is about. Firefox gives up a whole archive over one URL
 * that cannot be parsed; such a text becomes the query of a URL below the reserved name `invalid`.
 */
function importableUrl(text: string): string {
  const [, authority, rest = text] =
    (URL.canParse(text) && /^(https?:\/\/[^/?#]*)([^#]*)/is.exec(text)) || []
  const legal = rest.replace(illegalInUrl, (character) =>
    encodeURIComponent(character.replace(/\p{Cs}/u, '\ufffd')),
  )
  return `${authority ?? 'http://url.invalid/?'}${legal}`
}

function headerValue(headers: readonly HeaderField[], name: string): string | undefined {
  return headers.find((field) => field.name.toLowerCase() === name)?.value
}

/** A size of -1 is not known. What is in cookies is in the headers too, and none is kept. */
function message(headers: readonly HeaderField[]) {
  return { httpVersion, cookies: [], headers: [...headers], headersSize: -1 }
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

/** `_error` is where Chrome notes why there was no response. */
function responseOf(exchange: ExchangeRecord): Response & { _error?: string } {
  const { response, error } = exchange
  const { status = 0, headers = [], body, bodyBytes = 0 } = response ?? {}
  const kept = truncationNote(exchange)
  const coded = headerValue(headers, 'content-encoding') !== undefined
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    ...message(headers),
    content: {
      size: bodyBytes,
      // What Chrome writes, and reads, where the type is not known.
      mimeType: headerValue(headers, 'content-type') ?? 'x-unknown',
      ...(typeof body === 'string' && { text: body }),
      ...(kept !== undefined && { comment: kept }),
    },
    redirectURL: headerValue(headers, 'location') ?? '',
    bodySize: coded || response === null ? -1 : bodyBytes,
    ...(response === null && {
      httpVersion: '',
      _transferSize: 0,
      _error: error ?? 'no response, for a reason that is not known',
    }),
  }
}

function entry(exchange: ExchangeRecord, results: readonly RequirementResult[]): Entry {
  const { id, purpose, attempt, error, startedAt, durationMs, request } = exchange
  const rows = results
    .filter(({ exchanges }) => exchanges.includes(id))
    .map(({ requirement, verdict }) => `${verdict}: ${requirement}`)
  return {
    startedDateTime: startedAt,
    time: durationMs,
    request: requestOf(request),
    response: responseOf(exchange),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    comment: [
      `${id}, for ${purpose}`,
      ...(attempt > 1 ? [`attempt ${attempt}`] : []),
      ...(error === null ? [] : [`no response: ${error}`]),
      ...(rows.length === 0 ? ['no requirement rests on it'] : rows),
    ].join('; '),
    // Chrome goes by the media type otherwise, and hides a JSON body behind its filter "Other".
    _resourceType: 'fetch',
  }
}

/**
 * Every exchange of the run as an HTTP Archive (HAR 1.2) that the developer tools of Chrome and
 * Firefox import. When the first byte of a response came is not known: all of the time is waiting.
 */
export function evidenceHar(report: RunReport): string {
  const har: Har = {
    log: {
      version: '1.2',
      creator: { name: 'Plumbline', version: report.tool.version },
      // None, and yet there: Firefox reads no archive without the list.
      pages: [],
      entries: report.exchanges.map((exchange) => entry(exchange, report.results)),
      comment: `Run ${report.run.id}, ${runVerdictText(summarize(report))}`,
    },
  }
  return `${JSON.stringify(har, null, 2)}\n`
}
