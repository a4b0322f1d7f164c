import type { IncomingRequest, ResponseParts } from './http.ts'

/** Why a request is not done; thrown wherever that is found out. */
export class Refusal extends Error {
  /** 400 to 599. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export function refuse(refusal: Refusal): never {
  throw refusal
}

/** What is known about the request in hand. */
export interface EndpointContext<Endpoint extends string, Deployment> extends IncomingRequest {
  readonly deployment: Deployment
  readonly endpoint: Endpoint
}

export type AnyContext = EndpointContext<string, unknown>

/** One request on its way through an endpoint: the context, which rules are called with, and the rules. */
export type CallOf<Context, Rules> = Context & { readonly rules: Rules }

export type Handler<Call> = (call: Call) => ResponseParts | Promise<ResponseParts>

/**
 * Method and path below the base path, variables as `:name`, and what is done, by endpoint. A `*` in
 * place of them stands for every path and method without an endpoint.
 */
export type Endpoints<Endpoint extends string, Call> = Readonly<
  Record<Endpoint, readonly [route: '*' | `${string} /${string}`, handle: Handler<Call>]>
>

/** Takes a call to its response. What is thrown and is no refusal is a mistake of the server. */
export async function answered<
  Context,
  Rules extends { serverError(error: unknown, context: Context): Refusal },
>(
  call: CallOf<Context, Rules>,
  handle: Handler<CallOf<Context, Rules>>,
  errorParts: (refusal: Refusal) => ResponseParts,
): Promise<ResponseParts> {
  try {
    return await handle(call)
  } catch (error) {
    return errorParts(error instanceof Refusal ? error : call.rules.serverError(error, call))
  }
}

export type JsonObject = Readonly<Record<string, unknown>>

/** @throws Refusal when the content is no JSON object */
export async function jsonObject<Context extends AnyContext>(
  call: CallOf<Context, { malformedBody(reason: string, context: Context): Refusal }>,
): Promise<JsonObject> {
  let value: unknown
  try {
    value = JSON.parse(await call.text())
  } catch {
    throw call.rules.malformedBody('the content is not JSON', call)
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw call.rules.malformedBody('the content is not a JSON object', call)
}
