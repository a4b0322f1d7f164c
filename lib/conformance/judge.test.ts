import { describe, expect, it } from 'vitest'
import type { Exchange } from '../probe/exchange.ts'
import type { CheckResult } from '../results/run-evidence.ts'
import { inconclusive, skip } from './check-errors.ts'
import { currentScope } from './check-scope.ts'
import { exchangeWith } from './exchange.fixture.ts'
import { createJudge, judgeResponses } from './judge.ts'
import { expect as expectExchange } from './matchers.ts'
import type { SuiteRequirement } from './requirements.ts'
import { runCheck } from './run-check.ts'

interface Case {
  key: string
  after?: Case | undefined
}

type Part = Partial<SuiteRequirement<Case, object, object>>
/** Statuses by the ids of cases, or what happens instead of a response. */
type Responses = Record<string, number | (() => never)>

const idOf = ({ key, after }: Case): string => (after ? `${key} after ${after.key}` : key)

/** Judges a requirement with the cases of these keys, which are sent with the responses. */
async function judged(
  part: Part,
  responses: Responses,
  keys: readonly string[] = ['wrong'],
  documentsStatuses?: boolean,
) {
  const sent: string[] = []
  const sender = {
    async send(one: Case) {
      const id = idOf(one)
      if (!sent.includes(id)) sent.push(id)
      const status = responses[id] ?? 404
      return typeof status === 'number' ? exchangeWith({ status }, `/${key(id)}`) : status()
    },
    isServed: (_: Case, { status }: Exchange) => status === 200,
  }
  const judge = createJudge<Case, object, object>(idOf, sender, {}, documentsStatuses)
  const requirement = { statement: '', section: '', ...part }
  const cases = keys.map((name): Case => {
    const [own = '', after] = name.split(' after ')
    return { key: own, after: after === undefined ? undefined : { key: after } }
  })
  return { ...(await runCheck('a/b/c', () => judge(requirement, cases))), sent }
}
const key = (id: string) => id.replaceAll(' ', '-')

const rejected: Part = { rejects: [401], given: [{ key: 'right' }] }
const accepted: Part = { shows: (response) => expectExchange(response).toHaveStatus(200) }
const noKey = () => skip('no key')
const broken = () => inconclusive('the connection broke')

describe('createJudge', () => {
  type Row = [CheckResult['verdict'], string, string | undefined, Part, Responses, boolean?]

  it.each<Row>([
    ['pass', 'a rejection beside its control', undefined, rejected, { wrong: 401, right: 200 }],
    ['fail', 'another rejection', undefined, rejected, { wrong: 403, right: 200 }],
    ['fail', 'an accepted request', undefined, rejected, { wrong: 200, right: 200 }],
    ['fail', 'one whose control fails', undefined, rejected, { wrong: 204, right: 403 }],
    ['fail', 'one whose control is not sent', undefined, rejected, { wrong: 204, right: noKey }],
    ['skipped', 'a control that fails', 'no control', rejected, { wrong: 401, right: 403 }],
    ['skipped', 'a control that is not sent', 'missing', rejected, { wrong: 401, right: noKey }],
    ['inconclusive', 'an error of its control', 'response', rejected, { wrong: 401, right: 500 }],
    ['inconclusive', 'no response to it', 'unclear', rejected, { wrong: 401, right: broken }],
    ['skipped', 'a request that is not sent', 'missing', rejected, { wrong: noKey, right: 200 }],
    ['pass', 'any rejection', undefined, { rejects: 'any' }, { wrong: 418 }],
    ['inconclusive', 'a server error', 'response', { rejects: 'any' }, { wrong: 500 }],
    [
      'pass',
      'one without documented statuses',
      undefined,
      { rejects: 'any' },
      { wrong: 500 },
      false,
    ],
    ['fail', 'an accepted one of any rejection', undefined, { rejects: 'any' }, { wrong: 202 }],
    ['pass', 'what it shows', undefined, accepted, { wrong: 200 }],
    ['fail', 'a failed expectation', undefined, accepted, { wrong: 500 }],
    ['skipped', 'too few cases', 'missing', { ...accepted, suffices: noKey }, { wrong: 200 }],
  ])('returns %s for %s', async (verdict, _, kind, part, responses, documentsStatuses) => {
    const result = await judged(part, responses, ['wrong'], documentsStatuses)
    expect([result.verdict, result.noVerdict?.kind]).toEqual([verdict, kind])
  })

  it('skips without a case, and because of a control', async () => {
    expect(await judged(accepted, {}, [])).toMatchObject({ noVerdict: { kind: 'not observed' } })
    const missing = await judged(rejected, { wrong: 401, right: noKey })
    expect(missing.noVerdict).toMatchObject({ kind: 'missing', control: true })
  })

  it('has a case whose control fails as missing, and judges the others', async () => {
    const given = ({ key: name }: Case) => [{ key: `right for ${name}` }]
    const responses = { a: 401, b: 401, 'right for a': 200, 'right for b': 403 }
    const { verdict, cases } = await judged({ rejects: [401], given }, responses, ['a', 'b'])
    expect(verdict).toBe('pass')
    expect(cases).toMatchObject({ a: 'conforms', b: { kind: 'no control' } })
  })

  it('sends the control of a case by itself, without the request before the case', async () => {
    const id = 'wrong after right'
    const { verdict, sent } = await judged(rejected, { [id]: 401, right: 200 }, [id])
    expect([verdict, sent]).toEqual(['pass', [id, 'right']])
  })

  it('judges a case that is its own control without it', async () => {
    const part = { ...accepted, given: [{ key: 'right' }] }
    expect(await judged(part, { right: 201 }, ['right'])).toMatchObject({ verdict: 'fail' })
  })

  it.each<[string, number, string, object]>([
    ['has the status of another sentence', 200, 'skipped', { kind: 'explained' }],
    ['has a status of its own', 201, 'fail', {}],
  ])('returns its verdict if a deviation %s', async (_, other, verdict, noVerdict) => {
    const after = { key: 'right' }
    const unlike = [{ key: 'simple', after }]
    const responses = { wrong: 200, 'simple after right': other, simple: 200 }
    const result = await judged({ rejects: 'any', unlike }, responses)
    expect(result.verdict).toBe(verdict)
    expect(result.noVerdict ?? {}).toMatchObject(noVerdict)
    expect(result.sent).toEqual(['wrong', 'simple after right'])
  })
})

