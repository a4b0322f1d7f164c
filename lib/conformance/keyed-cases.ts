/** Requests that require a key, as a table of cases, and the judgment of all cases of a rule. */
import { randomBytes } from 'node:crypto'
import * as credentials from '../probe/credentials.ts'
import type { Exchange, ServiceRequest } from '../probe/exchange.ts'
import { mayBeOfService } from '../probe/origin.ts'
import { Inconclusive, skip } from './check-errors.ts'
import { contrast, isSuccess, requireControl } from './contrast.ts'
import { coveringArray } from './covering-array.ts'
import { fixtureFor } from './fixture.ts'
import { judgeCases } from './judge-cases.ts'
import { expect } from './matchers.ts'
import { MIN_SECRET_CHARS, type NearMiss, nearMisses } from './near-misses.ts'
import { classifyIntermediary } from './preflight.ts'
import type { Run } from './probe-run.ts'
import { type RetrySettings, retryLostResponse, untilAccepted } from './retry-lost-responses.ts'

/** Well-formed key that no service has issued. */
const wrongKey = randomBytes(24).toString('hex')

const PARAMETERS = ['api_key', 'access_token', 'token', 'key']

/** Statuses with which a server may limit how often it accepts a request. */
const LIMITING_STATUSES = [409, 429]

/** Levels of a nearly right key where the key belongs. */
const nearlyRight: Readonly<Record<string, NearMiss>> = {
  'a key with another first character': 'other start',
  'a key with another last character': 'other end',
  'the key without its last character': 'shorter',
  'the key and one character more': 'longer',
  'the key in the other letter case': 'other case',
}

/** Wrong keys where the key belongs. */
const wrongKeys: Readonly<Record<string, (getKey: () => string) => string>> = {
  'a wrong key': () => wrongKey,
  'an empty key': () => '',
  'a wrong key of 300 characters': () => wrongKey.repeat(7).slice(0, 300),
  'the key after a scheme': (getKey) => `Bearer ${getKey()}`,
  'the key and another word': (getKey) => `${getKey()} 0`,
  'a wrong key and the key in a list': (getKey) => `${wrongKey}, ${getKey()}`,
}

type Carrier = readonly [
  group: 'scheme' | 'basic' | 'other',
  carry: (key: string, otherFields: readonly string[]) => credentials.Credentials,
]

const withScheme = (scheme: string): Carrier => [
  'scheme',
  (key) => credentials.headerKey('Authorization', `${scheme}${key}`),
]

/** Places of the right key other than its own. */
const carriers: Readonly<Record<string, Carrier>> = {
  'the key with the scheme Bearer': withScheme('Bearer '),
  'the key with the scheme token': withScheme('token '),
  'the key with the scheme ApiKey': withScheme('ApiKey '),
  'the key with the scheme Bearer:': withScheme('Bearer: '),
  'the key with the scheme Bearerx': withScheme('Bearerx '),
  'the key without a scheme': withScheme(''),
  // In both parts: the documents state neither.
  'the key in basic authentication': ['basic', (key) => credentials.basic(key, key)],
  'the key in the query': ['other', (key) => credentials.queryToken(PARAMETERS, key)],
  'the key in the body': ['other', (key) => credentials.bodyMembers(PARAMETERS, key)],
  'the key in other header fields': ['other', (key, fields) => credentials.headerKey(fields, key)],
  'the key after Bearer in other header fields': [
    'other',
    (key, fields) => credentials.headerKey(fields, `Bearer ${key}`),
  ],
}

type Kind = 'first' | 'second' | 'payload' | 'none' | 'wrong' | 'elsewhere'

/** A request, described by its factors. */
interface KeyedCase<Endpoint extends string = string> {
  readonly endpoint: Endpoint
  readonly kind: Kind
  /** Content of the place of the key. */
  readonly key: string
  /** Another place of the right key. */
  readonly carrier?: string
  /** True if the request follows an accepted one on its connection, which follows a rejected one. */
  readonly isAfter?: boolean
  /** Endpoint whose accepted request precedes it on its connection. */
  readonly after?: Endpoint
  /** Media type of the body, if it is not JSON. */
  readonly contentType?: string
  /** True if the path has a percent-encoded letter, which is equivalent (RFC 3986, 6.2.2.2). */
  readonly encodesPath?: boolean
  readonly payload?: string
}

