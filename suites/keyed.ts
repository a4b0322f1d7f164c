/** The levels of requests with an API key, how they are sent, and how they are judged, for both small services. */
import { randomBytes } from 'node:crypto'
import type { Catalogue } from '../lib/conformance/catalogue.ts'
import { Inconclusive, skip } from '../lib/conformance/check-errors.ts'
import { fixtureFor } from '../lib/conformance/check-scope.ts'
import { requireControl } from '../lib/conformance/controls.ts'
import type { CaseSender } from '../lib/conformance/judge.ts'
import { expect, isSuccess } from '../lib/conformance/matchers.ts'
import { type NearMiss, nearMissOf } from '../lib/conformance/near-misses.ts'
import { classifyIntermediary } from '../lib/conformance/preflight.ts'
import type { Run } from '../lib/conformance/probe-run.ts'
import {
  catalogueOfSuite,
  crossOf,
  type Levels,
  type SuiteObservation,
  statusOf,
} from '../lib/conformance/requirements.ts'
import { retryLostResponse, untilAccepted } from '../lib/conformance/retry-lost-responses.ts'
import type { Suite } from '../lib/conformance/suite.ts'
import type { Target } from '../lib/environment/probe-variables.ts'
import * as credentials from '../lib/probe/credentials.ts'
import type { Exchange, Send, ServiceRequest } from '../lib/probe/exchange.ts'
import { mayBeOfService } from '../lib/probe/origin.ts'

/** Well-formed key that no service has issued. */
const inventedKey = randomBytes(24).toString('hex')
const filler = inventedKey.repeat(6)

type KeyRow = readonly [text: string, content: (getKey: () => string) => string | undefined]

/** Contents of the place of the key. */
export const keys = {
  right: ['the key', (getKey) => getKey()],
  none: ['no key', () => undefined],
  invented: ['a key that was never issued', () => inventedKey],
  empty: ['an empty key', () => ''],
  longer: ['the key and 288 characters', (getKey) => `${getKey()}${filler}`],
  'before a word': ['the key, a space and 288 characters', (getKey) => `${getKey()} ${filler}`],
  'after a scheme': ['the key after a scheme', (getKey) => `Bearer ${getKey()}`],
  'in a list': ['the key twice in a list', (getKey) => `${getKey()}, ${inventedKey}, ${getKey()}`],
} as const satisfies Record<string, KeyRow>

/** Contents that are nearly the key. */
const nearKeys = {
  'other start': 'a key with another first character',
  'other end': 'a key with another last character',
  shorter: 'the key without its last character',
  'other case': 'the key in the other letter case',
} as const satisfies Partial<Record<NearMiss, string>>

type NearKey = keyof typeof nearKeys
type Key = keyof typeof keys | NearKey
const isNear = (key: Key): key is NearKey => key in nearKeys

type RequestParts = Pick<ServiceRequest, 'credentials' | 'headers'>
type PlaceRow = readonly [
  text: string,
  send: (key: string, fields: readonly string[]) => RequestParts,
]

const parameters = 'api_key apikey access_token token key X-Events-Key Authorization'.split(' ')

const inFields = (fields: readonly string[], key: string) =>
  Object.fromEntries(
    fields.map((field) => [field, field.endsWith('Authorization') ? `Bearer ${key}` : key]),
  )

const furtherPlaces = { query: 'in the query', fields: 'in other header fields' }

/** @param scheme in Authorization @param further places in the same request */
const keyAt = (scheme?: string, ...further: (keyof typeof furtherPlaces)[]): PlaceRow => [
  `the key ${[
    ...(scheme === undefined ? [] : [`after ${scheme.trim() || 'no scheme'} in Authorization`]),
    ...further.map((one) => furtherPlaces[one]),
  ].join(' and ')}`,
  (key, fields) => ({
    ...(further.includes('query') && { credentials: credentials.queryToken(parameters, key) }),
    headers: {
      ...(further.includes('fields') && inFields(fields, key)),
      ...(scheme !== undefined && { Authorization: `${scheme}${key}` }),
    },
  }),
]

