import type { Credentials } from './credentials.ts'
import type { ExchangeRecord } from './exchange-record.ts'
import type { Links } from './header-fields.ts'
import type { Origin } from './origin.ts'
import type { FailureKind } from './transport-failure.ts'

/** A request to the configured origin of a service. */
export interface ProbeRequest {
  service: string
  method: string
  /** Without the credentials that a query parameter carries. */
  url: URL
  headers?: Record<string, string>
  credentials?: Credentials
  body?: string
  endpoint?: ExchangeRecord['endpoint']
  purpose: ExchangeRecord['purpose']
  /** Higher is sent earlier when more requests wait than may be under way. */
  priority?: number
  /** Gives up waiting for a response, for a turn and for a further attempt when it aborts. */
  signal?: AbortSignal
  /** Secrets that only the response shows, by name: they are redacted from this exchange on. */
  secretsIn?: (json: unknown, text: string) => { name: string; value: string }[]
}

/** A request and its response as they were; `record` is the redacted form that reports keep. */
export interface Exchange {
  id: string
  request: ProbeRequest
  status: number
  /** Everybody who asks where the response came from reads this. */
  origin: Origin
  headers: Headers
  links: Links
  /** Empty when the response had no body. Made anew at each reading when it is large. */
  readonly text: string
  /** `undefined` when the body is not JSON. As for `text`. */
  readonly json: unknown
  /** Minimum number of elements of a list that is too large to be read; then `text` and `json` throw. */
  readonly leastElements?: number
  /** Whether the body is valid UTF-8; where it is not, `text` has replacement characters. */
  isUtf8: boolean
  /** A part of it as reports may show it, with what was known to be secret when it came. */
  redact(part: string): string
  record: ExchangeRecord
}

/** An object with further parts. What it makes anew at each reading, it goes on to make anew. */
export function withParts<T extends object, Parts>(object: T, parts: Parts): T & Parts {
  const copy = Object.create(Object.prototype, Object.getOwnPropertyDescriptors(object))
  return Object.assign(copy, parts)
}

/** No response could be had. The message holds no secret. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly record: ExchangeRecord
  readonly kind: FailureKind | undefined
  /** What failed, without the request. */
  readonly detail: string

  constructor(detail: string, record: ExchangeRecord, kind?: FailureKind) {
    super(`${record.request.method} ${record.request.url}: ${detail}`)
    this.detail = detail
    this.record = record
    this.kind = kind
  }

  get isTransient(): boolean {
    return this.kind === 'connection' || this.kind === 'timeout'
  }
}

/** As a service client makes it: the run adds the service and the purpose. */
export interface ServiceRequest extends Omit<ProbeRequest, 'service' | 'purpose'> {
  /** Send it although the same GET was sent before. */
  fresh?: boolean
  /** Keep the order of the query, as in a followed link. Other queries are sorted by name. */
  asWritten?: boolean
}

export type Send = (request: ServiceRequest) => Promise<Exchange>
