import { parseJsonObject } from '../http/json-object.ts'
import { refuse } from '../http/refusal.ts'
import type { ResponseParts } from '../http/response-parts.ts'
import type { Caller, Endpoint, RequestContext } from './request-context.ts'
import type { Rules } from './rules.ts'

/** One request on its way through an endpoint. */
export interface Call {
  readonly context: RequestContext
  readonly rules: Rules
  /** The content of the request, decoded as UTF-8. */
  text(): Promise<string>
}

/** What an endpoint does: it gives the response or throws a `RefusedError`. */
export type Handler = (call: Call) => ResponseParts | Promise<ResponseParts>

export interface EndpointDefinition {
  readonly endpoint: Endpoint
  readonly method: string
  /** Below the base path, variables as `:name`. */
  readonly path: string
  readonly handle: Handler
}

/** The caller of an endpoint that needs one. */
export function callerOf(call: Call): Caller {
  return call.context.caller ?? refuse(call.rules.missingCredentials(call.context))
}

/** The value of a variable of the path. */
export function pathValue(call: Call, name: string): string {
  return call.context.parameters[name] ?? ''
}

/** The content as a JSON object.
 *
 * @throws RefusedError when it is none
 */
export async function jsonObject(call: Call): Promise<Readonly<Record<string, unknown>>> {
  const { context, rules } = call
  if (!rules.jsonMediaType(context.headers.get('Content-Type') ?? '', context)) {
    refuse(rules.malformedBody('the content type is not application/json', context))
  }
  return parseJsonObject(await call.text(), (detail) => rules.malformedBody(detail, context))
}

/** A field that holds a string which is not empty.
 *
 * @throws RefusedError when it does not
 */
export function requiredText(
  call: Call,
  body: Readonly<Record<string, unknown>>,
  field: string,
): string {
  const value = body[field]
  if (value === undefined || value === null || value === '') {
    refuse(call.rules.invalidField(field, 'a value is required', call.context))
  }
  if (typeof value !== 'string') {
    refuse(call.rules.invalidField(field, 'a string is required', call.context))
  }
  return value
}
