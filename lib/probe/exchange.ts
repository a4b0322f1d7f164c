import type { Secret } from '../environment/variable.ts'
import type { Credentials } from './credentials.ts'
import type { ExchangeRecord } from './exchange-record.ts'
import type { Links } from './header-fields.ts'
import type { Origin } from './origin.ts'
import type { FailureKind } from './transport-error.ts'

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
