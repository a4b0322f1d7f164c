import type { IncomingRequest, ResponseParts } from './http.ts'

/** Why a request is not done. */
export interface Refusal {
  /** 400 to 599. */
  readonly status: number
  readonly message: string
}

/** Thrown wherever a request is refused; the error response is made of it. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** @throws RefusedError always */
export function refuse(refusal: Refusal): never {
  throw new RefusedError(refusal)
}

/** What is known about the request in hand. */
export interface EndpointContext<Endpoint extends string, Deployment>
  extends Omit<IncomingRequest, 'text'> {
  readonly deployment: Deployment
  readonly endpoint: Endpoint
}

/** One request on its way through an endpoint. */
export interface Call<Context, Rules> {
  readonly context: Context
  readonly rules: Rules
  /** The content of the request, decoded as UTF-8. */
  text(): Promise<string>
}

/** What an endpoint does: it gives the response or refuses. */
export type Handler<Context, Rules> = (
  call: Call<Context, Rules>,
) => ResponseParts | Promise<ResponseParts>

export interface EndpointDefinition<Endpoint, Context, Rules> {
  readonly endpoint: Endpoint
  readonly method: string
  /** Below the base path, variables as `:name`. */
  readonly path: string
  readonly handle: Handler<Context, Rules>
}

/** Takes a call to its response. What is thrown and is no refusal is a mistake of the server. */
export async function answered<
  Context,
  Rules extends { serverError(error: unknown, context: Context): Refusal },
>(
  call: Call<Context, Rules>,
  handle: Handler<Context, Rules>,
  errorParts: (refusal: Refusal) => ResponseParts,
): Promise<ResponseParts> {
  try {
    return await handle(call)
  } catch (error) {
    const { context, rules } = call
    return errorParts(
      error instanceof RefusedError ? error.refusal : rules.serverError(error, context),
    )
  }
}

/**
 * The content as a JSON object.
 *
 * @throws RefusedError when it is none
 */
export async function jsonObject<Context>({
  context,
  rules,
  text,
}: Call<Context, { malformedBody(reason: string, context: Context): Refusal }>): Promise<
  Readonly<Record<string, unknown>>
> {
  let value: unknown
  try {
    value = JSON.parse(await text())
  } catch {
    refuse(rules.malformedBody('the content is not JSON', context))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse(rules.malformedBody('the content is not a JSON object', context))
  }
  return value as Record<string, unknown>
}
