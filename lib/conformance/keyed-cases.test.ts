import { isDeepStrictEqual } from 'node:util'
import { describe, it } from 'vitest'
import * as credentials from '../probe/credentials.ts'
import type { Exchange } from '../probe/exchange.ts'
import { Redactor } from '../probe/redaction/redaction.ts'
import { Inconclusive, Skip } from './check-errors.ts'
import { exchangeWith } from './exchange.fixture.ts'
import { KeyedCases, type KeyedSendOptions } from './keyed-cases.ts'
import {
  carriers,
  type KeyedCase,
  type KeyedTable,
  keyedCases,
  nameOf,
  plannedKeyedCases,
  wrongKey,
  wrongKeys,
} from './keyed-table.ts'
import { expect } from './matchers.ts'

const HTML = { 'content-type': 'text/html' }
const { anonymous, headerKey } = credentials
const KEY = 'a-key-of-a-service'

function gatewayError(status: number, documentsStatuses = false): Inconclusive {
  const exchange = exchangeWith({ status, documentsStatuses }, '/keyed')
  return new Inconclusive({ kind: 'gateway', exchange: exchange.id, status }, { exchange })
}

type Respond = (options: KeyedSendOptions, one: KeyedCase) => Promise<Exchange>

const table = {
  variable: 'API_KEY',
  place: ['X-Key', ''],
  otherFields: ['X-Other'],
  endpoints: { publish: 'POST /events', status: 'GET /events' },
  payloads: ['an empty payload'],
  only: { 'the key in the body': ['publish'] },
  after: { status: 'publish' },
  withBody: ['publish'],
  rules: {
    'publish/accepted': ['publish', ['first', 'second'], 'a success'],
    'publish/body': ['publish', ['second'], 'a success with a body'],
    'publish/no-body': ['publish', ['second'], 'no body'],
    'publish/none': ['publish', ['none'], 'a rejection'],
    'publish/wrong': ['publish', ['wrong'], 'a rejection'],
    'publish/elsewhere': ['publish', ['elsewhere'], 'a rejection'],
    'status/none': ['status', ['none'], 'a rejection'],
  },
} as const satisfies KeyedTable<'publish' | 'status'>

const ruleIds = Object.keys(table.rules) as (keyof typeof table.rules)[]

function casesOf(
  respond: Respond,
  key = KEY,
  unlimited?: () => Promise<Exchange>,
  controlStatus = 202,
) {
  const redactor = new Redactor()
  redactor.add('API_KEY', key)
  const settings = { target: { probe: { retries: 0 } }, seed: 1 }
  const run = { settings, wait: async () => {}, redactor }
  const sent: (KeyedSendOptions & KeyedCase)[] = []
  const keep = ({ encodesPath = false, ...options }: KeyedSendOptions, one: KeyedCase) =>
    sent.push({ ...one, ...options, encodesPath })
  const keyed = new KeyedCases(run, table, () => key, {
    publish: {
      control: async () => exchangeWith({ status: controlStatus }),
      send: (options, one) => {
        keep(options, one)
        return respond(options, one)
      },
      ...(unlimited && { unlimited }),
    },
    status: {
      control: async () => exchangeWith({ status: 404 }),
      send: async (options, one) => {
        keep(options, one)
        return exchangeWith({ status: 401 })
      },
    },
  })
  return { keyed, sent, redactor }
}

const rejectAll: Respond = async () => exchangeWith({ status: 401 })

/** Accepts the right key in its place only. */
const conforming: Respond = async (_, { key }) =>
  exchangeWith({ status: key === 'the key' ? 202 : 401 })

const parameters = ['api_key', 'access_token', 'token', 'key']

/** The key at each other place, and the group of places. */
const places: Record<string, readonly [group: string, credentials.Credentials]> = {
  'the key with the scheme Bearer': ['scheme', headerKey('Authorization', 'Bearer k')],
  'the key with the scheme token': ['scheme', headerKey('Authorization', 'token k')],
  'the key with the scheme ApiKey': ['scheme', headerKey('Authorization', 'ApiKey k')],
  'the key with the scheme Bearer:': ['scheme', headerKey('Authorization', 'Bearer: k')],
  'the key with the scheme Bearerx': ['scheme', headerKey('Authorization', 'Bearerx k')],
  'the key without a scheme': ['scheme', headerKey('Authorization', 'k')],
  'the key in basic authentication': ['basic', credentials.basic('k', 'k')],
  'the key in the query': ['other', credentials.queryToken(parameters, 'k')],
  'the key in the body': ['other', credentials.bodyMembers(parameters, 'k')],
  'the key in other header fields': ['other', headerKey(['X-Other'], 'k')],
  'the key after Bearer in other header fields': ['other', headerKey(['X-Other'], 'Bearer k')],
}