describe('judgeResponses', () => {
  const every = {
    is: ({ status }: Exchange) => status !== 500,
    absence: 'no such response',
    shows: (response: Exchange) => expectExchange(response).toHaveStatus(200),
  }
  const order = new Map([
    ['simple', 0],
    ['later', 1],
  ])
  const of = (status: number, path: string, ...cases: string[]) =>
    exchangeWith({ status }, path, { endpoint: 'GET /user', cases: new Set(cases) })
  const judge = (exchanges: readonly Exchange[], part: Partial<typeof every> = {}) =>
    runCheck('a/b/c', async () => {
      const run = { exchanges, normalize: (text: string) => text }
      const scope = currentScope()
      if (scope) scope.hasTable = true
      return judgeResponses({ ...every, ...part }, run, {}, order)
    })

  it('passes if every response does, and shows three', async () => {
    const exchanges = [of(500, '/'), ...['a', 'b', 'c', 'd'].map((path) => of(200, `/${path}`))]
    const result = await judge(exchanges)
    expect(result).toMatchObject({ verdict: 'pass', cases: { 'GET /user': 'conforms' } })
    expect(result.exchanges).toEqual(exchanges.slice(1, 4).map(({ id }) => id))
  })

  it('fails with each deviation once, the first case first, in any order of responses', async () => {
    const exchanges = [
      of(404, '/c', 'later'),
      of(403, '/a'),
      of(404, '/b', 'simple'),
      of(200, '/d'),
    ]
    for (const all of [exchanges, exchanges.toReversed()]) {
      const { verdict, deviations } = await judge(all)
      expect(verdict).toBe('fail')
      expect(deviations?.map(({ exchange, cases }) => [exchange, cases])).toEqual([
        [exchanges[2]?.id, ['simple', 'later']],
        [exchanges[1]?.id, ['GET /user']],
      ])
    }
  })

  it('skips without such a response', async () => {
    expect(await judge([of(500, '/')])).toMatchObject({
      ...{ verdict: 'skipped', noVerdict: { kind: 'not observed' } },
    })
  })

  it('has a case as missing if its body is too large to read', async () => {
    const unread = exchangeWith({ minLength: 26 }, '/', { endpoint: 'GET /user' })
    const part = { is: ({ text }: Exchange) => text === '' }
    expect(await judge([unread], part)).toMatchObject({ verdict: 'inconclusive' })
    expect(await judge([unread, of(200, '/a', 'simple')], part)).toMatchObject({
      verdict: 'pass',
      cases: { simple: 'conforms', 'GET /user': { kind: 'unreadable' } },
    })
    expect(await judge([unread, of(404, '/a')], part)).toMatchObject({ verdict: 'fail' })
  })
})
