import { randomBytes } from 'node:crypto'
import { anonymous, type Credentials, queryToken } from '../probe/credentials.ts'
import type { Exchange } from '../probe/exchange.ts'
import { mayBeOfService } from '../probe/origin.ts'
import { Inconclusive, skip } from './check-errors.ts'
import { contrast } from './contrast.ts'
import { each, forEachTestable } from './each.ts'
import { fixture } from './fixture.ts'
import { type RetrySettings, retryLostResponse } from './retry-lost-responses.ts'
import type { Run } from './run.ts'

const QUERY_PARAMETERS = ['api_key', 'access_token', 'token', 'key']

/** Well-formed key that no service has issued. */
const wrongKey = randomBytes(24).toString('hex')

/** Minimum length of a key that is varied; variations of a shorter key would reveal it. */
const MIN_VARIED_KEY_CHARS = 8

type CredentialsFactory = (key: string) => Credentials

/** Creates credentials that send the key in the query, under all common parameter names. */
export const keyInQuery: CredentialsFactory = (key) => queryToken(QUERY_PARAMETERS, key)

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}

/** Request that requires a key, and its variations; each is sent once. */
export interface KeyedRequest {
  control: () => Promise<Exchange>
  withoutKey: () => Promise<Exchange>
  withWrongKey: () => Promise<Exchange>
  withWrongKeys: { name: string; rejected: () => Promise<Exchange> }[]
  /** Valid key, sent in other places of the request. */
  withKeyElsewhere: (() => Promise<Exchange>)[]
}

interface KeyOptions {
  variable: string
  /** Throws `Skip` if no key is configured. */
  key: () => string
  place: CredentialsFactory
  elsewhere: readonly CredentialsFactory[]
}

export function keyedRequests(
  run: RetrySettings & Pick<Run, 'redactor'>,
  { variable, key, place, elsewhere }: KeyOptions,
) {
  run.redactor.add('WRONG_KEY', wrongKey)
  const almostValid = (suffix: string, vary: (validKey: string) => string) => () => {
    const validKey = key()
    const isShort = validKey.length < MIN_VARIED_KEY_CHARS
    if (isShort) skip(`the key of ${variable} is too short to vary it`)
    const varied = vary(validKey)
    if (varied === validKey) skip(`the key of ${variable} has no letters`)
    run.redactor.add(`${variable}_${suffix}`, varied)
    return place(varied)
  }
  const almostValidKeys: Record<string, () => Credentials> = {
    'the key without its last character': almostValid('SHORTENED', (valid) => valid.slice(0, -1)),
    'the key and one character more': almostValid('LENGTHENED', (validKey) => `${validKey}0`),
    'the key in the other letter case': almostValid('IN_OTHER_CASE', swapCase),
    'an empty key': () => place(''),
  }

  return (
    name: string,
    control: () => Promise<Exchange>,
    send: (credentials: Credentials) => Promise<Exchange>,
  ): KeyedRequest => {
    const createVariation = (description: string, credentials: () => Credentials) =>
      fixture(`${name} ${description}`, () =>
        retryLostResponse(run, async () => send(credentials())).catch((error: unknown) => {
          const exchange = error instanceof Inconclusive ? error.exchange : undefined
          if (exchange && mayBeOfService(exchange.origin)) return exchange
          throw error
        }),
      )
    const withWrongKey = createVariation('with a wrong key', () => place(wrongKey))
    return {
      control,
      withoutKey: createVariation('without a key', () => anonymous),
      withWrongKey,
      withWrongKeys: [
        { name: 'a wrong key', rejected: withWrongKey },
        ...Object.entries(almostValidKeys).map(([name, credentials]) => ({
          name,
          rejected: createVariation(`with ${name}`, credentials),
        })),
      ],
      withKeyElsewhere: elsewhere.map((createCredentials, index) =>
        createVariation(`with the key elsewhere ${index + 1}`, () => createCredentials(key())),
      ),
    }
  }
}

const expectRejected = (control: () => Promise<Exchange>, negative: () => Promise<Exchange>) =>
  contrast({ control, negative, serverErrorRejects: true })

/** Fails if the request is accepted without a key. */
export function expectKeyRequired({ control, withoutKey }: KeyedRequest): Promise<void> {
  return expectRejected(control, withoutKey)
}

/** Fails if the request is accepted with a key that was never issued. */
export function expectKeyChecked({ control, withWrongKeys }: KeyedRequest): Promise<void> {
  return forEachTestable(withWrongKeys, ({ rejected }) => expectRejected(control, rejected))
}

/** Fails if the request is accepted with the key in another place. */
export function expectKeyInPlace({ control, withKeyElsewhere }: KeyedRequest): Promise<void> {
  return each(withKeyElsewhere, (rejected) => expectRejected(control, rejected))
}
