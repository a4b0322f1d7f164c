import { describe, it } from 'vitest'
import { type Credentials, headerKey } from '../probe/credentials.ts'
import type { Exchange } from '../probe/exchange.ts'
import { Redactor } from '../probe/redaction.ts'
import { Inconclusive, Skip } from './check-errors.ts'
import { exchangeWith } from './exchange.fixture.ts'
import { createKeyedCases, type KeyedCase, type KeyedSendOptions } from './keyed-cases.ts'
import { expect } from './matchers.ts'

const KEY = 'a-key-of-a-service'

function gatewayError(status: number, documentsStatuses = false): Inconclusive {
  const exchange = exchangeWith({ status, documentsStatuses }, '/keyed')
  return new Inconclusive({ kind: 'gateway', exchange: exchange.id, status }, { exchange })
}

type Respond = (credentials: Credentials | undefined, one: KeyedCase) => Promise<Exchange>

function casesOf(respond: Respond, key = KEY, unlimited?: () => Promise<Exchange>) {
  const redactor = new Redactor()
  redactor.add('API_KEY', key)
  const run = { settings: { target: { probe: { retries: 0 } } }, wait: async () => {}, redactor }
  const sent: (KeyedSendOptions & Pick<KeyedCase, 'key' | 'before'>)[] = []
  const keyed = createKeyedCases(run, {
    variable: 'API_KEY',
    key: () => key,
    place: (value) => headerKey('X-Key', value),
    otherFields: ['X-Other'],
    only: { 'the key in the body': ['publish'] },
    endpoints: {
      publish: {
        control: async () => exchangeWith({ status: 202 }),
        send: (options, { key, before, ...rest }) => {
          sent.push({ ...options, key, before })
          return respond(options.credentials, { key, before, ...rest })
        },
        ...(unlimited && { unlimited }),
      },
      status: {
        control: async () => exchangeWith({ status: 404 }),
        send: async () => exchangeWith({ status: 401 }),
        further: { 'a later status': async () => exchangeWith({ status: 200 }) },
      },
    },
  })
  return { keyed, sent, redactor }
}

const rejectAll: Respond = async () => exchangeWith({ status: 401 })

/** Accepts the right key in its place only. */
const conforming: Respond = async (_, { kind }) =>
  exchangeWith({ status: kind === 'right' ? 202 : 401 })

describe('cases', () => {
  it('have every level of the key at every endpoint that has it', () => {
    const { cases } = casesOf(rejectAll).keyed
    const keysAt = (endpoint: string) =>
      new Set(cases.filter((one) => one.endpoint === endpoint).map(({ key }) => key))
    expect([...keysAt('publish')].filter((key) => !keysAt('status').has(key))).toEqual([
      'the key in the body',
    ])
    expect(keysAt('status').size).toBeGreaterThan(16)
    expect(new Set(cases.map(({ kind }) => kind))).toEqual(
      new Set(['right', 'none', 'wrong', 'elsewhere']),
    )
    const before = cases.filter(({ kind }) => kind === 'right').map(({ before }) => before)
    expect(before).toEqual(['nothing', 'success', 'nothing', 'success', 'a later status'])
  })

  it('after a success use its connection, which no other case uses', async () => {
    const { keyed, sent } = casesOf(conforming)
    await keyed.judge('publish', 'none', 'rejected')
    await keyed.judge('publish', 'wrong', 'rejected')
    const [first, ...others] = sent.filter(({ before }) => before === 'success')
    expect(first).toMatchObject({ key: 'the key', connection: expect.any(String) })
    expect(others.map(({ key }) => key)).toEqual(['no key', 'a key with another first character'])
    for (const one of others) expect(one).toMatchObject({ connection: first?.connection })
    for (const one of sent.filter(({ before }) => before !== 'success')) {
      expect(one.connection).toBeUndefined()
    }
  })
})