describe('levels', () => {
  it('have the key in other places', () => {
    const carried = Object.entries(carriers).map(([name, [group, carry]]) => {
      return [name, [group, carry('k', ['X-Other'])]] as const
    })
    expect(Object.fromEntries(carried)).toEqual(places)
  })

  it('have wrong keys in its place', () => {
    const made = Object.entries(wrongKeys).map(([name, make]) => [name, make(() => 'k')])
    expect(Object.fromEntries(made)).toEqual({
      'a wrong key': wrongKey,
      'an empty key': '',
      'a wrong key of 300 characters': expect.stringMatching(/^\w{300}$/),
      'the key after a scheme': 'Bearer k',
      'the key and another word': 'k 0',
      'a wrong key and the key in a list': `${wrongKey}, k`,
    })
    expect(wrongKey).toMatch(/^\w{48}$/)
  })
})

describe('cases', () => {
  it('have each other place of the key with no key and with a wrong key', () => {
    const elsewhere = keyedCases(table).filter(({ kind }) => kind === 'elsewhere')
    const pairsOf = (...factors: ('endpoint' | 'carrier' | 'key')[]) =>
      new Set(elsewhere.map((one) => factors.map((factor) => one[factor]).join()))
    expect(pairsOf('endpoint', 'carrier').size).toBe(21)
    expect(pairsOf('carrier', 'key').size).toBeGreaterThanOrEqual(21)
    expect(pairsOf('endpoint', 'key').size).toBe(4)
    const later = elsewhere.filter(({ isAfter }) => isAfter).map(({ carrier }) => carrier)
    expect(new Set(later)).toEqual(new Set(elsewhere.map(({ carrier }) => carrier)))
    expect(elsewhere.length).toBeLessThan(26)
  })

  it('have no key after a success of another endpoint, and with a body of another type', () => {
    const none = keyedCases(table).filter(({ kind }) => kind === 'none')
    expect(none).toContainEqual(expect.objectContaining({ endpoint: 'status', after: 'publish' }))
    expect(none).toContainEqual(
      expect.objectContaining({ endpoint: 'publish', contentType: 'text/plain' }),
    )
    expect(none).toContainEqual(expect.objectContaining({ isProxied: true }))
    expect(none).toHaveLength(8)
  })

  it('have no second Authorization field', () => {
    const place = ['Authorization', 'Bearer '] as const
    const combined = keyedCases({ ...table, place }).filter(
      ({ carrier, key }) => carrier && key === 'a wrong key',
    )
    expect(combined.length).toBeGreaterThan(1)
    for (const { carrier } of combined) expect(carrier).toMatch(/query|body|other header fields/)
  })

  it('are printed with their requirements and controls', () => {
    const planned = plannedKeyedCases(table)
    expect(planned).toContainEqual({
      case: 'GET /events with no key',
      requirements: ['status/none'],
      expected: 'a rejection',
      control: 'GET /events with the key',
    })
    expect(new Set(planned.map((one) => one.case)).size).toBe(planned.length)
  })

  it('after a success use its connection, which begins with a rejection', async () => {
    const { keyed, sent } = casesOf(conforming)
    await keyed.judge('publish/none')
    await keyed.judge('publish/wrong')
    const sequence = sent.filter(({ connection }) => connection !== undefined)
    expect(sequence.map(({ key }) => key)).toEqual([
      'a wrong key',
      'the key',
      'no key',
      'a wrong key',
    ])
    expect(new Set(sequence.map(({ connection }) => connection)).size).toBe(1)
    expect(sequence.map(({ isAfter = false }) => isAfter)).toEqual([false, true, true, true])
  })
})

