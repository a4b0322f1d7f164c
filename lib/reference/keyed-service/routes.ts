import { RefusedError, refuse } from '../http/refusal.ts'
import type { ResponseParts } from '../http/response-parts.ts'
import type { Route } from '../http/route.ts'
import type { KeyedCall, KeyedContext, KeyedRules } from './call.ts'
import { presentedKeys } from './presented-keys.ts'

export interface KeyedEndpoint<Endpoint extends string, Context, Rules> {
  readonly endpoint: Endpoint
  readonly method: string
  /** Below the base path, variables as `:name`. */
  readonly path: string
  /** Gives the response or throws a `RefusedError`. */
  readonly handle: (call: KeyedCall<Context, Rules>) => ResponseParts | Promise<ResponseParts>
}

function checkKey<Endpoint extends string, Deployment>(
  context: KeyedContext<Endpoint, Deployment>,
  rules: KeyedRules<KeyedContext<Endpoint, Deployment>>,
): void {
  const accepted = presentedKeys(context.headers, context.url).filter((presented) =>
    rules.accepts(presented, context),
  )
  if (accepted.length === 0) {
    if (rules.keyNeeded(context)) refuse(rules.missingKey(context))
    return
  }
  if (!accepted.some(({ key }) => rules.keyHolds(key, context))) refuse(rules.wrongKey(context))
}

/** The endpoints of a service whose callers are known by a key. Errors of an endpoint become a 500. */
export function keyedRoutes<
  Endpoint extends string,
  Deployment,
  Rules extends KeyedRules<KeyedContext<Endpoint, Deployment>>,
>(
  endpoints: readonly KeyedEndpoint<Endpoint, KeyedContext<Endpoint, Deployment>, Rules>[],
  deployment: Deployment,
  rules: Rules,
): readonly Route[] {
  return endpoints.map(({ endpoint, method, path, handle }) => ({
    method,
    path,
    answer: async ({ text, ...request }) => {
      const context = { ...request, deployment, endpoint }
      try {
        checkKey(context, rules)
        return await handle({ context, rules, text })
      } catch (error) {
        const refusal =
          error instanceof RefusedError ? error.refusal : rules.serverError(error, context)
        return rules.errorParts(refusal, context)
      }
    },
  }))
}
