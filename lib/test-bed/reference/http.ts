import { type ServerResponse, STATUS_CODES } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'

export type Fields = Readonly<Record<string, string>>

export interface IncomingRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  /** Identifies the connection. */
  readonly connection: object
  /** Decoded values of the path variables. */
  readonly parameters: Readonly<Record<string, string>>
  /** The content, decoded as UTF-8. */
  text(): Promise<string>
}

export interface ResponseParts {
  status: number
  headers: Headers
  /** Undefined for a response without content; sent in chunks if there is a `Transfer-Encoding`. */
  body?: string | Uint8Array
  /** Bytes that replace the fields above, for responses that no HTTP library sends; closes the connection. */
  raw?: string
}

export function responseParts(status: number, fields: Fields = {}, body?: string): ResponseParts {
  return { status, headers: new Headers(fields), body }
}

export function jsonParts(status: number, value: unknown, type = 'application/json') {
  return responseParts(status, { 'Content-Type': type }, JSON.stringify(value))
}

/** Writes the response as bytes, with field lines that no HTTP library writes; closes the connection. */
export function rawParts(
  parts: ResponseParts,
  fieldLines: (name: string, value: string) => readonly string[],
): ResponseParts {
  const content = parts.body === undefined ? '' : Buffer.from(parts.body).toString()
  const headers = new Headers(parts.headers)
  headers.set('Connection', 'close')
  headers.set('Date', new Date().toUTCString())
  if (parts.status !== 204) headers.set('Content-Length', String(Buffer.byteLength(content)))
  const lines = [...headers].flatMap(([name, value]) => fieldLines(name, value))
  const statusLine = `HTTP/1.1 ${parts.status} ${STATUS_CODES[parts.status] ?? ''}`
  return { ...parts, raw: [statusLine, ...lines, '', content].join('\r\n') }
}

/** Writes a response with these fields and bytes, even if its status forbids them. */
export function withBytes(parts: ResponseParts, fields: Fields, body: string): ResponseParts {
  const headers = new Headers({ ...Object.fromEntries(parts.headers), ...fields })
  return rawParts({ ...parts, headers, body }, (name, value) => [`${name}: ${value}`])
}

type Respond = (request: IncomingRequest) => Promise<ResponseParts>

/** Gateway in front of all services: it may forward a request and may change the response. */
export type Intermediary = (request: IncomingRequest, respond: Respond) => Promise<ResponseParts>

interface Route {
  /** Method and path below the base path, variables as `:name`; `*` for requests without a route. */
  readonly route: string
  readonly respond: Respond
}

/** Writes the response; adds only the length of the content and the date. */
function send({ status, headers, body, raw }: ResponseParts, outgoing: ServerResponse): void {
  if (raw !== undefined) {
    outgoing.socket?.end(raw)
    return
  }
  outgoing.statusCode = status
  outgoing.setHeaders(headers)
  if (body !== undefined && headers.has('Transfer-Encoding')) {
    const content = Buffer.from(body)
    // In two chunks, which the client must join.
    const middle = content.length >> 1
    for (const chunk of [content.subarray(0, middle), content.subarray(middle)]) {
      if (chunk.length > 0) outgoing.write(chunk)
    }
    outgoing.end()
    return
  }
  if (body !== undefined && !headers.has('Content-Length')) {
    outgoing.setHeader('Content-Length', Buffer.byteLength(body))
  }
  outgoing.end(body)
}

type Bindings = { Bindings: HttpBindings }

export function httpApplication(
  routes: readonly Route[],
  basePath: string,
  latencyMs: number,
  intermediary: Intermediary | undefined,
): Hono<Bindings> {
  const application = new Hono<Bindings>()
  for (const { route, respond } of routes) {
    const handler = async ({ req: request, env }: Context<Bindings>): Promise<Response> => {
      const incoming: IncomingRequest = {
        method: request.method,
        url: new URL(request.url),
        headers: request.raw.headers,
        connection: env.incoming.socket,
        parameters: request.param(),
        text: () => request.text(),
      }
      const parts = await (intermediary?.(incoming, respond) ?? respond(incoming))
      if (latencyMs > 0) await delay(latencyMs, undefined, { ref: false })
      send(parts, env.outgoing)
      return RESPONSE_ALREADY_SENT
    }
    const [method = '', path] = route.split(' ')
    if (path === undefined) application.notFound(handler)
    else application.on(method, basePath + path, handler)
  }
  return application
}

/** Thrown to respond with an error. It has no stack, which takes most of the time of a rejection. */
export class HttpError {
  /** 400 to 599. */
  readonly status: number
  /** Code in the body, if the document defines one. */
  readonly code: string | undefined
  readonly message: string

  constructor(status: number, message: string, code?: string) {
    this.message = message
    this.status = status
    this.code = code
  }
}

export function fail(error: HttpError): never {
  throw error
}

export interface EndpointContext<Endpoint extends string, Server> extends IncomingRequest {
  readonly server: Server
  readonly endpoint: Endpoint
}

export type AnyContext = EndpointContext<string, unknown>

export type CallOf<Context, Rules> = Context & { readonly rules: Rules }

export type Handler<Call> = (call: Call) => ResponseParts | Promise<ResponseParts>

/**
 * Routes and handlers by endpoint: method and path below the base path, variables as `:name`, or `*` for
 * requests without an endpoint. GET endpoints receive HEAD too, and its response is sent without the body.
 */
export type Endpoints<Endpoint extends string, Call> = Readonly<
  Record<Endpoint, readonly [route: '*' | `${Method} /${string}`, handle: Handler<Call>]>
>

type Method = 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT'

/** Returns the response to a call; an error other than `HttpError` becomes a server error. */
export async function runHandler<
  Context,
  Rules extends { serverError(error: unknown, context: Context): HttpError },
>(
  call: CallOf<Context, Rules>,
  handle: Handler<CallOf<Context, Rules>>,
  errorParts: (error: HttpError) => ResponseParts,
): Promise<ResponseParts> {
  try {
    return await handle(call)
  } catch (error) {
    return errorParts(error instanceof HttpError ? error : call.rules.serverError(error, call))
  }
}

/** @throws HttpError if the content is not a JSON object */
export async function jsonObject<Context extends AnyContext>(
  call: CallOf<Context, { malformedBody(reason: string, context: Context): HttpError }>,
  parse: (text: string) => unknown = JSON.parse,
): Promise<Readonly<Record<string, unknown>>> {
  let value: unknown
  try {
    value = parse(await call.text())
  } catch (error) {
    if (error instanceof HttpError) throw error
    throw call.rules.malformedBody('the content is not JSON', call)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw call.rules.malformedBody('the content is not a JSON object', call)
}
