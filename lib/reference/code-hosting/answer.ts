import { type Refusal, RefusedError } from '../http/refusal.ts'
import { jsonParts, type ResponseParts } from '../http/response-parts.ts'
import { authenticate, authorize } from './authenticate.ts'
import type { Call, Handler } from './call.ts'

function errorParts(call: Call, refusal: Refusal): ResponseParts {
  const { context, rules } = call
  const link = rules.documentationLink(rules.publicAddress(context), context)
  const { status } = refusal
  const body = rules.errorBody(refusal, link, context)
  const parts = jsonParts(status, body, rules.contentType(status, context))
  const challenge = status === 401 ? rules.challenge(context) : undefined
  if (challenge !== undefined) parts.headers.set('WWW-Authenticate', challenge)
  return parts
}

function schemeHeaders(call: Call): Readonly<Record<string, string>> {
  const { context, rules } = call
  if (context.caller === undefined) return {}
  if (context.credentials?.scheme === 'legacy') return rules.legacyHeaders(context)
  if (context.credentials?.scheme === 'bearer') return rules.bearerHeaders(context)
  return {}
}

async function endpointParts(call: Call, handle: Handler): Promise<ResponseParts> {
  const { context, rules } = call
  try {
    const early = await rules.begin(context)
    if (early !== undefined) return early
    authenticate(call)
    authorize(call)
    return await handle(call)
  } catch (error) {
    const refusal =
      error instanceof RefusedError ? error.refusal : rules.serverError(error, context)
    return errorParts(call, refusal)
  }
}

/** Takes a request through the rules to its response. Errors of an endpoint become a 500. */
export async function answer(call: Call, handle: Handler): Promise<ResponseParts> {
  const parts = await endpointParts(call, handle)
  for (const [name, value] of Object.entries(schemeHeaders(call))) parts.headers.set(name, value)
  return call.rules.finish(parts, call.context)
}
