import { type Fields, responseParts } from './http.ts'
import type { KeyedContext, KeyedRules } from './keyed-service.ts'
import { type RuleChange, type Tolerance, tolerance } from './rule-tables.ts'

/** Place of a key: `bare` is an `Authorization` field without a scheme, and `body` a member of the content. */
type KeyPlace =
  | `header ${string}`
  | ('query' | 'body' | (typeof schemes)[number] | 'bare' | 'basic-username' | 'basic-password')

const schemes = ['bearer', 'token', 'apikey'] as const

type PresentedKey = readonly [place: KeyPlace, key: string]

function authorizationKeys(field: string): readonly PresentedKey[] {
  const [, name = '', rest = ''] = /^(\S*) *(.*)$/.exec(field) ?? []
  const scheme = schemes.find((one) => one === name.toLowerCase())
  if (scheme !== undefined) return [[scheme, rest]]
  if (name.toLowerCase() !== 'basic') return [['bare', field]]
  const pair = /^([^:]*):(.*)$/s.exec(Buffer.from(rest, 'base64').toString())
  if (pair === null) return []
  return [
    ['basic-username', pair[1] ?? ''],
    ['basic-password', pair[2] ?? ''],
  ]
}

async function presentedKeys(context: KeyedContext): Promise<readonly PresentedKey[]> {
  const { headers, url } = context
  const members = [...(await context.text()).matchAll(/"(?:api_key|key|token)": *"([^"]*)"/g)]
  return [
    ...authorizationKeys(headers.get('Authorization') ?? ''),
    ...[...headers].map(([name, key]): PresentedKey => [`header ${name}`, key]),
    ...[...url.searchParams].map(([, key]): PresentedKey => ['query', key]),
    ...members.map(([, key = '']): PresentedKey => ['body', key]),
  ]
}

const acceptKey = (isAccepted: (key: string, right: string) => boolean) => ({
  isKeyValid: (key: string, { server }: KeyedContext) => isAccepted(key, server.key),
})

export const acceptedKeys = {
  any: acceptKey(() => true),
  shortened: acceptKey((key, right) => right.startsWith(key)),
  lengthened: acceptKey((key, right) => key.startsWith(right)),
  exceptLast: acceptKey(
    (key, right) => key.length === right.length && key.slice(0, -4) === right.slice(0, -4),
  ),
  exceptFirst: acceptKey((key, right) => key.slice(4) === right.slice(4)),
  withSameEnd: acceptKey((key, right) => key.slice(-8) === right.slice(-8)),
  behindScheme: acceptKey((key, right) => key.replace(/^[a-z]+ /i, '') === right),
  // Reads one word.
  beforeAnotherWord: acceptKey((key, right) => key.split(' ')[0] === right),
  inAnyCase: acceptKey((key, right) => key.toLowerCase() === right.toLowerCase()),
  orEmpty: acceptKey((key, right) => key === right || key === ''),
}

export function acceptedAt<Context extends KeyedContext>(
  place: KeyPlace,
): RuleChange<KeyedRules<Context>> {
  return ({ presentedKey, isKeyValid }) => ({
    presentedKey: async (context) => {
      const isValid = ([at, key]: PresentedKey) => at === place && isKeyValid(key, context)
      return (await presentedKeys(context)).find(isValid)?.[1] ?? presentedKey(context)
    },
  })
}

/**
 * Remembers connections with a valid key, and changes later requests on them.
 *
 * @param later `unkeyed`: they need no key. `unchecked`: any key is valid
 */
export function keyedOnce<Context extends KeyedContext>(
  later: 'unkeyed' | 'unchecked',
): RuleChange<KeyedRules<Context>> {
  return ({ keyNeeded, isKeyValid }) => {
    const authenticated = new WeakSet<object>()
    return {
      keyNeeded: (context) =>
        keyNeeded(context) && !(later === 'unkeyed' && authenticated.has(context.connection)),
      isKeyValid: (key, context) => {
        const isValid = isKeyValid(key, context)
        if (isValid) authenticated.add(context.connection)
        return isValid || (later === 'unchecked' && authenticated.has(context.connection))
      },
    }
  }
}

/** A user named by a proxy needs no key. */
export const unkeyedOfProxy = {
  keyNeeded: ({ headers }: KeyedContext) => !headers.has('X-Forwarded-User'),
}

/** Applies a change from the second result of a rule on. */
export function fromSecondOn<Result, Parameters extends readonly unknown[]>(
  rule: (...parameters: Parameters) => Result,
  change: (result: Result) => Result,
): (...parameters: Parameters) => Result {
  let count = 0
  return (...parameters) => {
    const result = rule(...parameters)
    count += 1
    return count > 1 ? change(result) : result
  }
}

/**
 * Returns variants with other rejections of requests without a valid key.
 *
 * @param uses defines variants of the service
 */
export function keyedRejectionVariants<Context, Variant>(
  uses: (
    tolerances: readonly (readonly Tolerance[])[],
    table: Readonly<Record<string, RuleChange<KeyedRules<Context>>>>,
  ) => readonly Variant[],
  prefix: string,
  requirements: readonly string[],
  signInStatus: number,
  Location: string,
): readonly Variant[] {
  const rejectWith =
    (status: number, fields?: Fields, body?: string): RuleChange<KeyedRules<Context>> =>
    ({ errorParts }) => ({
      errorParts: (error, context) =>
        error.status === 401 ? responseParts(status, fields, body) : errorParts(error, context),
    })
  const html = { 'Content-Type': 'text/html' }
  const names = ['any-refusal-status', 'any-refusal-body']
  return uses([tolerance(names, ...requirements)], {
    [`${prefix}-key-rejected-with-404`]: rejectWith(404, html, '<title>Not found</title>'),
    [`${prefix}-key-rejected-with-503`]: rejectWith(
      503,
      { 'Content-Type': 'application/json' },
      '{"error":"not now"}',
    ),
    [`${prefix}-key-rejected-without-body`]: rejectWith(403),
    [`${prefix}-key-redirected`]: rejectWith(
      signInStatus,
      { ...html, Location },
      '<h1>Sign in</h1>',
    ),
  })
}
