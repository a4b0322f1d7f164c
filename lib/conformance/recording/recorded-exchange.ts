/** Exchanges that Plumbline did not send, made of the entries of an HTTP Archive. */
import { isUtf8 } from 'node:buffer'
import type { Entry } from 'har-format'
import type { Secret } from '../../environment/variable.ts'
import { isBelow } from '../../probe/base-url.ts'
import { parseJson } from '../../probe/bodies.ts'
import { anonymous, type Credentials, headerKey, queryToken } from '../../probe/credentials.ts'
import { type Exchange, endpointOf } from '../../probe/exchange.ts'
import type { HeaderField } from '../../probe/exchange-record.ts'
import { linksOf } from '../../probe/header-fields.ts'
import { originOf } from '../../probe/origin.ts'
import { isSecretName } from '../../probe/redaction/recorded-secrets.ts'
import { isJson } from '../../text/json.ts'
import { skipUnrecorded } from '../check-errors.ts'

/** An entry, and whether its file shows the credentials of requests, which browsers remove by default. */
export interface RecordedEntry {
  entry: Entry
  showsCredentials: boolean
}

export interface RecordedExchange extends Exchange {
  entry: Entry
  /** Milliseconds since 1970. */
  startedAt: number
  endedAt: number
  /** False if the recording may lack the credentials of the request. */
  showsCredentials: boolean
}

/** A service whose exchanges are judged. */
export interface RecordedService {
  service: string
  baseUrl: string
  /** Documented endpoints, such as `GET /v1/events/{eventId}`. */
  endpoints: readonly string[]
  documentsStatuses: boolean
  redact: (text: string) => string
  /** True if reports keep no bodies. */
  isBodyLeftOut?: boolean
  /** Secrets of the operator, whose names a recording by Plumbline has instead. */
  secrets?: readonly Secret[]
}

