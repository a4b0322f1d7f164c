import { describe, it } from 'vitest'
import { bearer, type Credentials, headerKey } from '../probe/credentials.ts'
import type { Exchange } from '../probe/exchange.ts'
import { Redactor } from '../probe/redaction.ts'
import { keyedRequests } from './api-key.ts'
import { Inconclusive, Skip } from './check-errors.ts'
import { exchangeWith } from './exchange.fixture.ts'
import { expect } from './matchers.ts'

function gatewayError(status: number, documentsStatuses = false): Inconclusive {
  const exchange = exchangeWith({ status, documentsStatuses }, '/keyed')
  return new Inconclusive({ kind: 'gateway', exchange: exchange.id, status }, { exchange })
}

function publishWith(key: string, respond: (credentials: Credentials) => Promise<Exchange>) {
  const redactor = new Redactor()
  redactor.add('API_KEY', key)
  const run = { settings: { target: { probe: { retries: 0 } } }, wait: async () => {}, redactor }
  const place = (value: string) => headerKey('X-Key', value)
  const options = { variable: 'API_KEY', key: () => key, place, elsewhere: [bearer] }
  const control = async () => exchangeWith({ status: 202 })
  return { redactor, publish: keyedRequests(run, options)('publish', control, respond) }
}

describe('keyedRequests', () => {
  const KEY = 'a-key-of-a-service'

  /** Returns the outcomes of all rejections: the status, or the reason of an inconclusive check. */
  function outcomesFor(error: Inconclusive) {
    const { publish } = publishWith(KEY, () => Promise.reject(error))
    const { withoutKey, withWrongKeys, withKeyElsewhere } = publish
    const all = [withoutKey, ...withWrongKeys.map((one) => one.rejected), ...withKeyElsewhere]
    return Promise.all(
      all.map((send) =>
        send()
          .then(({ status }) => status)
          .catch(({ reason }) => reason.kind),
      ),
    )
  }

  it.each([408, 413, 429, 503, 530, 600])('is inconclusive for %d of a gateway', async (status) => {
    expect(new Set(await outcomesFor(gatewayError(status, true)))).toEqual(new Set(['gateway']))
  })

  it('returns a gateway status as a rejection if the document states no statuses', async () => {
    expect(new Set(await outcomesFor(gatewayError(503)))).toEqual(new Set([503]))
    expect(new Set(await outcomesFor(gatewayError(429)))).toEqual(new Set(['gateway']))
    const broken = new Inconclusive({ kind: 'unclear', text: 'the connection broke' })
    expect(new Set(await outcomesFor(broken))).toEqual(new Set(['unclear']))
  })
})

describe('withWrongKeys', () => {
  it('sends redacted keys that are shorter, longer, in the other letter case, and empty', async () => {
    const sent: string[] = []
    const { publish, redactor } = publishWith('a-key-of-a-service', async (credentials) => {
      sent.push('value' in credentials ? credentials.value : '')
      return exchangeWith({ status: 401 })
    })
    for (const { rejected: refused } of publish.withWrongKeys.slice(1)) await refused()
    expect(sent).toEqual(['a-key-of-a-servic', 'a-key-of-a-service0', 'A-KEY-OF-A-SERVICE', ''])
    expect(sent.map((key) => redactor.redact(key))).toEqual([
      '$API_KEY_SHORTENED',
      '$API_KEY_LENGTHENED',
      '$API_KEY_IN_OTHER_CASE',
      '',
    ])
  })

  it.each([
    ['of few characters', 'secret', 3],
    ['without letters', '0123-4567-89', 1],
  ])('skips the variations of a key %s', async (_, key, skipped) => {
    const { publish } = publishWith(key, async () => exchangeWith({ status: 401 }))
    const outcomes = await Promise.allSettled(
      publish.withWrongKeys.slice(1).map(({ rejected: refused }) => refused()),
    )
    const reasons = outcomes.flatMap((outcome) => ('reason' in outcome ? [outcome.reason] : []))
    expect(reasons).toHaveLength(skipped)
    for (const reason of reasons) expect(reason).toBeInstanceOf(Skip)
  })
})