const expectations = {
  'a rejection': () => {},
  'a success': (exchange: Exchange) => expect(exchange).toBeAccepted(),
  'a success with a body'(exchange: Exchange) {
    expect(exchange).toBeAccepted()
    expect(exchange).toHaveBody()
  },
  'no body': (exchange: Exchange) =>
    isSuccess(exchange)
      ? expect(exchange).toHaveNoBody()
      : skip(`needs an accepted request, and it returned ${exchange.status}`),
}

/** Statement about all cases of an endpoint with these kinds. */
type KeyedRule<Endpoint extends string> = readonly [
  endpoint: Endpoint,
  kinds: readonly Kind[],
  expected: keyof typeof expectations,
]

/** Everything that decides the cases of a service. */
export interface KeyedTable<Endpoint extends string = string, Id extends string = string> {
  /** Variable of the key. */
  variable: string
  /** Header field of the key, and the text before the key in it. */
  place: readonly [field: string, prefix: string]
  /** Header fields that are not the place of the key. */
  otherFields: readonly string[]
  /** Method and path by endpoint. */
  endpoints: Readonly<Record<Endpoint, string>>
  /** Payloads other than the configured one. */
  payloads: readonly string[]
  /** Endpoints of levels that not all have. */
  only: Readonly<Record<string, readonly NoInfer<Endpoint>[]>>
  /** By endpoint, the endpoint after whose success a request without a key is sent. */
  after: Readonly<Partial<Record<NoInfer<Endpoint>, NoInfer<Endpoint>>>>
  /** Endpoints whose requests have a body. */
  withBody: readonly NoInfer<Endpoint>[]
  /** Rules by requirement. */
  rules: Readonly<Record<Id, KeyedRule<NoInfer<Endpoint>>>>
}

const nameOf = (one: Omit<KeyedCase, 'kind'>) => {
  const { key, carrier, isAfter, after, contentType, encodesPath, payload } = one
  return [
    carrier && key === 'no key' ? carrier : [key, carrier].filter(Boolean).join(' and '),
    ...(isAfter ? ['after a success'] : []),
    ...(after ? [`after a success of ${after}`] : []),
    ...(contentType ? [`with a body as ${contentType}`] : []),
    ...(encodesPath ? ['at an encoded path'] : []),
    ...(payload ? [`for ${payload}`] : []),
  ].join(' ')
}

/** Returns the right key at other places, each with no key and with a wrong one in its own place. */
function casesElsewhere<Endpoint extends string>(
  { endpoints, only, place: [field] }: KeyedTable<Endpoint>,
  seed: number,
): KeyedCase<Endpoint>[] {
  const names = Object.keys(endpoints) as Endpoint[]
  const candidates = names.flatMap((endpoint) =>
    Object.entries(carriers).flatMap(([carrier, [group]]) => {
      const isCombined = group === 'other' || field !== 'Authorization'
      const keys = isCombined ? ['no key', 'a wrong key'] : ['no key']
      const isHere = (only[carrier] ?? names).includes(endpoint)
      const cases = keys.map((key) => ({ endpoint, kind: 'elsewhere', key, carrier }) as const)
      return isHere ? cases.flatMap((one) => [one, { ...one, isAfter: true }]) : []
    }),
  )
  // A rare level is sent once, after a success.
  const itemsOf = ({ endpoint, carrier = '', key, isAfter }: KeyedCase) => [
    `${endpoint}, ${carrier}`,
    ...(isAfter ? [`${carrier} after a success`] : []),
    ...(only[carrier]
      ? []
      : [`${endpoint}, ${carriers[carrier]?.[0] === 'scheme'}, ${key}`, `${carrier}, ${key}`]),
  ]
  const required = candidates.filter(({ carrier, key, isAfter }: KeyedCase) => {
    const isOfFields = carrier?.endsWith('in other header fields')
    return isOfFields && key === 'no key' && isAfter
  })
  return coveringArray<KeyedCase<Endpoint>>(candidates, itemsOf, seed, required)
}