/** Places of the right key other than its own. Bearer is also by itself: with it, a server may reject a second key. */
export const places = {
  Bearer: keyAt('Bearer '),
  bearer: keyAt('bearer '),
  token: keyAt('token '),
  'Bearer:': keyAt('Bearer: '),
  Bearerx: keyAt('Bearerx '),
  'no scheme': keyAt(''),
  // In both parts: the documents state neither.
  Basic: [
    'the key in basic authentication',
    (key) => ({ credentials: credentials.basic(key, key) }),
  ],
  body: [
    'the key in the body',
    (key) => ({ credentials: credentials.bodyMembers(parameters, key) }),
  ],
  'query and fields': keyAt(undefined, 'query', 'fields'),
  'token and query': keyAt('token ', 'query'),
  'ApiKey and fields': keyAt('ApiKey ', 'fields'),
  several: keyAt('Bearer ', 'query', 'fields'),
} as const satisfies Record<string, PlaceRow>

export type Place = keyof typeof places

const asText = { 'Content-Type': 'text/plain' }

/** Other forms of a request. An encoded letter in a path is equivalent (RFC 3986, 6.2.2.2). */
const forms = {
  proxy: ['with header fields in which a proxy names the user', credentials.proxyFields('admin')],
  text: ['as text/plain', asText],
  encoded: ['with a percent-encoded letter in the path', {}],
  'encoded text': ['as text/plain, with a percent-encoded letter in the path', asText],
} as const satisfies Record<string, readonly [text: string, headers: ServiceRequest['headers']]>

const isEncoded = ({ form }: KeyedCase) => form?.startsWith('encoded') ?? false

const items = {
  'free-form': 'for an event with a free-form payload',
  empty: 'for an event with an empty payload',
  'no payload': 'for an event without a payload',
  'undotted type': 'for an event whose type is not words joined by dots',
  unknown: 'for an ID that does not exist',
}

/** Method and path. */
export const endpoints = {
  publish: 'POST /v1/events',
  status: 'GET /v1/events/{eventId}',
  replay: 'POST /v1/events/{eventId}/replay',
  updates: 'POST /v1/incidents/{incidentId}/updates',
} as const

export type Endpoint = keyof typeof endpoints

/** A request, by the levels of its factors. */
export interface KeyedCase {
  endpoint: Endpoint
  /** Content of the place of the key. */
  key: Key
  /** Another place of the right key. */
  place?: Place | undefined
  form?: keyof typeof forms | undefined
  /** Another event or incident than the configured one. */
  item?: keyof typeof items | undefined
  /** The request before it on its connection. */
  after?: KeyedCase | undefined
}

/** Returns the cases of every combination of levels at an endpoint; by default with the right key. */
export const cross = (endpoint: Endpoint, ...rows: Levels<KeyedCase>[]) =>
  crossOf<KeyedCase>({ endpoint, key: 'right' })(...rows)

/** Returns a request with the right key after a rejected one on its connection. */
export const afterRejection = (endpoint: Endpoint): KeyedCase => ({
  endpoint,
  key: 'right',
  after: { endpoint, key: 'invented' },
})

/** Returns the request with the right key, and the same after a rejection. */
export const accepted = (endpoint: Endpoint): KeyedCase[] => [
  { endpoint, key: 'right' },
  afterRejection(endpoint),
]

const isPlain = ({ place, form, item, after }: KeyedCase) =>
  [place, form, item, after].every((level) => level === undefined)

/** Returns the id of a case: the names of the levels that differ from the default. */
export const idOf = ({ endpoint, key, place, form, item, after }: KeyedCase): string =>
  [
    endpoint,
    ...(key === 'right' ? [] : [`key=${key}`]),
    ...(place ? [`in=${place}`] : []),
    ...(form ? [`form=${form}`] : []),
    ...(item ? [`item=${item}`] : []),
    ...(after ? [`after=${after.key === 'right' ? after.endpoint : 'rejection'}`] : []),
  ].join('/')

