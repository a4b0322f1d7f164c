/** The requests of a table of keyed cases, and the judgment of all cases of a rule. */
import { anonymous, proxyFields } from '../probe/credentials.ts'
import type { Exchange, ServiceRequest } from '../probe/exchange.ts'
import { mayBeOfService } from '../probe/origin.ts'
import { Inconclusive, skip } from './check-errors.ts'
import { contrast, isSuccess, requireControl } from './contrast.ts'
import { fixtureFor } from './fixture.ts'
import { judgeCases } from './judge-cases.ts'
import {
  carriers,
  idOf,
  type KeyedCase,
  type KeyedTable,
  keyedCases,
  nameOf,
  nearlyRight,
  wrongKey,
  wrongKeys,
} from './keyed-table.ts'
import { expect } from './matchers.ts'
import { MIN_SECRET_CHARS, nearMisses } from './near-misses.ts'
import { classifyIntermediary } from './preflight.ts'
import type { Run } from './probe-run.ts'
import { type RetrySettings, retryLostResponse, untilAccepted } from './retry-lost-responses.ts'

/** Statuses with which a server may limit how often it accepts a request. */
const LIMITING_STATUSES = [409, 429]

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

/** The cases of a service, each of which is sent once. */
export class KeyedCases<Endpoint extends string, Id extends string> {
  readonly cases: readonly KeyedCase<Endpoint>[]
  readonly #run: RetrySettings
  readonly #redactor: Run['redactor']
  readonly #table: KeyedTable<Endpoint, Id>
  readonly #getKey: () => string
  readonly #endpoints: Readonly<Record<NoInfer<Endpoint>, KeyedEndpoint>>

  /** @param getKey throws `Skip` if no key is configured */
  constructor(
    run: RetrySettings & Pick<Run, 'redactor'>,
    table: KeyedTable<Endpoint, Id>,
    getKey: () => string,
    endpoints: Readonly<Record<NoInfer<Endpoint>, KeyedEndpoint>>,
  ) {
    this.#run = run
    this.#redactor = run.redactor
    this.#table = table
    this.#getKey = getKey
    this.#endpoints = endpoints
    this.#redactor.add('WRONG_KEY', wrongKey)
    this.cases = keyedCases(table)
  }

  /** Returns the content of the place of the key. @throws Skip if there is none */
  #placed(level: string): string | undefined {
    const { variable } = this.#table
    if (level === 'no key') return undefined
    if (wrongKeys[level]) return wrongKeys[level](this.#getKey)
    const key = this.#getKey()
    const nearMiss = nearlyRight[level]
    if (nearMiss === undefined) return key
    if (key.length < MIN_SECRET_CHARS) skip(`the key of ${variable} is too short to vary it`)
    const varied = nearMisses[nearMiss](key)
    if (varied === key) skip(`the key of ${variable} has no letters`)
    this.#redactor.add(`${variable}_${nearMiss}`.toUpperCase().replaceAll(' ', '_'), varied)
    return varied
  }

  #optionsOf(one: KeyedCase<Endpoint>): KeyedSendOptions {
    const { endpoint, key, carrier = '', isAfter = false, after, contentType } = one
    const { encodesPath = false, isProxied = false } = one
    const { variable, otherFields, place } = this.#table
    const isLater = isAfter || after !== undefined
    const [field, prefix] = place
    const content = this.#placed(key)
    const isRejectedFirst = key === 'a wrong key' && !carrier && !encodesPath
    return {
      credentials: carriers[carrier]?.[1](this.#getKey(), otherFields) ?? anonymous,
      headers: {
        ...(content !== undefined && { [field]: `${prefix}${content}` }),
        // The documents state no media type.
        ...(isLater && { Accept: '*/*' }),
        ...(contentType && { 'Content-Type': contentType }),
        ...(isProxied && proxyFields('admin')),
      },
      ...(encodesPath && { encodesPath }),
      ...((isLater || isRejectedFirst) && { connection: `${variable} ${after ?? endpoint}` }),
      // Sent soon: an idle connection may be closed.
      ...(isLater && { fresh: true, priority: 1 }),
    }
  }

