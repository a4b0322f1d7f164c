import {
  answered,
  type EndpointContext,
  type EndpointDefinition,
  type Refusal,
  refuse,
} from './endpoints.ts'
import { jsonParts, type ResponseParts, type Route, responseParts } from './http.ts'
import { type Place, type RuleChange, type RulesOf, tolerance } from './service.ts'

/**
 * Where a key is in a request. `bare` is an `Authorization` header that holds nothing else, `token`
 * one with that prefix; `header` is any other header.
 */
export type KeyPlace =
  | 'header'
  | 'query'
  | 'bearer'
  | 'token'
  | 'bare'
  | `basic-${'username' | 'password'}`

/** Something in a request that might be a key. */
export interface PresentedKey {
  readonly place: KeyPlace
  /** Name of the header in lower case or of the query parameter; the prefix as it is written. */
  readonly name: string
  /** Never empty. */
  readonly key: string
}

function authorizationKeys(field: string): PresentedKey[] {
  const [, name = '', rest = ''] = /^(\S+) +(.*)$/.exec(field) ?? []
  const scheme = name.toLowerCase()
  if (scheme === '') return [{ place: 'bare', name, key: field }]
  if (scheme === 'bearer' || scheme === 'token') return [{ place: scheme, name, key: rest }]
  const [, username, password] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(rest, 'base64').toString()) ?? []
  if (scheme !== 'basic' || username === undefined || password === undefined) return []
  return [
    { place: 'basic-username', name, key: username },
    { place: 'basic-password', name, key: password },
  ]
}

/** Everything in the request that might be a key, wherever it is. */
function presentedKeys(headers: Headers, url: URL): readonly PresentedKey[] {
  const presented = [
    ...[...headers].flatMap(([name, key]): PresentedKey[] =>
      name === 'authorization' ? authorizationKeys(key) : [{ place: 'header', name, key }],
    ),
    ...[...url.searchParams].map(([name, key]): PresentedKey => ({ place: 'query', name, key })),
  ]
  return presented.filter(({ key }) => key !== '')
}

/** A running service whose callers are known by one key that all share. */
export interface KeyedDeployment extends Place {
  readonly key: string
}

type KeyedContext = EndpointContext<string, KeyedDeployment>

/** Rules about the key, and about refusals, all of whose looks are left open. */
export function keyedRules(accepts: (presented: PresentedKey) => boolean, required: string) {
  return {
    /** Whether a key is looked for at that place of the request. */
    accepts,
    /** Whether the endpoint answers to callers with a key alone. */
    keyNeeded: () => true,
    keyHolds: (key: string, { deployment }: KeyedContext) => key === deployment.key,
    /** No key at any place where one is looked for. */
    missingKey: (): Refusal => ({ status: 401, message: required }),
    wrongKey: (): Refusal => ({ status: 401, message: 'the key is not valid' }),
    malformedBody: (message: string): Refusal => ({ status: 400, message }),
    /** The answer to a mistake of the server. */
    serverError: (_error: unknown): Refusal => ({ status: 500, message: 'internal error' }),
    errorParts: ({ status, message }: Refusal): ResponseParts =>
      jsonParts(status, { error: message }),
  }
}

type KeyedRules<Context> = RulesOf<ReturnType<typeof keyedRules>, Context>

/** The endpoints of a service whose callers are known by a key. */
export function keyedRoutes<
  Endpoint extends string,
  Deployment,
  Rules extends KeyedRules<EndpointContext<Endpoint, Deployment>>,
>(
  endpoints: readonly EndpointDefinition<Endpoint, EndpointContext<Endpoint, Deployment>, Rules>[],
  deployment: Deployment,
  rules: Rules,
): readonly Route[] {
  function checkKey(context: EndpointContext<Endpoint, Deployment>): void {
    const accepted = presentedKeys(context.headers, context.url).filter((presented) =>
      rules.accepts(presented, context),
    )
    if (accepted.length === 0 && rules.keyNeeded(context)) refuse(rules.missingKey(context))
    if (accepted.length > 0 && !accepted.some(({ key }) => rules.keyHolds(key, context))) {
      refuse(rules.wrongKey(context))
    }
  }
  return endpoints.map(({ endpoint, method, path, handle }) => ({
    method,
    path,
    answer: ({ text, ...request }) => {
      const context = { ...request, deployment, endpoint }
      return answered(
        { context, rules, text },
        (call) => {
          checkKey(context)
          return handle(call)
        },
        (refusal) => rules.errorParts(refusal, context),
      )
    },
  }))
}

/** Takes keys at another place too, under any name or this one. */
export function acceptedAt<Context>(
  place: KeyPlace,
  name?: string,
): RuleChange<KeyedRules<Context>> {
  return ({ accepts }) => ({
    accepts: (presented, context) =>
      (presented.place === place && presented.name === (name ?? presented.name)) ||
      accepts(presented, context),
  })
}

/**
 * What a service that is reached with a key may do differently when it refuses: parts of a table of
 * variants.
 *
 * @param prefix of their names
 * @param rows requirements about keys, without the service
 * @param signIn the redirect that one of them answers with
 */
export function keyedRefusalVariants<Context>(
  prefix: string,
  rows: readonly string[],
  signIn: { readonly status: number; readonly location: string },
) {
  type Rules = KeyedRules<Context>
  const anyStatus = tolerance('any-refusal-status', rows)
  const anyBody = tolerance('any-refusal-body', rows)
  const refusedWith =
    (status: number): RuleChange<Rules> =>
    (rules) => ({
      missingKey: (context) => ({ ...rules.missingKey(context), status }),
      wrongKey: (context) => ({ ...rules.wrongKey(context), status }),
    })
  const errorsAs =
    (type: string, body: (message: string) => string): RuleChange<Rules> =>
    () => ({
      errorParts: ({ status, message }) =>
        responseParts(status, { 'Content-Type': type }, body(message)),
    })
  /** Whoever has no key is sent to a page where people sign in. */
  const sentToSignIn: RuleChange<Rules> = (rules) => ({
    errorParts: (refusal, context) => {
      if (refusal.status !== 401) return rules.errorParts(refusal, context)
      const fields = { Location: signIn.location, 'Content-Type': 'text/html' }
      return responseParts(signIn.status, fields, '<h1>Sign in</h1>')
    },
  })
  const withoutBody: RuleChange<Rules> = () => ({
    errorParts: ({ status }) => responseParts(status),
  })
  return {
    [anyStatus]: Object.fromEntries(
      [400, 403, 404, 500, 503].map((code) => [
        `${prefix}-key-refused-with-${code}`,
        refusedWith(code),
      ]),
    ),
    [`${anyStatus} + ${anyBody}`]: { [`${prefix}-key-refused-with-a-redirect`]: sentToSignIn },
    [anyBody]: {
      [`${prefix}-errors-in-plain-text`]: errorsAs('text/plain', (message) => message),
      [`${prefix}-errors-as-web-pages`]: errorsAs(
        'text/html',
        (message) => `<!doctype html><title>${message}</title>`,
      ),
      [`${prefix}-errors-without-body`]: withoutBody,
    },
  }
}
