/** The table of requests that require a key: its levels, rules and cases. */
import { randomBytes } from 'node:crypto'
import * as credentials from '../probe/credentials.ts'
import { coveringArray } from './covering-array.ts'
import type { NearMiss } from './near-misses.ts'

/** Well-formed key that no service has issued. */
export const wrongKey = randomBytes(24).toString('hex')

const PARAMETERS = ['api_key', 'access_token', 'token', 'key']

/** Levels of a nearly right key where the key belongs. */
export const nearlyRight: Readonly<Record<string, NearMiss>> = {
  'a key with another first character': 'other start',
  'a key with another last character': 'other end',
  'the key without its last character': 'shorter',
  'the key and one character more': 'longer',
  'the key in the other letter case': 'other case',
}

/** Wrong keys where the key belongs. */
export const wrongKeys: Readonly<Record<string, (getKey: () => string) => string>> = {
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
export const carriers: Readonly<Record<string, Carrier>> = {
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
export interface KeyedCase<Endpoint extends string = string> {
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
  /** True if the request has the header fields with which a proxy names the user. */
  readonly isProxied?: boolean
  readonly payload?: string
}

type Expectation = 'a rejection' | 'a success' | 'a success with a body' | 'no body'

/** Statement about all cases of an endpoint with these kinds. */
type KeyedRule<Endpoint extends string> = readonly [
  endpoint: Endpoint,
  kinds: readonly Kind[],
  expected: Expectation,
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

export const nameOf = (one: Omit<KeyedCase, 'kind'>) => {
  const { key, carrier, isAfter, after, contentType, encodesPath, isProxied, payload } = one
  return [
    carrier && key === 'no key' ? carrier : [key, carrier].filter(Boolean).join(' and '),
    ...(isAfter ? ['after a success'] : []),
    ...(after ? [`after a success of ${after}`] : []),
    ...(contentType ? [`with a body as ${contentType}`] : []),
    ...(encodesPath ? ['at an encoded path'] : []),
    ...(isProxied ? ['with the fields of a proxy'] : []),
    ...(payload ? [`for ${payload}`] : []),
  ].join(' ')
}

/** Returns the right key at other places, each with no key and with a wrong one in its own place. */
function casesElsewhere<Endpoint extends string>({
  endpoints,
  only,
  place: [field],
}: KeyedTable<Endpoint>): KeyedCase<Endpoint>[] {
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
  return coveringArray<KeyedCase<Endpoint>>(candidates, itemsOf, required)
}

/** Returns the table of a service. */
export function keyedCases<Endpoint extends string>(
  table: KeyedTable<Endpoint>,
): KeyedCase<Endpoint>[] {
  const { after, endpoints, only, payloads, withBody } = table
  const elsewhere = casesElsewhere(table)
  return (Object.keys(endpoints) as Endpoint[]).flatMap((endpoint, index) => {
    const none = { endpoint, kind: 'none', key: 'no key' } as const
    const wrong = { endpoint, kind: 'wrong', key: 'a wrong key' } as const
    const right = { endpoint, key: 'the key' } as const
    return [
      { ...right, kind: 'first' },
      { ...right, kind: 'second', isAfter: true },
      ...payloads.map((payload) => ({ ...right, kind: 'payload', payload }) as const),
      none,
      ...(index === 0 ? [{ ...none, isProxied: true }] : []),
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
export const idOf = (endpoints: Readonly<Record<string, string>>, one: KeyedCase) =>
  `${endpoints[one.endpoint]} with ${nameOf(one)}`

/** Returns the table of a service for people. */
export function plannedKeyedCases(table: KeyedTable) {
  const rules = Object.entries(table.rules)
  return keyedCases(table).map((one) => {
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