describe('exchange', () => {
  const rejected = (error: Inconclusive) => {
    const { keyed } = casesOf(() => Promise.reject(error))
    const negatives = keyed.cases.filter(
      ({ endpoint, kind, before }) =>
        endpoint === 'publish' && kind !== 'right' && before === 'nothing',
    )
    return Promise.all(
      negatives.map(({ endpoint, key }) =>
        keyed
          .exchange(endpoint, key)
          .then(({ status }) => status)
          .catch(({ reason }) => reason.kind),
      ),
    ).then((outcomes) => new Set<unknown>(outcomes))
  }

  it.each([408, 413, 429, 503, 530, 600])('is inconclusive for %d of a gateway', async (status) => {
    expect(await rejected(gatewayError(status, true))).toEqual(new Set(['gateway']))
  })

  it('returns a gateway status as a rejection if the document states no statuses', async () => {
    expect(await rejected(gatewayError(503))).toEqual(new Set([503]))
    expect(await rejected(gatewayError(429))).toEqual(new Set(['gateway']))
    const broken = new Inconclusive({ kind: 'unclear', text: 'the connection broke' })
    expect(await rejected(broken)).toEqual(new Set(['unclear']))
  })

  it('sends redacted keys that are nearly right', async () => {
    const { keyed, sent, redactor } = casesOf(conforming)
    await keyed.judge('publish', 'wrong', 'rejected')
    const values = new Map(
      sent.map(({ key, credentials }) => [
        key,
        credentials && 'value' in credentials ? credentials.value : '',
      ]),
    )
    expect(Object.fromEntries(values)).toMatchObject({
      'a key with another first character': '0-key-of-a-service',
      'a key with another last character': 'a-key-of-a-servic0',
      'the key without its last character': 'a-key-of-a-servic',
      'the key and one character more': 'a-key-of-a-service0',
      'the key in the other letter case': 'A-KEY-OF-A-SERVICE',
      'the key after a scheme': 'Bearer a-key-of-a-service',
      'an empty key': '',
    })
    expect([...values.values()].map((key) => redactor.redact(key))).toEqual(
      expect.arrayContaining([
        '$API_KEY_OTHER_START',
        '$API_KEY_OTHER_END',
        '$API_KEY_SHORTER',
        '$API_KEY_LONGER',
        '$API_KEY_OTHER_CASE',
      ]),
    )
  })

  it.each([
    ['of few characters', 'secret', 5],
    ['without letters', '0123-4567-89', 1],
  ])('skips the variations of a key %s', async (_, key, skipped) => {
    const { keyed } = casesOf(conforming, key)
    const wrong = keyed.cases.filter((one) => one.endpoint === 'publish' && one.kind === 'wrong')
    const outcomes = await Promise.allSettled(
      wrong.map(({ key, before }) => keyed.exchange('publish', key, before)),
    )
    const reasons = outcomes.flatMap((outcome) => ('reason' in outcome ? [outcome.reason] : []))
    expect(reasons).toHaveLength(skipped)
    for (const reason of reasons) expect(reason).toBeInstanceOf(Skip)
  })
})

describe('judge', () => {
  it.each(['none', 'wrong', 'elsewhere'] as const)(
    'fails if a single case of %s is accepted',
    async (kind) => {
      const { cases } = casesOf(conforming).keyed
      const negatives = cases.filter((one) => one.endpoint === 'publish' && one.kind === kind)
      for (const { key, before } of negatives) {
        const { keyed } = casesOf(async (credentials, one) =>
          one.key === key && one.before === before
            ? exchangeWith({ status: 202 })
            : conforming(credentials, one),
        )
        const judged = keyed.judge('publish', kind, 'rejected')
        await expect(judged, `${key}, ${before}`).rejects.toMatchObject({ expected: 'a rejection' })
      }
      await casesOf(conforming).keyed.judge('publish', kind, 'rejected')
    },
  )

  it('skips rejections without a control', async () => {
    const judged = casesOf(rejectAll).keyed.judge('status', 'none', 'rejected')
    await expect(judged).rejects.toMatchObject({ reason: { kind: 'no control' } })
  })

  it.each([
    [202, undefined, undefined],
    [409, undefined, undefined],
    [409, 409, undefined],
    [409, 202, 'a 2xx status'],
    [404, undefined, 'a 2xx status'],
  ])('judges the second response %s beside the unlimited %s', async (status, other, expected) => {
    const unlimited = other ? async () => exchangeWith({ status: other }) : undefined
    const { keyed } = casesOf(async () => exchangeWith({ status }), KEY, unlimited)
    const judged = keyed.judge('publish', 'right', 'accepted')
    const outcome = await judged.catch((error) => error.expected ?? error)
    expect(outcome).toEqual(expected)
  })

  it('leaves out a second request that a gateway limits', async () => {
    const { keyed } = casesOf(() => Promise.reject(gatewayError(429)))
    await keyed.judge('publish', 'right', 'accepted')
  })

  it.each([
    ['accepted with a body', ''],
    ['without a body', '{}'],
  ] as const)('fails for a second response that is not %s', async (expected, text) => {
    const { keyed } = casesOf(async () => exchangeWith({ status: 200, text }))
    const judged = keyed.judge('publish', 'right', expected)
    await expect(judged).rejects.toHaveProperty('expected')
  })
})
