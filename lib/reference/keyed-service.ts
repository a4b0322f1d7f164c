import { randomBytes } from 'node:crypto'
import {
  answered,
  type CallOf,
  type EndpointContext,
  type Handler,
  HttpError,
  jsonParts,
  type ResponseParts,
} from './http.ts'
import type { Place, RulesOf } from './rule-tables.ts'

/** A running service whose callers are known by one key that all share. */
export type KeyedDeployment = Place & { readonly key: string }

export const newDeployment = (place: Place): KeyedDeployment => ({
  ...place,
  key: randomBytes(24).toString('base64url'),
})

export type KeyedContext = EndpointContext<string, KeyedDeployment>

/** Rules about the key, and about refusals, all of whose looks are left open. */
export function keyedRules(
  presentedKey: (context: KeyedContext) => string | undefined,
  required: string,
) {
  return {
    presentedKey,
    /** Whether the endpoint answers to callers with a key alone. */
    keyNeeded: () => true,
    keyHolds: (key: string, { deployment }: KeyedContext) => key === deployment.key,
    /** No key at the place where one is looked for. */
    missingKey: () => new HttpError(401, required),
    wrongKey: () => new HttpError(401, 'the key is not valid'),
    malformedBody: (message: string) => new HttpError(400, message),
    serverError: (_error: unknown) => new HttpError(500, 'internal error'),
    errorParts: ({ status, message }: HttpError): ResponseParts =>
      jsonParts(status, { error: message }),
  }
}

export type KeyedRules<Context> = RulesOf<ReturnType<typeof keyedRules>, Context>

export function keyedAnswer<Context extends KeyedContext, Rules extends KeyedRules<Context>>(
  call: CallOf<Context, Rules>,
  handle: Handler<CallOf<Context, Rules>>,
): Promise<ResponseParts> {
  const { rules } = call
  const checked: typeof handle = () => {
    const key = rules.presentedKey(call)
    if (key === undefined && rules.keyNeeded(call)) throw rules.missingKey(call)
    if (key !== undefined && !rules.keyHolds(key, call)) throw rules.wrongKey(call)
    return handle(call)
  }
  return answered(call, checked, (refusal) => rules.errorParts(refusal, call))
}
