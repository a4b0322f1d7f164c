import { parseJsonObject } from '../http/json-object.ts'
import type { Refusal } from '../http/refusal.ts'
import type { ResponseParts } from '../http/response-parts.ts'
import type { IncomingRequest } from '../http/route.ts'
import type { PresentedKey } from './presented-keys.ts'

/** What is known about the request in hand. */
export interface KeyedContext<Endpoint extends string, Deployment>
  extends Omit<IncomingRequest, 'text'> {
  readonly deployment: Deployment
  readonly endpoint: Endpoint
}

/** Rules of a service whose callers are known by one key that all share. */
export interface KeyRules<Context> {
  /** Whether a key is looked for at that place of the request. */
  accepts(presented: PresentedKey, context: Context): boolean
  /** Whether the endpoint answers to callers with a key alone. */
  keyNeeded(context: Context): boolean
  keyHolds(key: string, context: Context): boolean
  /** No key at any place where one is looked for. */
  missingKey(context: Context): Refusal
  wrongKey(context: Context): Refusal
}

/** Rules about what is refused for other reasons than the key, and how that is told. */
export interface RefusalRules<Context> {
  malformedBody(reason: string, context: Context): Refusal
  /** What is told about a mistake of the server. */
  serverError(error: unknown, context: Context): Refusal
  errorParts(refusal: Refusal, context: Context): ResponseParts
}

export type KeyedRules<Context> = Readonly<KeyRules<Context>> & Readonly<RefusalRules<Context>>

/** One request on its way through an endpoint. */
export interface KeyedCall<Context, Rules> {
  readonly context: Context
  readonly rules: Rules
  /** The content of the request, decoded as UTF-8. */
  text(): Promise<string>
}

/** The content as a JSON object, whatever its media type.
 *
 * @throws RefusedError when it is none
 */
export async function jsonObject<Context>(
  call: KeyedCall<Context, Pick<RefusalRules<Context>, 'malformedBody'>>,
): Promise<Readonly<Record<string, unknown>>> {
  const { context, rules } = call
  return parseJsonObject(await call.text(), (detail) => rules.malformedBody(detail, context))
}
