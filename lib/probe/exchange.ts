import type { Secret } from '../environment/variable.ts'
import type { Credentials } from './credentials.ts'
import type { Origin } from './origin.ts'
import type { FailureKind } from './transport-error.ts'

export interface HeaderField {
  name: string
  value: string
}

/** Location of a `$NAME` that replaces a secret in a request. */
export interface Placeholder {
  /** Part of the request; a number is the index of a header field. */
  in: 'url' | 'user' | 'body' | number
  /** Offset of the `$`, in UTF-16 code units. */
  at: number
  name: string
}

/** Redacted exchange in reports, with texts such as `Basic base64(maria:$MAIN_PASSWORD)`. */
export interface ExchangeRecord {
  /** Unique within the run: `e1`, `e2`, … in the order in which the requests were sent. */
  id: string
  service: string
  /** A requirement id, or the name of a fixture such as `token read-issue`. */
  purpose: string
  /** Name of the documented endpoint, such as `GET /user`; absent if undocumented. */
  endpoint?: string
  startedAt: string
  /** From the first byte sent to the last byte received, in milliseconds. */
  durationMs: number
  /** 1 for the first attempt; each retry is a separate exchange. */
  attempt: number
  /** Trace id of its `traceparent` (W3C Trace Context); absent if none was sent. */
  traceId?: string
  request: {
    method: string
    url: string
    /** Value of curl's `--connect-to`, if the connection is not to the host of the URL. */
    connectTo?: string
    headers: HeaderField[]
    /** `null` if there is none, or if the evidence has no bodies. */
    body: string | null
    bodyBytes?: number
    /** Username and password of basic authentication if they contain a secret; `headers` has base64(…). */
    user?: string
    secrets?: string[]
    /** Placeholders of the secrets. Any other `$NAME` is text of the server or the operator. */
    placeholders?: Placeholder[]
  }
  /** `null` if no response arrived; then `error` has the reason. */
  response: {
    status: number
    headers: HeaderField[]
    /** Decoded as UTF-8; `null` if there is none, or if the evidence has no bodies. */
    body: string | null
    /** Size after content decoding. */
    bodyBytes: number
    /** Size of the kept part before redaction; absent if the body is complete. */
    bodyKept?: number
  } | null
  error: string | null
  secrets?: string[]
}

export interface ProbeRequest {
  service: string
  method: string
  /** URL without credentials in query parameters. */
  url: URL
  headers?: Record<string, string>
  credentials?: Credentials
  body?: string
  endpoint?: ExchangeRecord['endpoint']
  purpose: ExchangeRecord['purpose']
  /** Ids of the cases of a table that the request was sent for; further ones are added when they share it. */
  cases?: Set<string>
  priority?: number
  /** Name of a connection that only requests with the same name use, one after the other. */
  connection?: string
  /** Aborts waiting for the queue, a response or a retry. */
  signal?: AbortSignal
  /** Returns secrets in the response, which are redacted from this exchange on. */
  secretsIn?: (json: unknown, text: string) => Secret[]
}

/** A link of a `Link` field (RFC 8288, 3); `relation` is in lower case. */
export type LinkValue = { target: string; relation: string | undefined }

/** Parsed `Link` field; without values if it is absent or malformed. */
export interface Links {
  values: readonly LinkValue[]
  targets: ReadonlyMap<string, string>
  /** Location of a syntax error (RFC 8288). */
  malformed?: string
}

/** An unredacted request and response; `record` is the redacted form for reports. */
export interface Exchange {
  id: string
  request: ProbeRequest
  status: number
  origin: Origin
  headers: Headers
  links: Links
  /** Body; empty if there is none. A large one is inflated on each access. */
  readonly text: string
  /** Parsed body; undefined if it is not JSON. A large one is parsed on each access. */
  readonly json: unknown
  /** Minimum number of elements of a list that is too large; then `text` and `json` throw. */
  readonly minLength?: number
  /** Limit of all pauses of the run, if the response requests a pause beyond it. */
  exceededPausesMs?: number
  /** True if the body is valid UTF-8; otherwise `text` has replacement characters. */
  isUtf8: boolean
  redact(part: string): string
  record: ExchangeRecord
}

/** Returns the documented endpoint of a request, such as `GET /v1/events/{eventId}`; undefined for any other request. */
export function endpointOf(
  endpoints: readonly string[],
  method: string,
  { pathname }: Pick<URL, 'pathname'>,
  baseUrl: string,
): string | undefined {
  const root = new URL(baseUrl).pathname.replace(/\/$/, '')
  if (!pathname.startsWith(root)) return undefined
  const request = `${method} ${pathname.slice(root.length)}`
  return endpoints.find((endpoint) =>
    new RegExp(`^${endpoint.replace(/\{\w+\}/g, '[^/]+')}$`).test(request),
  )
}

/** Thrown when no response was received. The message is redacted. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly record: ExchangeRecord
  readonly kind: FailureKind | undefined
  /** Cause without the request. */
  readonly detail: string

  constructor(detail: string, record: ExchangeRecord, kind?: FailureKind) {
    super(`${record.request.method} ${record.request.url}: ${detail}`)
    this.detail = detail
    this.record = record
    this.kind = kind
  }
}

/** A request of a service client; the run adds service and purpose. */
export interface ServiceRequest extends Omit<ProbeRequest, 'service' | 'purpose' | 'cases'> {
  /** True if the request is sent even if the same GET was sent before. */
  fresh?: boolean
  /** True if the query keeps its order, as in a followed link. Other queries are sorted by name. */
  asWritten?: boolean
  /** True if the first letter after the version in the path is percent-encoded. */
  encodesPath?: boolean
}

export type Send = (request: ServiceRequest) => Promise<Exchange>