/** Returns the text of a case. */
export const describe = ({ endpoint, key, place, form, item, after }: KeyedCase): string =>
  [
    `${endpoints[endpoint]} with ${isNear(key) ? nearKeys[key] : keys[key][0]}`,
    ...(place ? [places[place][0]] : []),
    ...(form ? [forms[form][0]] : []),
    ...(item ? [items[item]] : []),
    ...(after?.key === 'right' ? [`after a success of ${endpoints[after.endpoint]}`] : []),
    ...(after && after.key !== 'right' ? ['after a rejection'] : []),
  ].join(', ')

/** Returns an invented key after a success, which a server may remember, and with the fields of a proxy. */
const laterInvented = (endpoint: Endpoint) =>
  ({ key: 'invented', place: undefined, form: 'proxy', after: afterRejection(endpoint) }) as const

const otherStart = { key: 'other start', place: undefined } as const

/** A rejection, while the same request with the right key succeeds. A wrong key that is accepted is judged by itself. */
const rejected = {
  impact: 'access' as const,
  given: [{ key: 'right', place: undefined, form: undefined }] as const,
  rejects: 'any',
  unlike: ({ endpoint, key, place }: KeyedCase) =>
    place && key !== 'none' ? [laterInvented(endpoint), otherStart] : [],
  tolerances: {
    'any-refusal-status': 'The server may reject the request with any status code other than 2xx.',
    'any-refusal-body': 'The rejection may have any body or none.',
  },
} as const

const hasBody = (endpoint: Endpoint) => ['publish', 'updates'].includes(endpoint)
const encodedFormOf = (endpoint: Endpoint) => (hasBody(endpoint) ? 'encoded' : 'encoded text')

/**
 * Returns what shows that an endpoint needs a key. A server may reject text, or not know an encoded path: the requests with
 * the key elsewhere show the same sequence without them.
 *
 * @param other endpoint whose success precedes too
 */
export const withoutKey = (endpoint: Endpoint, other?: Endpoint) => ({
  cases: cross(
    endpoint,
    { key: 'none', form: hasBody(endpoint) ? [undefined, 'text'] : undefined },
    { key: 'none', form: encodedFormOf(endpoint), after: afterRejection(endpoint) },
    { key: 'none', form: 'proxy', after: other && afterRejection(other) },
  ),
  ...rejected,
})

/** Returns what shows that an endpoint checks the key. @param longer the key with more after it */
export const withWrongKey = (endpoint: Endpoint, longer: Key) => ({
  cases: cross(
    endpoint,
    { key: ['invented', 'empty', longer, 'in a list', ...(Object.keys(nearKeys) as NearKey[])] },
    laterInvented(endpoint),
    { key: 'invented', form: 'encoded text' },
  ),
  ...rejected,
})

/** Returns what shows that an endpoint reads the key in its own place only. @param withWrong place of the right key in addition to a wrong key */
export const withKeyElsewhere = (
  endpoint: Endpoint,
  withWrong: Pick<KeyedCase, 'key' | 'place'>,
  ...place: readonly Place[]
) => ({
  cases: cross(endpoint, { key: 'none', place, after: afterRejection(endpoint) }, withWrong),
  ...rejected,
})

/** The sentence about the path, which both documents have. */
export const versioning = {
  'versioning/prefix': {
    since: '0.2.0',
    statement: 'The server exposes the API under /v1.',
    section: 'Versioning',
    untestable: 'Every request of a run uses the prefix, so the other requirements cover it.',
  },
} as const

/** Statuses with which a server may limit how often it accepts a request. */
const LIMITING_STATUSES = [409, 429]

/** Parts of a request that its case decides. */
export type KeyedOptions = Pick<
  ServiceRequest,
  'credentials' | 'headers' | 'connection' | 'fresh' | 'priority' | 'encodesPath'
>

/** Returns the function that sends a request. @param baseUrl without a trailing slash; may have a path */
export const clientOf =
  (baseUrl: string, send: Send) =>
  /** @param id in the path @param options `body`: JSON text */
  (name: Endpoint, options: KeyedOptions & { body?: string | undefined }, id = '') => {
    const endpoint = endpoints[name]
    const [method = '', path = ''] = endpoint.split(' ')
    const url = new URL(`${baseUrl}${path.replace(/\{\w+\}/, () => encodeURIComponent(id))}`)
    const type = options.body !== undefined && { 'Content-Type': 'application/json' }
    const headers = { Accept: 'application/json', ...type, ...options.headers }
    return send({ endpoint, method, url, ...options, headers })
  }

