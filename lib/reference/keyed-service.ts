import { randomBytes } from 'node:crypto'
import {
  answered,
  type CallOf,
  type EndpointContext,
  type Handler,
  jsonParts,
  Refusal,
  type ResponseParts,
  responseParts,
} from './http.ts'
import { type Place, type RuleChange, type RulesOf, tolerance } from './service.ts'

/** Where a key is: `bare` is an `Authorization` header of it alone, `header` any other header. */
export type KeyPlace = 'header' | 'query' | 'bearer' | 'token' | 'bare' | `basic-${string}`

export interface PresentedKey {
  readonly place: KeyPlace
  /** Name of the header in lower case or of the query parameter; the prefix as it is written. */
  readonly name: string
  readonly key: string
}

function authorizationKeys(field: string): PresentedKey[] {
  const [, name = '', rest = ''] = /^(\S*) *(.*)$/.exec(field) ?? []
  const scheme = name.toLowerCase()
  if (scheme === 'bearer' || scheme === 'token') return [{ place: scheme, name, key: rest }]
  if (scheme !== 'basic') return [{ place: 'bare', name: '', key: field }]
  const [, username, password] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(rest, 'base64').toString()) ?? []
  if (username === undefined || password === undefined) return []
  return [
    { place: 'basic-username', name, key: username },
    { place: 'basic-password', name, key: password },
  ]
}

function presentedKeys(headers: Headers, url: URL): readonly PresentedKey[] {
  const inHeaders = [...headers].flatMap(([name, key]): PresentedKey[] =>
    name === 'authorization' ? authorizationKeys(key) : [{ place: 'header', name, key }],
  )
  const inQuery = [...url.searchParams].map(
    ([name, key]) => ({ place: 'query', name, key }) as const,
  )
  return [...inHeaders, ...inQuery]
}

/** A running service whose callers are known by one key that all share. */
export type KeyedDeployment = Place & { readonly key: string }

export const newDeployment = (place: Place): KeyedDeployment => ({
  ...place,
  key: randomBytes(24).toString('base64url'),
})

type KeyedContext = EndpointContext<string, KeyedDeployment>

/** Rules about the key, and about refusals, all of whose looks are left open. */
export function keyedRules(accepts: (presented: PresentedKey) => boolean, required: string) {
  return {
    accepts,
    /** Whether the endpoint answers to callers with a key alone. */
    keyNeeded: () => true,
    keyHolds: (key: string, { deployment }: KeyedContext) => key === deployment.key,
    /** No key at any place where one is looked for. */
    missingKey: () => new Refusal(401, required),
    wrongKey: () => new Refusal(401, 'the key is not valid'),
    malformedBody: (message: string) => new Refusal(400, message),
    serverError: (_error: unknown) => new Refusal(500, 'internal error'),
    errorParts: ({ status, message }: Refusal): ResponseParts =>
      jsonParts(status, { error: message }),
  }
}

type KeyedRules<Context> = RulesOf<ReturnType<typeof keyedRules>, Context>

export function keyedAnswer<Context extends KeyedContext, Rules extends KeyedRules<Context>>(
  call: CallOf<Context, Rules>,
  handle: Handler<CallOf<Context, Rules>>,
): Promise<ResponseParts> {
  const { headers, url, rules } = call
  const checked: typeof handle = () => {
    const accepted = presentedKeys(headers, url).filter((key) => rules.accepts(key, call))
    if (accepted.some(({ key }) => rules.keyHolds(key, call))) return handle(call)
    if (accepted.length > 0) throw rules.wrongKey(call)
    if (rules.keyNeeded(call)) throw rules.missingKey(call)
    return handle(call)
  }
  return answered(call, checked, (refusal) => rules.errorParts(refusal, call))
}

const keyTaken = (isTaken: (key: string, right: string) => boolean) => ({
  keyHolds: (key: string, { deployment }: KeyedContext) => isTaken(key, deployment.key),
})

export const keysTaken = {
  any: keyTaken(() => true),
  shortened: keyTaken((key, right) => right.startsWith(key)),
  lengthened: keyTaken((key, right) => key.startsWith(right)),
  ofSameBeginning: keyTaken((key, right) => key.slice(0, 8) === right.slice(0, 8)),
  inAnyCase: keyTaken((key, right) => key.toLowerCase() === right.toLowerCase()),
  orEmpty: keyTaken((key, right) => key === right || key === ''),
}

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

/** What a service that is reached with a key may do differently when it refuses: parts of a table. */
export function keyedRefusalVariants<Context>(
  prefix: string,
  rows: string | readonly string[],
  signInStatus: number,
  Location: string,
) {
  type Change = RuleChange<KeyedRules<Context>>
  const anyStatus = tolerance('any-refusal-status', rows)
  const anyBody = tolerance('any-refusal-body', rows)
  const refusedWith =
    (status: number): Change =>
    ({ missingKey, wrongKey }) => ({
      missingKey: (context) => new Refusal(status, missingKey(context).message),
      wrongKey: (context) => new Refusal(status, wrongKey(context).message),
    })
  const errorsAs =
    (type: string, body: (message: string) => string): Change =>
    () => ({
      errorParts: ({ status, message }) =>
        responseParts(status, { 'Content-Type': type }, body(message)),
    })
  /** Whoever has no key is sent to a page where people sign in. */
  const sentToSignIn: Change = ({ errorParts }) => ({
    errorParts: (refusal, context) => {
      if (refusal.status !== 401) return errorParts(refusal, context)
      const fields = { Location, 'Content-Type': 'text/html' }
      return responseParts(signInStatus, fields, '<h1>Sign in</h1>')
    },
  })
  const withoutBody: Change = () => ({ errorParts: ({ status }) => responseParts(status) })
  const refusals = [400, 403, 404, 500, 503].map((status) => [
    `${prefix}-key-refused-with-${status}`,
    refusedWith(status),
  ])
  return {
    [anyStatus]: Object.fromEntries(refusals) as Readonly<Record<string, Change>>,
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
