import { describe, it } from 'vitest'
import { type Credentials, headerKey } from '../probe/credentials.ts'
import { Redactor } from '../probe/redaction.ts'
import { keyedRequest, nearlyRightKeys, wrongKey } from './api-key.ts'
import { errorOf, exchangeWith } from './exchange.fixture.ts'
import { expect } from './matchers.ts'
import { Inconclusive, Skip, skip } from './outcome.ts'

const gatewayAnswer = (status: number) =>
  new Inconclusive('a gateway', { exchange: exchangeWith({ status }, '/keyed') })

const retry = {
  settings: { target: { probe: { retries: 0 } } },
  wait: async () => {},
}

function requestAnswering(answer: (credentials: Credentials) => Promise<never>) {
  return keyedRequest(retry, 'publish', async () => exchangeWith({ status: 202 }), answer, {
    wrongKey: () => headerKey('X-Key', wrongKey),
    nearlyRight: [],
    elsewhere: [() => headerKey('X-Other', 'key'), () => skip('API_KEY is not set')],
  })
}

describe('a request that needs a key', () => {
  it('has no answer where it was asked to wait, or could not be sent', async () => {
    const limited = requestAnswering(() => Promise.reject(gatewayAnswer(429)))
    const broken = requestAnswering(() => Promise.reject(new Inconclusive('the connection broke')))

    expect(await errorOf(limited.withoutKey)).toBeInstanceOf(Inconclusive)
    expect(await errorOf(broken.withoutKey)).toHaveProperty('message', 'the connection broke')
    expect(await errorOf(async () => limited.withKeyElsewhere[1]?.())).toHaveProperty(
      'message',
      'API_KEY is not set',
    )
  })
})

describe('keys that are nearly right', () => {
  const keysFor = (key: string) => {
    const redactor = new Redactor()
    redactor.add('API_KEY', key)
    return { redactor, keys: nearlyRightKeys(redactor, 'API_KEY', () => key) }
  }

  it('are a character shorter and longer, and in no report', () => {
    const { redactor, keys } = keysFor('a-key-of-a-service')
    const varied = keys.map((vary) => vary())
    expect(varied).toEqual(['a-key-of-a-servic', 'a-key-of-a-service0'])
    expect(varied.map((key) => redactor.redact(key))).toEqual([
      '$API_KEY_SHORTENED',
      '$API_KEY_LENGTHENED',
    ])
  })

  it('are not made of a key that could be guessed', async () => {
    for (const vary of keysFor('secret').keys) {
      expect(await errorOf(async () => vary())).toBeInstanceOf(Skip)
    }
  })
})