describe('a request', () => {
  /** Returns what was sent for each case, by its name. */
  async function sentByName() {
    const { keyed, sent } = casesOf(conforming)
    for (const id of ruleIds) await keyed.judge(id).catch(() => {})
    const entries = sent.map(({ endpoint, credentials, headers, ...rest }) => {
      const { connection, fresh, priority, encodesPath = false } = rest
      const name = nameOf({ endpoint, ...rest })
      return [
        `${endpoint}: ${name}`,
        { credentials, headers, connection, fresh, priority, encodesPath },
      ]
    })
    return new Map(entries as [string, KeyedSendOptions][])
  }

  const later = { connection: 'API_KEY publish', fresh: true, priority: 1 }
  const Accept = '*/*'

  it.each<[string, KeyedSendOptions]>([
    ['publish: no key', { headers: {} }],
    ['publish: no key after a success', { ...later, headers: { Accept } }],
    ['status: no key after a success of publish', { ...later, headers: { Accept } }],
    ['publish: no key with a body as text/plain', { headers: { 'Content-Type': 'text/plain' } }],
    ['publish: no key at an encoded path', { headers: {}, encodesPath: true }],
    ['publish: a wrong key', { headers: { 'X-Key': wrongKey }, connection: 'API_KEY publish' }],
    ['publish: a wrong key after a success', { ...later, headers: { 'X-Key': wrongKey, Accept } }],
    ['publish: the key after a success', { ...later, headers: { 'X-Key': KEY, Accept } }],
    ['publish: the key without its last character', { headers: { 'X-Key': KEY.slice(0, -1) } }],
  ])('has the factors of its case: %s', async (name, expected) => {
    const sent = await sentByName()
    expect(sent.get(name)).toEqual({ credentials: anonymous, encodesPath: false, ...expected })
  })

  it('after a success is not sent without a key if there was no success', async () => {
    const { keyed, sent } = casesOf(rejectAll)
    for (const id of ['publish/none', 'publish/wrong'] as const) await keyed.judge(id)
    const later = sent.filter(({ isAfter, kind }) => isAfter && kind !== 'second')
    expect(later.map(({ key }) => key)).toEqual(['a wrong key'])
  })

  it('has the key in each other place', async () => {
    const { keyed, sent } = casesOf(conforming)
    await keyed.judge('publish/elsewhere')
    const elsewhere = sent.filter(({ kind }) => kind === 'elsewhere')
    expect(new Set(elsewhere.map(({ carrier }) => carrier))).toEqual(new Set(Object.keys(carriers)))
    for (const { carrier = '', credentials } of elsewhere) {
      expect(credentials).toEqual(carriers[carrier]?.[1](KEY, ['X-Other']))
    }
  })
})

describe('exchange', () => {
  const rejected = (error: Inconclusive) => {
    const { keyed } = casesOf(() => Promise.reject(error))
    const negatives = keyed.cases.filter(
      ({ endpoint, kind, key, isAfter }) =>
        endpoint === 'publish' && !isAfter && (kind === 'none' || key === 'an empty key'),
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
    await keyed.judge('publish/wrong')
    const values = new Map(sent.map(({ key, headers }) => [key, headers?.['X-Key'] ?? '']))
    expect(Object.fromEntries(values)).toMatchObject({
      'a key with another first character': '0-key-of-a-service',
      'a key with another last character': 'a-key-of-a-servic0',
      'the key without its last character': 'a-key-of-a-servic',
      'the key and one character more': 'a-key-of-a-service0',
      'the key in the other letter case': 'A-KEY-OF-A-SERVICE',
      'the key after a scheme': 'Bearer a-key-of-a-service',
      'an empty key': '',
      'a wrong key and the key in a list': expect.stringMatching(/^\w{48}, a-key-of-a-service$/),
    })
    expect([...values.values()].map((key) => redactor.redact(key))).toEqual(
      expect.arrayContaining([
        '$API_KEY_OTHER_START',
        '$API_KEY_OTHER_END',
        '$API_KEY_SHORTER',
        '$API_KEY_LONGER',
        '$API_KEY_OTHER_CASE',
        '$WRONG_KEY',
      ]),
    )
  })

  it.each([
    ['of few characters', 'secret', 5],
    ['of just enough characters', 'secret-k', 0],
    ['without letters', '0123-4567-89', 1],
  ])('skips the variations of a key %s', async (_, key, skipped) => {
    const { keyed } = casesOf(conforming, key)
    const wrong = keyed.cases.filter((one) => one.endpoint === 'publish' && one.kind === 'wrong')
    const outcomes = await Promise.allSettled(
      wrong
        .filter(({ encodesPath }) => !encodesPath)
        .map(({ key, isAfter }) => keyed.exchange('publish', key, isAfter)),
    )
    const reasons = outcomes.flatMap((outcome) => ('reason' in outcome ? [outcome.reason] : []))
    expect(reasons).toHaveLength(skipped)
    for (const error of reasons) {
      expect(error).toBeInstanceOf(Skip)
      expect(error.reason.text).toMatch(/\w/)
    }
  })
})