/** Returns header fields without the pseudo fields of HTTP/2; several lines of a field may be one value. */
export const fieldsOf = (headers: readonly HeaderField[]): HeaderField[] =>
  headers.flatMap(({ name, value }) =>
    /^[!#$%&'*+.^`|~\w-]+$/.test(name)
      ? String(value)
          .split(/\r?\n/)
          .map((line) => ({ name, value: line.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?') }))
      : [],
  )

/** A percent-encoded letter, which is equivalent to the letter (RFC 3986, 6.2.2.2). */
const ENCODED_LETTER = /%(?:4[1-9a-f]|5[\da]|6[1-9a-f]|7[\da])/gi

/** Returns the name of a field as rules write it; HTTP/2 has only lowercase ones. */
const inTitleCase = (name: string) =>
  name.replace(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase())

/** Returns false for entries without a response of the server: from a cache, blocked or aborted. */
export const hasResponse = (entry: Entry): boolean => {
  const { _fromCache, _fetchedViaServiceWorker } = entry as Entry & Record<string, unknown>
  const { status } = entry.response
  return !_fromCache && !_fetchedViaServiceWorker && status >= 100 && status !== 304
}

/** Returns the body of a response; undefined if the recording does not have all of it. */
export function bodyOf({ request, response }: Entry): Buffer | undefined {
  const { text, encoding, size = 0, comment } = response.content ?? {}
  if (typeof text === 'string' && comment === undefined) {
    const body = Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8')
    return size > body.length && !isJson(text) ? undefined : body
  }
  const length = response.headers.find(({ name }) => /^content-length$/i.test(name))?.value
  const isEmpty = response.status === 204 || length?.trim() === '0'
  return isEmpty && request.method !== 'HEAD' && !text ? Buffer.alloc(0) : undefined
}

/** Returns the only credentials of a request; undefined if they are unknown. */
function credentialsOf(url: URL, headers: readonly HeaderField[], isKnown: boolean) {
  const parameters = [...url.searchParams].filter(([name]) => isSecretName(name))
  const found: (Credentials | undefined)[] = [
    ...headers.flatMap(({ name, value }): (Credentials | undefined)[] => {
      if (/^authorization$/i.test(name)) return [{ kind: 'authorization', value }]
      // A session may have the rights of any account.
      if (/^cookie$/i.test(name)) return [undefined]
      return isSecretName(name) ? [headerKey(name, value)] : []
    }),
    ...parameters.map(([name, value]) => queryToken(name, value)),
  ]
  if (found.length === 0) return isKnown ? anonymous : undefined
  return found.length === 1 ? found[0] : undefined
}

/** Returns a text with the secrets that reports name. */
function withSecrets(text: string, secrets: readonly Secret[]): string {
  if (!text.includes('$')) return text
  const secretOf = (all: string, name: string) =>
    secrets.find((secret) => secret.name === name)?.value ?? all
  return text
    .replaceAll(/\$(\w+)/g, secretOf)
    .replaceAll(/base64\(([^():]*:[^()]*)\)/g, (all, user: string) =>
      user.includes('$') ? all : Buffer.from(user).toString('base64'),
    )
}

/** Parses the body of one exchange at a time, since all judges of an exchange follow each other. */
const last: { body?: string; json?: unknown } = {}

function jsonOf(body: string): unknown {
  if (last.body === body) return last.json
  try {
    Object.assign(last, { body, json: parseJson(body) })
  } catch {
    // Too large or too deep to be read.
    skipUnrecorded()
  }
  return last.json
}

/** Converts an entry; undefined if the service did not send its response. Nothing in it is redacted. */
export function toExchange(
  { entry, showsCredentials }: RecordedEntry,
  id: string,
  {
    service,
    baseUrl,
    endpoints,
    documentsStatuses,
    redact,
    isBodyLeftOut,
    secrets = [],
  }: RecordedService,
): RecordedExchange | undefined {
  const { request, response, startedDateTime, time } = entry
  const url = new URL(withSecrets(request.url, secrets))
  url.username = ''
  url.password = ''
  if (!isBelow(url, baseUrl)) return undefined
  const { method } = request
  const headers = fieldsOf(request.headers).map(({ name, value }) => {
    return { name, value: withSecrets(value, secrets) }
  })
  const fields = fieldsOf(response.headers)
  const pathname = url.pathname.replace(ENCODED_LETTER, decodeURIComponent)
  const endpoint = endpointOf(endpoints, method, { pathname }, baseUrl)
  const credentials = credentialsOf(url, headers, showsCredentials)
  const requested = credentials?.kind === 'query' ? new URL(url) : url
  if (credentials?.kind === 'query') {
    for (const name of credentials.parameters) requested.searchParams.delete(name)
  }
  const received = new Headers(fields.map(({ name, value }) => [name, value]))
  const bytes = bodyOf(entry)
  // Bodies are kept once.
  const { encoding, text: content } = response.content ?? {}
  const text = encoding === 'base64' ? bytes?.toString('utf8') : bytes && (content ?? '')
  const sent = request.postData?.text
  const body = sent === undefined ? null : withSecrets(sent, secrets)
  const startedAt = Date.parse(startedDateTime)
  const durationMs = Math.max(0, Number(time) || 0)
  return {
    id,
    request: {
      ...{ service, method, url: requested, purpose: 'recording' },
      headers: Object.fromEntries(headers.map(({ name, value }) => [inTitleCase(name), value])),
      ...(credentials && { credentials }),
      ...(body !== null && { body }),
      ...(endpoint !== undefined && { endpoint }),
    },
    status: response.status,
    origin: originOf(response.status, documentsStatuses),
    headers: received,
    links: linksOf(received.get('link')),
    get text() {
      return text ?? skipUnrecorded()
    },
    get json() {
      return jsonOf(this.text)
    },
    isUtf8: bytes === undefined || isUtf8(bytes),
    redact,
    ...{ entry, startedAt, endedAt: startedAt + durationMs, showsCredentials },
    record: {
      ...{ id, service, purpose: 'recording' },
      ...(endpoint !== undefined && { endpoint }),
      startedAt: new Date(startedAt).toISOString(),
      durationMs,
      attempt: 1,
      request: { method, url: url.href, headers, body },
      // Reports get the body of an exchange that supports a verdict.
      response: {
        status: response.status,
        headers: fields,
        body: isBodyLeftOut ? null : '',
        bodyBytes: bytes?.length ?? 0,
      },
      error: null,
    },
  }
}
