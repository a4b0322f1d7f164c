import {
  type IncomingRequest,
  parseJsonObject,
  type Refusal,
  RefusedError,
  type ResponseParts,
  type Route,
  refuse,
} from './http.ts'

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
  | 'basic-username'
  | 'basic-password'

/** Something in a request that might be a key. */
export interface PresentedKey {
  readonly place: KeyPlace
  /** Name of the header in lower case or of the query parameter; the prefix as it is written. */
  readonly name: string
  /** Never empty. */
  readonly key: string
}

function basicKeys(prefix: string, encoded: string): PresentedKey[] {
  const decoded = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon < 0) return []
  return [
    { place: 'basic-username', name: prefix, key: decoded.slice(0, colon) },
    { place: 'basic-password', name: prefix, key: decoded.slice(colon + 1) },
  ]
}

function authorizationKeys(field: string): PresentedKey[] {
  const [, prefix = '', rest = ''] = /^(\S+) +(.*)$/.exec(field) ?? []
  switch (prefix.toLowerCase()) {
    case '':
      return [{ place: 'bare', name: '', key: field }]
    case 'bearer':
      return [{ place: 'bearer', name: prefix, key: rest }]
    case 'token':
      return [{ place: 'token', name: prefix, key: rest }]
    case 'basic':
      return basicKeys(prefix, rest)
    default:
      return []
  }
}

/** Everything in the request that might be a key, wherever it is. */
function presentedKeys(headers: Headers, url: URL): readonly PresentedKey[] {
  const presented: PresentedKey[] = []
  for (const [name, field] of headers) {
    if (name === 'authorization') presented.push(...authorizationKeys(field))
    else presented.push({ place: 'header', name, key: field })
  }
  for (const [name, value] of url.searchParams) presented.push({ place: 'query', name, key: value })
  return presented.filter(({ key }) => key !== '')
}

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

/** Rules about what is refused for other reasons than the key, and how the refusal looks. */
export interface RefusalRules<Context> {
  malformedBody(reason: string, context: Context): Refusal
  /** The answer to a mistake of the server. */
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
