import { randomBytes } from 'node:crypto'
import { anonymous, type Credentials, queryToken } from '../probe/credentials.ts'
import type { Exchange } from '../probe/exchange.ts'
import type { Redactor } from '../probe/redaction.ts'
import { isNoStatus } from '../probe/retry.ts'
import { fixture } from './fixture.ts'
import { type RetrySettings, untilAnswered } from './lost-answers.ts'
import { Inconclusive, skip } from './outcome.ts'

const QUERY_PARAMETERS = ['api_key', 'access_token', 'token', 'key']

/** A key of an unsuspicious form that no service has issued. */
export const wrongKey = randomBytes(24).toString('hex')

const SHORTEST_KEY_TO_VARY = 8

/**
 * Keys that begin like the right one and are not the right one: a character shorter and a character
 * longer. Both are secrets of the run, each with a name of its own.
 *
 * @throws Skip when the key is so short that it would be guessed
 */
export function nearlyRightKeys(
  redactor: Redactor,
  variable: string,
  key: () => string,
): readonly (() => string)[] {
  const variation = (suffix: string, vary: (right: string) => string) => () => {
    const right = key()
    if (right.length < SHORTEST_KEY_TO_VARY) skip(`the key of ${variable} is too short to vary it`)
    const varied = vary(right)
    redactor.add(`${variable}_${suffix}`, varied)
    return varied
  }
  return [
    variation('SHORTENED', (right) => right.slice(0, -1)),
    variation('LENGTHENED', (right) => `${right}0`),
  ]
}

/** The key in the query, under every usual name at once. */
export function keyInQuery(key: string): Credentials {
  return queryToken(QUERY_PARAMETERS, key)
}

/** One request that needs a key, and what varies of it: nothing but how the key is sent. */
export interface KeyedRequest {
  /** The request as it should be. Throws `Skip` when it cannot be made. */
  control(): Promise<Exchange>
  withoutKey(): Promise<Exchange>
  withWrongKey(): Promise<Exchange>
  /** The same with each key that is not right: that one, and some that are nearly right. */
  withWrongKeys: readonly { name: string; refused: () => Promise<Exchange> }[]
  /** The same with the key in other places than the documented one. */
  withKeyElsewhere: readonly (() => Promise<Exchange>)[]
}

/**
 * @param retry how the run repeats requests whose answers are lost
 * @param name what the request is, for the report
 * @param send sends the request with these credentials; called once for each variation, and again
 *   where the answer is lost
 */
export function keyedRequest(
  retry: RetrySettings,
  name: string,
  control: () => Promise<Exchange>,
  send: (credentials: Credentials) => Promise<Exchange>,
  variations: {
    wrongKey: () => Credentials
    /** Throw `Skip` when there is no key to vary. */
    nearlyRight: readonly (() => Credentials)[]
    /** Throw `Skip` when there is no key to misplace. */
    elsewhere: readonly (() => Credentials)[]
  },
): KeyedRequest {
  const variation = (how: string, credentials: () => Credentials) =>
    fixture(`${name} ${how}`, async () => {
      try {
        return await untilAnswered(retry, async () => send(credentials()))
      } catch (error) {
        // The documents show no status for a refused key, so that what a gateway may have sent, each
        // time anew, counts as the answer that it is, unless it only asks to wait.
        const exchange = error instanceof Inconclusive ? error.exchange : undefined
        if (exchange === undefined || exchange.status < 500 || isNoStatus(exchange.status)) {
          throw error
        }
        return exchange
      }
    })
  const withWrongKey = variation('with a wrong key', variations.wrongKey)
  return {
    control,
    withoutKey: variation('without a key', () => anonymous),
    withWrongKey,
    withWrongKeys: [
      { name: 'a wrong key', refused: withWrongKey },
      ...variations.nearlyRight.map((credentials, index) => ({
        name: 'a key that is nearly right',
        refused: variation(`with a nearly right key ${index + 1}`, credentials),
      })),
    ],
    withKeyElsewhere: variations.elsewhere.map((credentials, index) =>
      variation(`with the key elsewhere ${index + 1}`, credentials),
    ),
  }
}