/** Returns the observation of the status of an accepted request. */
export const successOf =
  (endpoint: Endpoint) =>
  async ({ sender }: { sender: Pick<KeyedRequests, 'send'> }) => {
    const response = await sender.send({ endpoint, key: 'right' })
    return isSuccess(response) ? response.status : undefined
  }

type ItemObservation = readonly [requirement: string, item: KeyedCase['item'], text: string]

/**
 * Returns the observations of the statuses of requests with the key, without a key, with a wrong one, and for other items.
 *
 * @param of names of the requirements about an accepted request and about a missing key
 * @param items by name
 */
export const observationsOf = <Context extends { sender: KeyedRequests }>(
  endpoint: Endpoint,
  request: string,
  of: readonly [success: string, required: string],
  items: Readonly<Record<string, ItemObservation>> = {},
  missing = 'missing-key',
): Record<string, SuiteObservation<Context>> => {
  type Row = readonly [requirement: string, text: string, SuiteObservation<Context>['value']]
  const withKey = (key: Key) => statusOf<KeyedCase>({ endpoint, key })
  const others = Object.entries(items).map(([name, [requirement, item, text]]): [string, Row] => {
    return [name, [requirement, text, statusOf<KeyedCase>({ endpoint, key: 'right', item })]]
  })
  const rows: Record<string, Row> = {
    status: [of[0], 'that is accepted', successOf(endpoint)],
    [missing]: [of[1], 'without an API key', withKey('none')],
    'wrong-key': ['key-checked', 'with an API key that was never issued', withKey('invented')],
    ...Object.fromEntries(others),
  }
  const observations = Object.entries(rows).map(([name, [requirement, text, value]]) => {
    const description = `Status code of ${request} ${text}.`
    return [`${endpoint}/${name}`, { of: [`${endpoint}/${requirement}`], description, value }]
  })
  return Object.fromEntries(observations)
}

/** Returns the suite of a small service, none of whose settings decides which cases there are. @param key in a target */
export const keyedSuite = <Context extends { sender: KeyedRequests }>(
  key: keyof Target,
  catalogue: Pick<Catalogue, 'service' | 'document' | 'needs'>,
  parts: Pick<Suite<KeyedCase, object, Context>, 'requirements' | 'observations'>,
  runtime: { createContext(run: Run): Context; preflight(context: Context): Promise<void> },
): Suite<KeyedCase, object, Context> => ({
  ...{ ...parts, idOf, describe, load: () => runtime },
  catalogue: catalogueOfSuite(catalogue, parts.requirements, parts.observations),
  settingsOf: (target) => target[key] && {},
})

/** Requests of an endpoint. */
interface KeyedEndpoint {
  /** Sends the request with the right key. */
  right: (item?: KeyedCase['item']) => Promise<Exchange>
  send: (options: KeyedOptions, one: KeyedCase) => Promise<Exchange>
  /** Sends what may change the second response. */
  beforeSecond?: () => Promise<unknown>
  /** Sends another request; if it is accepted, the server does not limit them. */
  unlimited?: () => Promise<Exchange>
}

interface KeyedParts {
  run: Run
  /** Variable of the key. */
  variable: string
  /** Header field of the key, and the text before the key in it. */
  place: readonly [field: string, prefix: string]
  /** Header fields that are not the place of the key. */
  otherFields: readonly string[]
  /** @throws Skip if no key is configured */
  getKey: () => string
  /** Endpoints of the service. */
  endpoints: Readonly<Partial<Record<Endpoint, KeyedEndpoint>>>
}

/** Sends the request of each case once. */
export class KeyedRequests implements CaseSender<KeyedCase> {
  readonly #parts: KeyedParts

