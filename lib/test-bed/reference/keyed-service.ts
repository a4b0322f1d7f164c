import { randomBytes } from 'node:crypto'
import {
  type CallOf,
  type EndpointContext,
  type Handler,
  HttpError,
  jsonParts,
  type ResponseParts,
  runHandler,
} from './http.ts'
import type { RulesOf, ServerAddress } from './rule-tables.ts'

export type KeyedServer = ServerAddress & { readonly key: string }

export const createKeyedServer = (address: ServerAddress): KeyedServer => ({
  ...address,
  key: randomBytes(24).toString('base64url'),
})

export type KeyedContext = EndpointContext<string, KeyedServer>

/** Returns the rules about the API key and about errors; the documents define no error format. */
export function keyedRules(
  presentedKey: (context: KeyedContext) => string | undefined,
  required: string,
) {
  type PresentedKey = string | undefined | Promise<string | undefined>
  return {
    presentedKey: presentedKey as (context: KeyedContext) => PresentedKey,
    keyNeeded: (_context: KeyedContext) => true,
    isKeyValid: (key: string, { server }: KeyedContext) => key === server.key,
    missingKey: () => new HttpError(401, required),
    wrongKey: () => new HttpError(401, 'the key is not valid'),
    malformedBody: (message: string) => new HttpError(400, message),
    serverError: (_error: unknown) => new HttpError(500, 'internal error'),
    errorParts: ({ status, message }: HttpError): ResponseParts =>
      jsonParts(status, { error: message }),
  }
}

export type KeyedRules<Context> = RulesOf<ReturnType<typeof keyedRules>, Context>

export function respondWithKey<Context extends KeyedContext, Rules extends KeyedRules<Context>>(
  call: CallOf<Context, Rules>,
  handle: Handler<CallOf<Context, Rules>>,
): Promise<ResponseParts> {
  const { rules } = call
  const checked: typeof handle = async () => {
    const key = await rules.presentedKey(call)
    if (key === undefined && rules.keyNeeded(call)) throw rules.missingKey(call)
    if (key !== undefined && !rules.isKeyValid(key, call)) throw rules.wrongKey(call)
    return handle(call)
  }
  return runHandler(call, checked, (error) => rules.errorParts(error, call))
}
