import { randomBytes } from 'node:crypto'
import { anonymous, type Credentials, queryToken } from '../probe/credentials.ts'
import type { Exchange } from '../probe/exchange.ts'
import { mayBeOfService } from '../probe/origin.ts'
import { Inconclusive, skip } from './check-errors.ts'
import { fixture } from './fixture.ts'
import { type RetrySettings, retryLostResponse } from './retry-lost-responses.ts'
import type { Run } from './run.ts'

const QUERY_PARAMETERS = ['api_key', 'access_token', 'token', 'key']

/** A key of an unsuspicious form that no service has issued. */
const wrongKey = randomBytes(24).toString('hex')

/** A shorter one would be guessed with what is nearly right. */
const SHORTEST_KEY_TO_VARY = 8

type Place = (key: string) => Credentials

/** The key in the query, under every usual name at once. */
export const keyInQuery: Place = (key) => queryToken(QUERY_PARAMETERS, key)

/** Swaps uppercase and lowercase letters. */
function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}

/** A request that needs a key, and what varies of it: each is sent once. */
export interface KeyedRequest {
  /** The request as it should be. */
  control: () => Promise<Exchange>
  withoutKey: () => Promise<Exchange>
  withWrongKey: () => Promise<Exchange>
  withWrongKeys: { name: string; refused: () => Promise<Exchange> }[]
  /** The right key in other places. */
  withKeyElsewhere: (() => Promise<Exchange>)[]
}

/** Varies in requests nothing but how their key is sent; `key` throws `Skip` where there is none. */
export function keyedRequests(
  run: RetrySettings & Pick<Run, 'redactor'>,
  {
    variable,
    key,
    place,
    elsewhere,
  }: { variable: string; key: () => string; place: Place; elsewhere: readonly Place[] },
) {
  run.redactor.add('WRONG_KEY', wrongKey)
  const nearlyRight = (suffix: string, vary: (right: string) => string) => () => {
    const right = key()
    if (right.length < SHORTEST_KEY_TO_VARY) skip(`the key of ${variable} is too short to vary it`)
    const varied = vary(right)
    if (varied === right) skip(`the key of ${variable} has no letters`)
    run.redactor.add(`${variable}_${suffix}`, varied)
    return place(varied)
  }
  const nearlyRightKeys: Record<string, () => Credentials> = {
    'the key without its last character': nearlyRight('SHORTENED', (right) => right.slice(0, -1)),
    'the key and one character more': nearlyRight('LENGTHENED', (right) => `${right}0`),
    'the key in the other letter case': nearlyRight('IN_OTHER_CASE', swapCase),
    'an empty key': () => place(''),
  }

  /** @param control the request as it should be; throws `Skip` when it cannot be made */
  return (
    name: string,
    control: () => Promise<Exchange>,
    send: (credentials: Credentials) => Promise<Exchange>,
  ): KeyedRequest => {
    const variation = (how: string, credentials: () => Credentials) =>
      fixture(`${name} ${how}`, async () => {
        try {
          return await retryLostResponse(run, async () => send(credentials()))
        } catch (error) {
          const exchange = error instanceof Inconclusive ? error.exchange : undefined
          if (exchange === undefined || !mayBeOfService(exchange.origin)) throw error
          return exchange
        }
      })
    const withWrongKey = variation('with a wrong key', () => place(wrongKey))
    return {
      control,
      withoutKey: variation('without a key', () => anonymous),
      withWrongKey,
      withWrongKeys: [
        { name: 'a wrong key', refused: withWrongKey },
        ...Object.entries(nearlyRightKeys).map(([name, credentials]) => ({
          name,
          refused: variation(`with ${name}`, credentials),
        })),
      ],
      withKeyElsewhere: elsewhere.map((other, index) =>
        variation(`with the key elsewhere ${index + 1}`, () => other(key())),
      ),
    }
  }
}