/** Returns the table of a service. The seed decides which other places of the key share a request. */
export function keyedCases<Endpoint extends string>(
  table: KeyedTable<Endpoint>,
  seed: number,
): KeyedCase<Endpoint>[] {
  const { after, endpoints, only, payloads, withBody } = table
  const elsewhere = casesElsewhere(table, seed)
  return (Object.keys(endpoints) as Endpoint[]).flatMap((endpoint, index) => {
    const none = { endpoint, kind: 'none', key: 'no key' } as const
    const wrong = { endpoint, kind: 'wrong', key: 'a wrong key' } as const
    const right = { endpoint, key: 'the key' } as const
    return [
      { ...right, kind: 'first' },
      { ...right, kind: 'second', isAfter: true },
      ...payloads.map((payload) => ({ ...right, kind: 'payload', payload }) as const),
      none,
      { ...none, isAfter: true },
      ...(after[endpoint] ? [{ ...none, after: after[endpoint] }] : []),
      ...(withBody.includes(endpoint) ? [{ ...none, contentType: 'text/plain' }] : []),
      ...Object.keys({ ...wrongKeys, ...nearlyRight }).flatMap((key) =>
        (only[key] ?? [endpoint]).includes(endpoint) ? { ...wrong, key } : [],
      ),
      { ...wrong, isAfter: true },
      { ...(index % 2 === 0 ? none : wrong), encodesPath: true },
      ...elsewhere.filter((one) => one.endpoint === endpoint),
    ]
  })
}

/** Returns the id of a case. */
const idOf = (endpoints: Readonly<Record<string, string>>, one: KeyedCase) =>
  `${endpoints[one.endpoint]} with ${nameOf(one)}`

/** Returns the table of a service for people. */
export function plannedKeyedCases(table: KeyedTable, seed: number) {
  const rules = Object.entries(table.rules)
  return keyedCases(table, seed).map((one) => {
    const judging = rules.filter(
      ([, [at, kinds]]) => at === one.endpoint && kinds.includes(one.kind),
    )
    const expected = [...new Set(judging.map(([, [, , text]]) => text))]
    const request = table.endpoints[one.endpoint]
    return {
      case: idOf(table.endpoints, one),
      requirements: judging.map(([id]) => id),
      expected: expected.join(', '),
      ...(expected.includes('a rejection') && { control: `${request} with the key` }),
    }
  })
}

type Part = 'credentials' | 'headers' | 'connection' | 'fresh' | 'priority' | 'encodesPath'
export type KeyedSendOptions = Pick<ServiceRequest, Part>

/** Requests of an endpoint. */
interface KeyedEndpoint {
  /** Sends a request with the right key. The request with the configured payload must succeed for a rejection to count. */
  control: (payload?: string) => Promise<Exchange>
  send: (options: KeyedSendOptions, one: KeyedCase) => Promise<Exchange>
  /** Sends what may change the second response. */
  beforeSecond?: () => Promise<unknown>
  /** Sends another request; if it is accepted, the server does not limit them. */
  unlimited?: () => Promise<Exchange>
}

export type KeyedCases<Endpoint extends string, Id extends string> = ReturnType<
  typeof createKeyedCases<Endpoint, Id>
>

/**
 * Creates the cases of a service, each of which is sent once.
 *
 * @param getKey throws `Skip` if no key is configured
 */