  /** Waits for what precedes a case. */
  async #precede(one: KeyedCase<Endpoint>): Promise<void> {
    const { control, beforeSecond } = this.#endpoints[one.endpoint]
    if (one.kind === 'second') {
      await requireControl(control)
      if (await this.#isWrongAccepted(one.endpoint)) skip('the server accepts a wrong key')
      await beforeSecond?.()
    } else if (one.isAfter || one.after) {
      const preceding = one.after ?? one.endpoint
      const succeeded = requireControl(() => this.exchange(preceding, 'the key', true))
      // Without a success, another key is still sent: only the case without a key would be sent twice.
      await (one.kind === 'none' ? succeeded : succeeded.catch(() => {}))
    }
  }

  readonly #sendOnce = fixtureFor('case:', async (_: string, one: KeyedCase<Endpoint>) => {
    const { control, send } = this.#endpoints[one.endpoint]
    const isRight = one.key === 'the key'
    await this.#precede(one)
    const retry = isRight ? untilAccepted : retryLostResponse<Exchange>
    const response =
      one.payload === undefined
        ? retry(this.#run, async () => send(this.#optionsOf(one), one))
        : control(one.payload)
    return response.catch((error: unknown) => {
      const { exchange } = error instanceof Inconclusive ? error : {}
      const isResponse = ({ status, origin }: Exchange) =>
        isRight ? LIMITING_STATUSES.includes(status) : mayBeOfService(origin)
      if (exchange && isResponse(exchange)) return exchange
      throw error
    })
  })

  #respond(one: KeyedCase<Endpoint>): Promise<Exchange> {
    return one.kind === 'first'
      ? this.#endpoints[one.endpoint].control()
      : this.#sendOnce(`${one.endpoint} with ${nameOf(one)}`, one)
  }

  /** Returns the response to a case with the key in its place. @throws Skip if it cannot be sent */
  async exchange(endpoint: Endpoint, key: string, isAfter = false): Promise<Exchange> {
    const name = nameOf({ endpoint, key, isAfter })
    const found = this.cases.find((one) => one.endpoint === endpoint && nameOf(one) === name)
    return this.#respond(found as KeyedCase<Endpoint>)
  }

  #isWrongAccepted(endpoint: Endpoint, isAfter = false): Promise<boolean> {
    return this.exchange(endpoint, 'a wrong key', isAfter).then(isSuccess, () => false)
  }

  async #judgeRejection(one: KeyedCase<Endpoint>): Promise<void> {
    const { endpoint, key, carrier, encodesPath } = one
    const isOwn = key === 'a wrong key' && carrier
    if (isOwn && (await this.#isWrongAccepted(endpoint, true))) {
      skip('the server accepts a wrong key')
    }
    const response = await this.#respond(one)
    // A server may return a page for paths that it does not know in this form.
    if (encodesPath && classifyIntermediary(response) === 'page') skip('it returned a web page')
    await contrast({
      control: this.#endpoints[endpoint].control,
      negative: async () => response,
      serverErrorRejects: true,
    })
  }

  /** Judges each case of a rule, a rejection with its control. @throws Skip if none can be judged */
  judge(id: Id): Promise<void> {
    const { rules, endpoints } = this.#table
    const [endpoint, kinds, expected] = rules[id]
    const parts = this.cases.filter((one) => one.endpoint === endpoint && kinds.includes(one.kind))
    const named = parts.map((one) => ({ ...one, name: idOf(endpoints, one) }))
    return judgeCases(named, async (one) => {
      if (expected === 'a rejection') return this.#judgeRejection(one)
      const response = await this.#respond(one)
      const isLimited = one.kind !== 'first' && LIMITING_STATUSES.includes(response.status)
      const { unlimited } = this.#endpoints[endpoint]
      // After a 429, a later request may be accepted since the time of the limit is over (RFC 6585, 4).
      const isRate = response.status === 429
      if (isLimited && (isRate || !(await unlimited?.().then(isSuccess, () => false)))) {
        skip(`a further request returned ${response.status}`)
      }
      expectations[expected](response)
    })
  }
}
