import { describe, it } from 'vitest'
import { bearer, type Credentials, headerKey } from '../probe/credentials.ts'
import type { Exchange } from '../probe/exchange.ts'
import { Redactor } from '../probe/redaction.ts'
import { keyedRequests } from './api-key.ts'
import { Inconclusive, Skip } from './check-errors.ts'
import { errorOf, exchangeWith } from './exchange.fixture.ts'
import { expect } from './matchers.ts'

function gatewayAnswer(status: number, documentsStatuses = false): Inconclusive {
  const exchange = exchangeWith({ status, documentsStatuses }, '/keyed')
  return new Inconclusive({ kind: 'gateway', exchange: exchange.id, status }, { exchange })
}

function publishWith(key: string, answer: (credentials: Credentials) => Promise<Exchange>) {
  const redactor = new Redactor()
  redactor.add('API_KEY', key)
  const run = { settings: { target: { probe: { retries: 0 } } }, wait: async () => {}, redactor }
  const place = (value: string) => headerKey('X-Key', value)
  const options = { variable: 'API_KEY', key: () => key, place, elsewhere: [bearer] }
  const control = async () => exchangeWith({ status: 202 })
  return { redactor, publish: keyedRequests(run, options)('publish', control, answer) }
}

describe('a request that needs a key', () => {
  it('has no answer where it was asked to wait, or could not be sent', async () => {
    const limited = publishWith('key', () => Promise.reject(gatewayAnswer(429)))
    const reason = { kind: 'unclear', text: 'the connection broke' } as const
    const broken = publishWith('key', () => Promise.reject(new Inconclusive(reason)))
    expect(await errorOf(limited.publish.withoutKey)).toBeInstanceOf(Inconclusive)
    expect(await errorOf(broken.publish.withoutKey)).toHaveProperty('reason', reason)
  })

  it('may be rejected with the status of a gateway where the document states none', async () => {
    const { publish } = publishWith('key', () => Promise.reject(gatewayAnswer(503)))
    expect((await publish.withoutKey()).status).toBe(503)
  })

  it.each([408, 413, 429, 503, 530, 600])(
    'is not judged by %d where the document states another status for a rejection',
    async (status) => {
      const { publish } = publishWith('a-key-of-a-service', () =>
        Promise.reject(gatewayAnswer(status, true)),
      )
      const { withoutKey, withWrongKeys, withKeyElsewhere } = publish
      for (const ask of [
        withoutKey,
        ...withWrongKeys.map((one) => one.refused),
        ...withKeyElsewhere,
      ]) {
        expect(await errorOf(ask)).toBeInstanceOf(Inconclusive)
      }
    },
  )
})

describe('keys that are nearly right', () => {
  it('are a character shorter and longer, in the other letter case, or empty, and in no report', async () => {
    const sent: string[] = []
    const { publish, redactor } = publishWith('a-key-of-a-service', async (credentials) => {
      sent.push('value' in credentials ? credentials.value : '')
      return exchangeWith({ status: 401 })
    })
    for (const { refused } of publish.withWrongKeys.slice(1)) await refused()
    expect(sent).toEqual(['a-key-of-a-servic', 'a-key-of-a-service0', 'A-KEY-OF-A-SERVICE', ''])
    expect(sent.map((key) => redactor.redact(key))).toEqual([
      '$API_KEY_SHORTENED',
      '$API_KEY_LENGTHENED',
      '$API_KEY_IN_OTHER_CASE',
      '',
    ])
  })

  it.each([
    ['that could be guessed', 'secret', 3],
    ['without letters in another letter case', '0123-4567-89', 1],
  ])('are not made of a key %s', async (_, key, skipped) => {
    const { publish } = publishWith(key, async () => exchangeWith({ status: 401 }))
    const outcomes = await Promise.allSettled(
      publish.withWrongKeys.slice(1).map(({ refused }) => refused()),
    )
    const reasons = outcomes.flatMap((outcome) => ('reason' in outcome ? [outcome.reason] : []))
    expect(reasons).toHaveLength(skipped)
    for (const reason of reasons) expect(reason).toBeInstanceOf(Skip)
  })
})