export function createKeyedCases<Endpoint extends string, Id extends string>(
  run: RetrySettings & Pick<Run, 'redactor'> & { settings: { seed: number } },
  table: KeyedTable<Endpoint, Id>,
  getKey: () => string,
  endpoints: Readonly<Record<NoInfer<Endpoint>, KeyedEndpoint>>,
) {
  const { variable, otherFields, rules } = table
  run.redactor.add('WRONG_KEY', wrongKey)
  const cases = keyedCases(table, run.settings.seed)

  /** Returns the content of the place of the key. @throws Skip if there is none */
  function placed(level: string): string | undefined {
    if (level === 'no key') return undefined
    if (wrongKeys[level]) return wrongKeys[level](getKey)
    const key = getKey()
    const nearMiss = nearlyRight[level]
    if (nearMiss === undefined) return key
    if (key.length < MIN_SECRET_CHARS) skip(`the key of ${variable} is too short to vary it`)
    const varied = nearMisses[nearMiss](key)
    if (varied === key) skip(`the key of ${variable} has no letters`)
    run.redactor.add(`${variable}_${nearMiss}`.toUpperCase().replaceAll(' ', '_'), varied)
    return varied
  }

  function optionsOf(one: KeyedCase<Endpoint>): KeyedSendOptions {
    const { endpoint, key, carrier = '', isAfter = false, after, contentType } = one
    const { encodesPath = false } = one
    const isLater = isAfter || after !== undefined
    const [field, prefix] = table.place
    const content = placed(key)
    const isRejectedFirst = key === 'a wrong key' && !carrier && !encodesPath
    return {
      credentials: carriers[carrier]?.[1](getKey(), otherFields) ?? credentials.anonymous,
      headers: {
        ...(content !== undefined && { [field]: `${prefix}${content}` }),
        // The documents state no media type.
        ...(isLater && { Accept: '*/*' }),
        ...(contentType && { 'Content-Type': contentType }),
      },
      ...(encodesPath && { encodesPath }),
      ...((isLater || isRejectedFirst) && { connection: `${variable} ${after ?? endpoint}` }),
      // Sent soon: an idle connection may be closed.
      ...(isLater && { fresh: true, priority: 1 }),
    }
  }

  const sendOnce = fixtureFor('case:', async (_: string, one: KeyedCase<Endpoint>) => {
    const { control, send, beforeSecond } = endpoints[one.endpoint]
    const isRight = one.key === 'the key'
    if (one.kind === 'second') {
      await requireControl(control)
      if (await isWrongAccepted(one.endpoint)) skip('the server accepts a wrong key')
      await beforeSecond?.()
    } else if (one.isAfter || one.after) {
      const preceding = one.after ?? one.endpoint
      const succeeded = requireControl(() => exchange(preceding, 'the key', true))
      // Without a success, another key is still sent: only the case without a key would be sent twice.
      await (one.kind === 'none' ? succeeded : succeeded.catch(() => {}))
    }
    const retry = isRight ? untilAccepted : retryLostResponse<Exchange>
    const response =
      one.payload === undefined
        ? retry(run, async () => send(optionsOf(one), one))
        : control(one.payload)
    return response.catch((error: unknown) => {
      const { exchange } = error instanceof Inconclusive ? error : {}
      const isResponse = ({ status, origin }: Exchange) =>
        isRight ? LIMITING_STATUSES.includes(status) : mayBeOfService(origin)
      if (exchange && isResponse(exchange)) return exchange
      throw error
    })
  })

  const respond = (one: KeyedCase<Endpoint>) =>
    one.kind === 'first'
      ? endpoints[one.endpoint].control()
      : sendOnce(`${one.endpoint} with ${nameOf(one)}`, one)

  /** Returns the response to a case with the key in its place. @throws Skip if it cannot be sent */
  async function exchange(endpoint: Endpoint, key: string, isAfter = false): Promise<Exchange> {
    const name = nameOf({ endpoint, key, isAfter })
    const found = cases.find((one) => one.endpoint === endpoint && nameOf(one) === name)
    return respond(found as KeyedCase<Endpoint>)
  }

  const isWrongAccepted = (endpoint: Endpoint, isAfter = false) =>
    exchange(endpoint, 'a wrong key', isAfter).then(isSuccess, () => false)

  async function judgeRejection(one: KeyedCase<Endpoint>): Promise<void> {
    const { endpoint, key, carrier, encodesPath } = one
    const isOwn = key === 'a wrong key' && carrier
    if (isOwn && (await isWrongAccepted(endpoint, true))) skip('the server accepts a wrong key')
    const response = await respond(one)
    // A server may return a page for paths that it does not know in this form.
    if (encodesPath && classifyIntermediary(response) === 'page') skip('it returned a web page')
    await contrast({
      control: endpoints[endpoint].control,
      negative: async () => response,
      serverErrorRejects: true,
    })
  }

  /** Judges each case of a rule, a rejection with its control. @throws Skip if none can be judged */
  function judge(id: Id) {
    const [endpoint, kinds, expected] = rules[id]
    const parts = cases.filter((one) => one.endpoint === endpoint && kinds.includes(one.kind))
    const named = parts.map((one) => ({ ...one, name: idOf(table.endpoints, one) }))
    return judgeCases(named, async (one) => {
      if (expected === 'a rejection') return judgeRejection(one)
      const response = await respond(one)
      const isLimited = one.kind !== 'first' && LIMITING_STATUSES.includes(response.status)
      const { unlimited } = endpoints[endpoint]
      if (isLimited && !(await unlimited?.().then(isSuccess, () => false))) {
        skip(`a further request returned ${response.status}`)
      }
      expectations[expected](response)
    })
  }

  return { cases, exchange, judge }
}
