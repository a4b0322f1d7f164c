import { describe, expect, it } from 'vitest'
import { Skip } from '../lib/conformance/check-errors.ts'
import { isFailedExpectation } from '../lib/conformance/deviations.ts'
import { exchangeWith } from '../lib/conformance/exchange.fixture.ts'
import type { Run } from '../lib/conformance/probe-run.ts'
import { plannedCasesOf } from '../lib/conformance/suite.ts'
import { Redactor } from '../lib/probe/redaction/redaction.ts'
import * as services from './index.ts'
import {
  accepted,
  afterRejection,
  cross,
  idOf,
  type KeyedCase,
  type KeyedOptions,
  KeyedRequests,
  withKeyElsewhere,
  withoutKey,
  withWrongKey,
} from './keyed.ts'

const KEY = 'a-key-of-a-service'

/** Returns requests whose responses have these statuses by id; others are rejected unless they have the key. */
function requests(statuses: Record<string, number> = {}, key = KEY, unlimited?: number) {
  const redactor = new Redactor()
  const sent: Record<string, KeyedOptions> = {}
  const order: string[] = []
  const respond = (one: KeyedCase) => {
    order.push(idOf(one))
    const status = statuses[idOf(one)] ?? (one.key === 'right' && !one.place ? 202 : 401)
    return exchangeWith({ status, documentsStatuses: false })
  }
  const run = { redactor, settings: { target: { probe: { retries: 0 } } }, wait: async () => {} }
  const endpoint = (name: 'publish' | 'status') => ({
    right: async (item?: KeyedCase['item']) => respond({ endpoint: name, key: 'right', item }),
    send: async (options: KeyedOptions, one: KeyedCase) => {
      sent[idOf(one)] = options
      return respond(one)
    },
    ...(unlimited && { unlimited: async () => exchangeWith({ status: unlimited }) }),
  })
  const sender = new KeyedRequests({
    ...{ run: run as unknown as Run, variable: 'API_KEY', place: ['X-Key', ''] as const },
    ...{ otherFields: ['X-Other'], getKey: () => key, view: () => undefined },
    endpoints: { publish: endpoint('publish'), status: endpoint('status') },
  })
  return { sender, sent, order, redactor }
}

const after = [afterRejection('publish')]
const none = cross('publish', { key: ['none'] })

describe('KeyedRequests', () => {
  it.each<[string, Record<string, number>, KeyedCase, string[], string]>([
    [
      '',
      {},
      { ...none[0], after: after[0] } as KeyedCase,
      [
        'publish',
        'publish/key=invented',
        'publish/after=rejection',
        'publish/key=none/after=publish',
      ],
      'sent',
    ],
    ['if the key is rejected', { publish: 403 }, after[0] as KeyedCase, ['publish'], 'no control'],
    [
      'if a wrong key is accepted',
      { 'publish/key=invented': 202 },
      after[0] as KeyedCase,
      ['publish', 'publish/key=invented'],
      'missing',
    ],
    [
      'without a success',
      { 'publish/after=rejection': 403 },
      { ...none[0], after: after[0] } as KeyedCase,
      ['publish', 'publish/key=invented', 'publish/after=rejection'],
      'no control',
    ],
  ])('sends what precedes a request first %s', async (_, statuses, later, expected, end) => {
    const { sender, order } = requests(statuses)
    const outcome = await sender.send(later).then(
      () => 'sent',
      ({ reason }) => reason.kind,
    )
    expect([order, outcome]).toEqual([expected, end])
  })

  it('redacts near misses, and skips those that reveal or change nothing', async () => {
    const { cases } = withWrongKey('publish')
    const skippedFor = async (key: string) => {
      const { sender, sent, redactor } = requests({}, key)
      const outcomes = await Promise.allSettled(cases.map(sender.send))
      const skipped = outcomes.filter(({ status }) => status === 'rejected').length
      return {
        skipped,
        redacted: Object.values(sent).map(({ headers }) =>
          redactor.redact(headers?.['X-Key'] ?? ''),
        ),
      }
    }
    const names = ['OTHER_START', 'OTHER_END', 'SHORTER', 'LONGER', 'OTHER_CASE']
    const { skipped, redacted } = await skippedFor(KEY)
    expect(skipped).toBe(0)
    expect(redacted).toEqual(
      expect.arrayContaining(['$WRONG_KEY', ...names.map((name) => `$API_KEY_${name}`)]),
    )
    expect((await skippedFor('secret')).skipped).toBe(5)
    expect((await skippedFor('0123-4567-89')).skipped).toBe(1)
  })

  it.each<[string, number, boolean, number | undefined, string]>([
    ['the first request', 409, false, undefined, 'judged'],
    ['409', 409, true, undefined, 'missing'],
    ['409 if others are accepted', 409, true, 202, 'judged'],
    ['409 if others are rejected', 409, true, 409, 'missing'],
    ['429 if others are accepted', 429, true, 202, 'missing'],
    ['another rejection', 500, true, undefined, 'judged'],
  ])('judges a further request: %s', async (_, status, isFurther, other, expected) => {
    const { sender } = requests({}, KEY, other)
    const [first, second] = accepted('publish') as [KeyedCase, KeyedCase]
    const judging = sender.expectAccepted(exchangeWith({ status }), isFurther ? second : first)
    const error = await judging.catch((error: unknown) => error)
    expect(error instanceof Skip ? error.reason.kind : 'judged').toBe(expected)
    expect(isFailedExpectation(error)).toBe(expected === 'judged')
  })
})

it('a rejection of the key elsewhere is compared with that of a wrong key', () => {
  const { unlike, cases } = withKeyElsewhere('publish', 'several', 'body')
  expect(cases.map((one) => unlike(one).map((parts) => idOf({ ...one, ...parts })))).toEqual([
    [],
    ['publish/key=invented/after=publish'],
  ])
  expect(withoutKey('publish', ['proxy'], ['status']).cases.map(idOf)).toEqual([
    ...['publish/key=none', 'publish/key=none/form=proxy'],
    ...['publish/key=none/after=publish', 'publish/key=none/after=status'],
  ])
})

describe.each([
  ['event-publishing', services.eventPublishing, 77],
  ['incident-status', services.incidentStatus, 28],
] as const)('the table of %s', (_, { suite }, most) => {
  const planned = plannedCasesOf(suite, { eventPublishing: {}, incidentStatus: {} } as never)

  it('has at most the requests that it needs, each with its requirements and texts', () => {
    expect(planned.length).toBeGreaterThan(20)
    expect(planned.length).toBeLessThanOrEqual(most)
    for (const key of ['case', 'text'] as const)
      expect(new Set(planned.map((one) => one[key])).size).toBe(planned.length)
    expect(planned.filter(({ requirements }) => requirements.length === 0)).toEqual([])
  })

  it('has a control for each rejection', () => {
    const rejections = planned.filter(({ expected }) => expected !== undefined)
    expect(rejections.filter(({ control }) => control === undefined)).toEqual([])
  })
})
