/** Requests that require a key, as a table of cases, and the judgment of all cases of a rule. */
import { randomBytes } from 'node:crypto'
import * as credentials from '../probe/credentials.ts'
import type { Exchange, ServiceRequest } from '../probe/exchange.ts'
import { mayBeOfService } from '../probe/origin.ts'
import { Inconclusive, skip } from './check-errors.ts'
import { contrast, isSuccess, requireControl } from './contrast.ts'
import { forEachTestable } from './each.ts'
import { fixtureFor } from './fixture.ts'
import { expect } from './matchers.ts'
import { MIN_SECRET_CHARS, type NearMiss, nearMisses } from './near-misses.ts'
import { type RetrySettings, retryLostResponse, untilAccepted } from './retry-lost-responses.ts'
import type { Run } from './run.ts'

/** Well-formed key that no service has issued. */
const wrongKey = randomBytes(24).toString('hex')

const PARAMETERS = ['api_key', 'access_token', 'token', 'key']

/** Statuses with which a server may limit how often it accepts a request. */
const LIMITING_STATUSES = [409, 429]

/** The right key in its place, no key, another key in that place, or the right key in another place. */
type KeyKind = 'right' | 'none' | 'wrong' | 'elsewhere'

/** Nothing; an accepted request on the same connection; one that differs in the key only. */
type Before = 'nothing' | 'success' | 'repeated'

/** Level of the factor `key`: its kind, and how the request carries it. `key` throws `Skip` if there is none. */
type KeyLevel = readonly [
  kind: KeyKind,
  carry: (key: () => string, options: CarryOptions) => credentials.Credentials,
  before?: readonly Before[],
]

interface CarryOptions {
  variable: string
  place: (key: string) => credentials.Credentials
  /** Header fields that are not the place of the key. */
  otherFields: readonly string[]
  redactor: Run['redactor']
}

/** One request, described by its factors. */
export interface KeyedCase<Endpoint extends string = string> {
  readonly endpoint: Endpoint
  readonly kind: KeyKind
  readonly key: string
  readonly before: string
}

type Carry = KeyLevel[1]

const wrong = (carry: Carry): KeyLevel => ['wrong', carry]
const elsewhere = (create: (key: string) => credentials.Credentials): KeyLevel => [
  'elsewhere',
  (key) => create(key()),
]
const authorization = (scheme: string) =>
  elsewhere((key) => credentials.headerKey('Authorization', `${scheme}${key}`))

const nearlyRight = (nearMiss: NearMiss, before: Before = 'nothing'): KeyLevel => [
  'wrong',
  (getKey, { variable, place, redactor }) => {
    const key = getKey()
    if (key.length < MIN_SECRET_CHARS) skip(`the key of ${variable} is too short to vary it`)
    const varied = nearMisses[nearMiss](key)
    if (varied === key) skip(`the key of ${variable} has no letters`)
    redactor.add(`${variable}_${nearMiss}`.toUpperCase().replaceAll(' ', '_'), varied)
    return place(varied)
  },
  [before],
]

const levels: Readonly<Record<string, KeyLevel>> = {
  'the key': ['right', (key, { place }) => place(key()), ['nothing', 'success']],
  'no key': ['none', () => credentials.anonymous, ['nothing', 'success', 'repeated']],
  'a wrong key': wrong((_, { place }) => place(wrongKey)),
  'a key with another first character': nearlyRight('other start', 'success'),
  'a key with another last character': nearlyRight('other end'),
  'the key without its last character': nearlyRight('shorter'),
  'the key and one character more': nearlyRight('longer'),
  'the key in the other letter case': nearlyRight('other case'),
  'the key after a scheme': wrong((key, { place }) => place(`Bearer ${key()}`)),
  'an empty key': wrong((_, { place }) => place('')),
  'the key with the scheme Bearer': authorization('Bearer '),
  'the key with the scheme token': authorization('token '),
  'the key with the scheme ApiKey': authorization('ApiKey '),
  'the key without a scheme': authorization(''),
  // In both parts: the documents state neither.
  'the key in basic authentication': elsewhere((key) => credentials.basic(key, key)),
  'the key in the query': elsewhere((key) => credentials.queryToken(PARAMETERS, key)),
  'the key in the body': elsewhere((key) => credentials.bodyMembers(PARAMETERS, key)),
  'the key in other header fields': [
    'elsewhere',
    (key, { otherFields }) => credentials.headerKey(otherFields, key()),
    ['success'],
  ],
}

const expectations = {
  accepted: (exchange: Exchange) => expect(exchange).toBeAccepted(),
  'accepted with a body'(exchange: Exchange) {
    expect(exchange).toBeAccepted()
    expect(exchange).toHaveBody()
  },
  'without a body': (exchange: Exchange) =>
    isSuccess(exchange)
      ? expect(exchange).toHaveNoBody()
      : skip(`needs an accepted request, and it returned ${exchange.status}`),
}

/** Statement about all cases of an endpoint with a kind of key. */
type KeyedRule<Endpoint extends string> = readonly [
  endpoint: Endpoint,
  kind: KeyKind,
  expected: 'rejected' | keyof typeof expectations,
]

type Sequence = 'connection' | 'fresh' | 'priority'
export type KeyedSendOptions = Pick<ServiceRequest, 'credentials' | Sequence>