  constructor(parts: KeyedParts) {
    this.#parts = parts
    parts.run.redactor.add('WRONG_KEY', inventedKey)
  }

  readonly isServed = (_: KeyedCase, response: Exchange): boolean => isSuccess(response)
  readonly send = (one: KeyedCase): Promise<Exchange> => this.#send(idOf(one), one)

  /** Expects a success. @throws Skip for the status of a further request with which the server may limit them */
  async expectAccepted(response: Exchange, one: KeyedCase): Promise<void> {
    const { status } = response
    if (!isPlain(one) && LIMITING_STATUSES.includes(status)) {
      const { unlimited } = this.#endpointOf(one)
      // After a 429, a later request may be accepted since the time of the limit is over (RFC 6585, 4).
      const isOpen = status !== 429 && (await unlimited?.().then(isSuccess, () => false))
      if (!isOpen) skip(`a further request returned ${status}`)
    }
    expect(response).toBeAccepted()
  }

  readonly #send = fixtureFor('case:', async (_: string, one: KeyedCase) => {
    const { run } = this.#parts
    const { right, send } = this.#endpointOf(one)
    const isRight = one.key === 'right'
    await this.#precede(one)
    const retry = isRight ? untilAccepted : retryLostResponse<Exchange>
    const sent =
      isRight && !one.after
        ? right(one.item)
        : retry(run, async () => send(this.#optionsOf(one), one))
    const response = await sent.catch((error: unknown) => {
      const { exchange } = error instanceof Inconclusive ? error : {}
      const isResponse = ({ status, origin }: Exchange) =>
        isRight ? LIMITING_STATUSES.includes(status) : mayBeOfService(origin)
      if (exchange && isResponse(exchange)) return exchange
      throw error
    })
    // A server may return a page for paths that it does not know in this form.
    const isPage = isEncoded(one) && classifyIntermediary(response) === 'page'
    return isPage ? skip('it returned a web page') : response
  })

  #endpointOf({ endpoint }: Pick<KeyedCase, 'endpoint'>): KeyedEndpoint {
    return this.#parts.endpoints[endpoint] as KeyedEndpoint
  }

  /** Waits for what precedes a case. */
  async #precede({ endpoint, key, after }: KeyedCase): Promise<void> {
    if (after === undefined) return
    if (after.key === 'right') {
      const succeeded = requireControl(() => this.send(after))
      // A request that must be rejected shows something without a success too.
      await (key === 'right' ? succeeded : succeeded.catch(() => {}))
      return
    }
    await requireControl(() => this.send({ endpoint, key: 'right' }))
    const isAccepted = await this.send(after).then(isSuccess, () => false)
    if (isAccepted) skip('the server accepts a wrong key')
    await this.#endpointOf({ endpoint }).beforeSecond?.()
  }

  /** Returns the content of the place of the key. @throws Skip if there is none */
  #contentOf(level: Key): string | undefined {
    const { run, variable, getKey } = this.#parts
    if (!isNear(level)) return keys[level][1](getKey)
    const { name, value } = nearMissOf(variable, getKey(), level)
    run.redactor.add(name, value)
    return value
  }

  #optionsOf(one: KeyedCase): KeyedOptions {
    const { endpoint, key, place, form, after } = one
    const { getKey, otherFields, variable, place: own } = this.#parts
    const content = this.#contentOf(key)
    const elsewhere: RequestParts | undefined = place && places[place][1](getKey(), otherFields)
    const isFirst = key === 'invented' && !place && !form
    return {
      credentials: elsewhere?.credentials ?? credentials.anonymous,
      headers: {
        ...elsewhere?.headers,
        ...(content !== undefined && { [own[0]]: `${own[1]}${content}` }),
        // The documents state no media type.
        ...(after && { Accept: '*/*' }),
        ...(form && forms[form][1]),
      },
      ...(isEncoded(one) && { encodesPath: true }),
      ...((after || isFirst) && { connection: `${variable} ${after?.endpoint ?? endpoint}` }),
      // Sent soon: an idle connection may be closed.
      ...(after && { fresh: true, priority: 1 }),
    }
  }
}
