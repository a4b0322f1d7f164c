import type { Credentials } from './credentials.ts'
import type { ExchangeRecord } from './exchange-record.ts'

/** A request to the configured origin of a service. */
export interface ProbeRequest {
  service: string
  method: string
  /** Absolute, without the credentials that a query parameter carries. */
  url: URL
  headers?: Record<string, string>
  credentials?: Credentials
  body?: string
  /** Name of the documented endpoint, such as `GET /user`; absent for anything undocumented. */
  endpoint?: string
  /** What it is made for: a requirement id, or the name of a fixture. */
  purpose: string
  /** Higher is sent earlier when more requests wait than may be under way. */
  priority?: number
  /** Secrets that only the response shows, by name: they are redacted from this exchange on. */
  secretsIn?: (json: unknown, text: string) => { name: string; value: string }[]
}

/** A request and its response as they were; `record` is the redacted form that reports keep. */
export interface Exchange {
  id: string
  request: ProbeRequest
  status: number
  headers: Headers
  /** Empty when the response had no body. */
  text: string
  /** The parsed body; `undefined` when it is not JSON. */
  json: unknown
  record: ExchangeRecord
}

/** No response could be had. The message is written for a person and holds no secret. */
export class TransportError extends Error {
  override readonly name = 'TransportError'
  readonly record: ExchangeRecord

  constructor(message: string, record: ExchangeRecord) {
    super(message)
    this.record = record
  }
}
