import type { ResponseParts } from './response-parts.ts'

/** A request as an endpoint sees it. */
export interface IncomingRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  /** Values of the path's variables, decoded. */
  readonly parameters: Readonly<Record<string, string>>
  /** The content, decoded as UTF-8. */
  text(): Promise<string>
}

/** Takes a request to its response; it never throws. */
export type Answer = (request: IncomingRequest) => Promise<ResponseParts>

/** Stands before all services: it passes a request on, or does not, and may change the answer. */
export type Intermediary = (request: IncomingRequest, answer: Answer) => Promise<ResponseParts>

export interface Route {
  readonly method: string
  /** Below the base path, variables as `:name`. */
  readonly path: string
  readonly answer: Answer
}