interface KeyedEndpoint<Endpoint extends string> {
  /** Sends the first request with the right key, which must succeed for a rejection to count. */
  control: () => Promise<Exchange>
  send: (options: KeyedSendOptions, one: KeyedCase<Endpoint>) => Promise<Exchange>
  /** Runs before the second request with the right key. @throws Skip if that would prove nothing */
  beforeSecond?: (
    exchange: (endpoint: Endpoint, key: string) => Promise<Exchange>,
  ) => Promise<unknown>
  /** Sends another second request; if it is accepted, the server does not limit them. */
  unlimited?: () => Promise<Exchange>
  /** Further requests with the right key, by the name of the part in reports. */
  further?: Readonly<Record<string, () => Promise<Exchange>>>
}

interface KeyedOptions<Endpoint extends string> extends Omit<CarryOptions, 'redactor'> {
  /** Throws `Skip` if no key is configured. */
  key: () => string
  endpoints: Readonly<Record<Endpoint, KeyedEndpoint<Endpoint>>>
  /** Endpoints of levels that not all have, by the name of the level or of what was before. */
  only: Readonly<Record<string, readonly NoInfer<Endpoint>[]>>
}

const nameOf = ({ key, before }: Pick<KeyedCase, 'key' | 'before'>) =>
  ({ nothing: key, success: `${key} after a success`, repeated: `${key} after the same request` })[
    before
  ] ?? before

/** Returns the table of a service: each endpoint with its levels of the key and of what was before. */
function tableOf<Endpoint extends string>({ endpoints, only }: KeyedOptions<Endpoint>) {
  const names = Object.keys(endpoints) as Endpoint[]
  return names.flatMap((endpoint) => {
    const isAt = (level: string) => (only[level] ?? names).includes(endpoint)
    const further = Object.keys(endpoints[endpoint].further ?? {})
    return Object.entries(levels).flatMap(([key, [kind, , before = ['nothing']]]) =>
      [...before, ...(kind === 'right' ? further : [])]
        .filter((before) => isAt(key) && isAt(before))
        .map((before): KeyedCase<Endpoint> => ({ endpoint, kind, key, before })),
    )
  })
}

export type KeyedCases<Endpoint extends string> = ReturnType<typeof createKeyedCases<Endpoint>>

/** Creates the cases of a service, each of which is sent once. */
export function createKeyedCases<Endpoint extends string>(
  run: RetrySettings & Pick<Run, 'redactor'>,
  options: KeyedOptions<Endpoint>,
) {
  const { variable, key: getKey, endpoints } = options
  run.redactor.add('WRONG_KEY', wrongKey)
  const cases = tableOf(options)

  const sendOnce = fixtureFor('case:', async (_: string, one: KeyedCase<Endpoint>) => {
    const { endpoint, key, kind, before } = one
    const { control, send, beforeSecond } = endpoints[endpoint]
    const carried = levels[key]?.[1](getKey, { ...options, redactor: run.redactor })
    const isSecond = kind === 'right'
    if (before === 'success' && !isSecond) {
      const succeeded = requireControl(() => exchange(endpoint, 'the key', before))
      // Without a success, another key is sent all the same: only the case without a key would be sent twice.
      await (kind === 'none' ? succeeded : succeeded.catch(() => {}))
    } else if (before !== 'nothing') await requireControl(control)
    if (isSecond) await beforeSecond?.(exchange)
    const connection = before === 'success' ? `${variable} ${endpoint}` : undefined
    // Sent soon: an idle connection may be closed.
    const sequence = before === 'nothing' ? {} : { connection, fresh: true, priority: 1 }
    const retry = isSecond ? untilAccepted : retryLostResponse<Exchange>
    return retry(run, async () => send({ credentials: carried, ...sequence }, one)).catch(
      (error: unknown) => {
        const { exchange } = error instanceof Inconclusive ? error : {}
        const isResponse = ({ status, origin }: Exchange) =>
          isSecond ? LIMITING_STATUSES.includes(status) : mayBeOfService(origin)
        if (exchange && isResponse(exchange)) return exchange
        throw error
      },
    )
  })

  /** Returns the response to a case. @throws Skip if the case cannot be sent */
  async function exchange(endpoint: Endpoint, key: string, before = 'nothing'): Promise<Exchange> {
    const { control, further = {} } = endpoints[endpoint]
    if (key === 'the key' && before !== 'success') return (further[before] ?? control)()
    const kind = levels[key]?.[0] ?? 'wrong'
    return sendOnce(`${endpoint} with ${nameOf({ key, before })}`, { endpoint, kind, key, before })
  }

  /** Judges each case of a rule, a rejection beside its control. @throws Skip if none can be judged */
  function judge(...[endpoint, kind, expected]: KeyedRule<Endpoint>) {
    const { control, unlimited } = endpoints[endpoint]
    const parts = cases.filter((one) => one.endpoint === endpoint && one.kind === kind)
    const named = parts.map((one) => ({ ...one, name: nameOf(one) }))
    return forEachTestable(named, async ({ key, before }) => {
      const negative = () => exchange(endpoint, key, before)
      if (expected === 'rejected') return contrast({ control, negative, serverErrorRejects: true })
      const response = await negative()
      const isLimited = before === 'success' && LIMITING_STATUSES.includes(response.status)
      if (isLimited && !(await unlimited?.().then(isSuccess, () => false))) {
        skip(`the second request returned ${response.status}`)
      }
      expectations[expected](response)
    })
  }

  return { cases, exchange, judge }
}