describe('judge', () => {
  it.each(['none', 'wrong', 'elsewhere'] as const)(
    'fails if a single case of %s is accepted',
    async (kind) => {
      const { cases } = casesOf(conforming).keyed
      const negatives = cases.filter((one) => one.endpoint === 'publish' && one.kind === kind)
      for (const negative of negatives) {
        const { keyed } = casesOf(async (options, one) =>
          isDeepStrictEqual({ ...one, name: '' }, { ...negative, name: '' })
            ? exchangeWith({ status: 202 })
            : conforming(options, one),
        )
        const judged = keyed.judge(`publish/${kind}`)
        await expect(judged, JSON.stringify(negative)).rejects.toMatchObject({
          expected: 'a rejection',
        })
      }
      await casesOf(conforming).keyed.judge(`publish/${kind}`)
    },
  )

  it('leaves out the key beside a wrong one that is accepted after a success', async () => {
    const { keyed } = casesOf((options, one) =>
      one.key === 'a wrong key' && one.isAfter
        ? Promise.resolve(exchangeWith({ status: 202 }))
        : conforming(options, one),
    )
    await keyed.judge('publish/elsewhere')
  })

  it('judges the key beside a wrong one that nobody knows the response to', async () => {
    const { keyed } = casesOf((options, one) => {
      if (one.key !== 'a wrong key') return conforming(options, one)
      return one.carrier
        ? Promise.resolve(exchangeWith({ status: 202 }))
        : Promise.reject(gatewayError(429))
    })
    const judged = keyed.judge('publish/elsewhere')
    await expect(judged).rejects.toMatchObject({ expected: 'a rejection' })
  })

  it.each<[string, Parameters<typeof exchangeWith>[0], boolean]>([
    ['an error of the server', { status: 500 }, true],
    ['a web page at an encoded path', { text: '<html>', headers: HTML }, false],
  ])('accepts %s as a rejection', async (_, response, isEach) => {
    const { keyed } = casesOf(async (options, one) =>
      one.key !== 'the key' && (isEach || one.encodesPath)
        ? exchangeWith(response)
        : conforming(options, one),
    )
    for (const id of ['publish/none', 'publish/wrong'] as const) await keyed.judge(id)
  })

  it('skips rejections without a control', async () => {
    const judged = casesOf(rejectAll).keyed.judge('status/none')
    await expect(judged).rejects.toMatchObject({ reason: { kind: 'no control' } })
  })

  it.each([
    [202, undefined, undefined],
    [409, undefined, undefined],
    [409, 409, undefined],
    [409, 202, 'a 2xx status'],
    [429, 202, undefined],
    [404, undefined, 'a 2xx status'],
  ])('judges the second response %s next to the unlimited %s', async (status, other, expected) => {
    const unlimited = other ? async () => exchangeWith({ status: other }) : undefined
    const { keyed } = casesOf(
      async (options, one) =>
        one.key === 'the key' ? exchangeWith({ status }) : conforming(options, one),
      KEY,
      unlimited,
    )
    const judged = keyed.judge('publish/accepted')
    const outcome = await judged.catch((error) => error.expected ?? error)
    expect(outcome).toEqual(expected)
  })

  it('leaves out a limited second request if another one cannot be sent', async () => {
    const limitSecond: Respond = async () => exchangeWith({ status: 409 })
    const { keyed } = casesOf(limitSecond, KEY, () => Promise.reject(gatewayError(503)))
    await keyed.judge('publish/accepted')
  })

  it('fails for a first request that is limited', async () => {
    const { keyed } = casesOf(conforming, KEY, undefined, 409)
    await expect(keyed.judge('publish/accepted')).rejects.toHaveProperty('expected')
  })

  it('leaves out a second request that a gateway limits', async () => {
    const { keyed } = casesOf(() => Promise.reject(gatewayError(429)))
    await keyed.judge('publish/accepted')
  })

  it.each([
    ['publish/body', ''],
    ['publish/no-body', '{}'],
  ] as const)('fails for a second response that deviates from %s', async (id, text) => {
    const { keyed } = casesOf(async (options, one) =>
      one.key === 'the key' ? exchangeWith({ status: 200, text }) : conforming(options, one),
    )
    const judged = keyed.judge(id)
    await expect(judged).rejects.toHaveProperty('expected')
  })
})
