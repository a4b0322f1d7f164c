import { Ajv } from 'ajv'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Exchange, ProbeRequest } from '../probe/exchange.ts'
import { Redactor } from '../probe/redaction/redaction.ts'
import { createNormalizer } from '../results/normalize.ts'
import type { Requirement } from '../results/requirement.ts'
import type { CheckReport } from '../results/run-evidence.ts'
import type { Catalogue } from './catalogue.ts'
import { skip, skipUnobserved } from './check-errors.ts'
import { currentScope } from './check-scope.ts'
import { defineChecks } from './define-checks.ts'
import { exchangeWith } from './exchange.fixture.ts'
import { expect as expectExchange } from './matchers.ts'
import type { PlannedCase } from './planned-case.ts'

interface Task {
  meta: { plumbline?: CheckReport }
}
type Body = (context: { task: Task; skip: (reason?: string) => never }) => Promise<void>

const registered = vi.hoisted(() => ({
  tests: [] as { name: string; body: unknown }[],
  run: {} as Record<string, unknown>,
}))

vi.mock('vitest', async (original) => ({
  ...(await original<typeof import('vitest')>()),
  test: {
    concurrent: (name: string, ...rest: unknown[]) =>
      registered.tests.push({ name, body: rest.at(-1) }),
  },
}))
vi.mock('./lifecycle.ts', () => ({ everythingChecked: async () => {} }))
vi.mock('./current-run.ts', () => ({
  currentRun: () => registered.run,
  ofRun: (create: (run: object) => unknown) => {
    const values = new WeakMap<object, unknown>()
    return () => {
      const { run } = registered
      if (!values.has(run)) values.set(run, create(run))
      return values.get(run)
    }
  },
}))

const requirement = (id: string, parts: Partial<Requirement> = {}) => ({
  ...({ id, statement: '', section: '', level: 'contract', since: '0.1.0' } as const),
  checkedBy: ['probe'] as const,
  ...parts,
})

const catalogue: Catalogue = {
  service: 'code-hosting',
  document: '',
  requirements: [
    ...['a/b/c', 'a/b/d', 'a/b/e', 'a/b/f'].map((id) => requirement(id)),
    requirement('a/b/g', { checkedBy: ['invariant'], needs: ['key'] }),
  ],
  needs: { key: { variables: ['API_KEY'], isMet: () => false } },
  observations: { 'a/b/c/seen': { of: ['a/b/c', 'a/b/e'], description: 'seen' } },
}

let exchanges: Exchange[] = []
let planned: PlannedCase[] = []

beforeEach(() => {
  const redactor = new Redactor()
  redactor.add('CODE_HOSTING_PASSWORD', 'main-password')
  exchanges = []
  planned = []
  registered.tests.length = 0
  const selected = ['a/b/c', 'a/b/d', 'a/b/e', 'a/b/f', 'a/b/g']
  registered.run = {
    normalize: createNormalizer({ run: { id: 'run7' }, target: {} }),
    settings: { selected, checks: selected, target: {} },
    ...{ redactor, exchanges, takeUnreported: () => [] },
  }
})

function dsl() {
  const preflight = async () => {}
  return defineChecks(catalogue, {
    isProbed: () => true,
    context: () => ({ number: 7 }),
    planned: () => planned,
    preflight,
  })
}

function plan(...cases: string[]): void {
  planned.push(...cases.map((one) => ({ case: one, requirements: [], expected: '' })))
}

class Skipped extends Error {}

/** Runs the registered tests and returns the report and the outcome of each. */
async function runAll() {
  return Promise.all(
    registered.tests.map(async ({ name, body }) => {
      const task: Task = { meta: {} }
      const skip = (reason?: string): never => {
        throw new Skipped(reason)
      }
      const end = await (body as Body)({ task, skip }).then(
        () => 'passed',
        (error) => (error instanceof Skipped ? 'skipped' : 'failed'),
      )
      return { name, end, ...task.meta.plumbline }
    }),
  )
}

describe('defineChecks', () => {
  it('ends the test of a check according to the verdict, and reports it redacted', async () => {
    const { verify } = dsl()
    verify('a/b/c', async ({ number }) => expect(number).toBe(7))
    verify('a/b/c', async () => skip('no main-password'))
    verify('a/b/c', async () => expect('main-password').toBe('x main-password'))
    const placeholder = '$CODE_HOSTING_PASSWORD'
    const failure = { verdict: 'fail', expected: `x ${placeholder}`, actual: placeholder }
    expect(await runAll()).toMatchObject([
      { end: 'passed', judgement: { requirement: 'a/b/c', by: 'probe', verdict: 'pass' } },
      {
        end: 'skipped',
        judgement: { verdict: 'skipped', noVerdict: { text: `no ${placeholder}` } },
      },
      { end: 'failed', judgement: failure },
    ])
  })

  it('records the redacted value of an observation with its exchanges', async () => {
    const { observe } = dsl()
    observe('a/b/c/seen', async () => {
      currentScope()?.exchanges.add('e7')
      return { status: 400, text: 'main-password' }
    })
    const value = { status: 400, text: '$CODE_HOSTING_PASSWORD' }
    const observation = { id: 'a/b/c/seen', value, exchanges: ['e7'] }
    expect(await runAll()).toMatchObject([
      { name: 'observe a/b/c/seen', end: 'passed', observation },
    ])
  })
})

describe('invariant', () => {
  const documented = (status: number, path = `/${status}`, parts: Partial<ProbeRequest> = {}) =>
    exchangeWith({ status }, path, { endpoint: 'GET /user', ...parts })
  const of = (endpoint: string, path: string, message: string) =>
    exchangeWith({ status: 404, json: { message } }, path, { endpoint: `GET ${endpoint}` })
  const invariant = {
    appliesTo: (_: Exchange) => true,
    absenceReason: 'no such response',
    assert: (exchange: Exchange) => expectExchange(exchange).toHaveStatus(200),
  }

  /** Returns the result of a new invariant over the exchanges. */
  async function judge(parts: Partial<typeof invariant> = {}, id = 'a/b/d') {
    dsl().invariant(id, { ...invariant, ...parts })
    return (await runAll()).at(-1)?.judgement
  }

  it('passes if every documented exchange of its service does, and shows three', async () => {
    exchanges.push(exchangeWith({ status: 500 }), documented(500, '/', { service: 'another' }))
    exchanges.push(...[200, 200, 200, 200, 200].map((status) => documented(status)))
    const firstThree = exchanges.slice(2, 5).map(({ id }) => id)
    expect(await judge()).toMatchObject({ verdict: 'pass', by: 'invariant', exchanges: firstThree })
  })

  it('fails for contradicting exchanges, and lists each contradiction once', async () => {
    const [wrong, worse] = [documented(404), documented(500)]
    exchanges.push(documented(200), worse, documented(200), wrong, documented(404))
    const deviation = ({ id, status }: Exchange) => {
      const actual = `status ${status}`
      return { subject: `GET /user ${status}`, expected: 'status 200', actual, exchange: id }
    }
    expect(await judge()).toMatchObject({
      ...{ verdict: 'fail', actual: 'status 404', reads: { status: true } },
      deviations: [deviation(wrong), deviation(worse)],
      exchanges: [wrong.id, worse.id],
    })
  })

  it('lists the same contradictions for any order of responses', async () => {
    const responses = [
      of('/b', '/b?page=2', 'gone'),
      of('/b', '/b', 'gone'),
      of('/a', '/a/plumbline-run7-x', 'no plumbline-run7-x'),
      of('/b', '/b?page=1', 'lost'),
    ]
    const listed = [2, 1, 3].map((index) => responses[index]?.id)
    for (const order of [responses, responses.toReversed()]) {
      exchanges.splice(0, exchanges.length, ...order)
      const { deviations } = (await judge()) ?? {}
      expect(deviations?.map(({ exchange }) => exchange)).toEqual(listed)
    }
  })

  it('returns the number of contradictions that it does not list', async () => {
    exchanges.push(...Array.from({ length: 23 }, (_, index) => of('/a', `/${index}`, `${index}`)))
    const { deviations, furtherDeviations } = (await judge()) ?? {}
    expect([deviations?.length, furtherDeviations]).toEqual([20, 3])
  })

  it('lists the same schema error at different indexes once', async () => {
    const items = { type: 'object', properties: { name: { type: 'string' } } }
    const schema = { description: 'names', type: 'array', items }
    const validate = new Ajv({ allErrors: true }).compile(schema)
    const list = (...json: unknown[]) => exchangeWith({ json }, '/list', { endpoint: 'GET /list' })
    exchanges.push(list({ name: 1 }, { name: 'a' }), list({}, { name: 2 }), list({ name: 'a' }))
    const assert = (exchange: Exchange) => expectExchange(exchange).toMatchSchema(validate)
    expect((await judge({ assert }))?.deviations).toHaveLength(1)
  })

  it('registers selected invariants, and all checks that they need', () => {
    Object.assign(registered.run, { settings: { selected: ['a/b/d'], checks: ['a/b/c', 'a/b/d'] } })
    const define = dsl()
    for (const id of ['a/b/c', 'a/b/e']) define.verify(id, async () => {})
    for (const id of ['a/b/c', 'a/b/d']) define.invariant(id, invariant)
    expect(registered.tests.map(({ name }) => name)).toEqual(['a/b/c', 'a/b/d'])
  })

  it('skips without an applicable exchange, or with an unmet need', async () => {
    exchanges.push(documented(200))
    expect(await judge({ appliesTo: () => false })).toMatchObject({
      ...{ verdict: 'skipped', noVerdict: { kind: 'not observed' } },
    })
    const needs = [{ name: 'key', variables: ['API_KEY'] }]
    expect(await judge({}, 'a/b/g')).toMatchObject({
      ...{ verdict: 'skipped', noVerdict: { kind: 'needs', needs } },
    })
  })

  it('has a case as missing if its body is too large to read', async () => {
    const unread = exchangeWith({ minLength: 26 }, '/', { endpoint: 'GET /user' })
    const appliesTo = ({ text }: Exchange) => text === ''
    exchanges.push(unread)
    plan('one')
    expect(await judge({ appliesTo })).toMatchObject({ verdict: 'inconclusive' })
    exchanges.push(documented(200, '/', { cases: new Set(['one']) }))
    const missing = [
      { cases: ['GET /user'], noVerdict: { kind: 'unreadable', exchange: unread.id } },
    ]
    expect(await judge({ appliesTo })).toMatchObject({
      verdict: 'pass',
      cases: { conforming: ['one'], missing },
    })
    exchanges.push(documented(404))
    expect(await judge({ appliesTo })).toMatchObject({ verdict: 'fail' })
  })

  it('counts the planned cases that exchanges were sent for, else their endpoint', async () => {
    plan('one', 'two', 'three')
    exchanges.push(documented(200, '/a', { cases: new Set(['one', 'two']) }))
    exchanges.push(documented(404, '/b', { cases: new Set(['two', 'three']) }), documented(200))
    expect(await judge()).toMatchObject({
      cases: { conforming: ['one', 'GET /user'], deviating: ['two', 'three'], missing: [] },
      deviations: [{ cases: ['two', 'three'] }],
    })
    // It was sent to explain a deviation.
    exchanges.splice(0, Infinity, documented(200, '/', { cases: new Set(['another']) }))
    expect(await judge()).toMatchObject({ cases: { conforming: ['GET /user'] } })
  })

  it('shows the first case of the tables first', async () => {
    plan('simple')
    exchanges.push(documented(404, '/a'), documented(404, '/b', { cases: new Set(['simple']) }))
    const exchange = exchanges[1]?.id
    expect(await judge()).toMatchObject({
      deviations: [{ exchange, cases: ['simple', 'GET /user'] }],
    })
  })

  it('has cases as missing that other checks could not send, and that it plans', async () => {
    for (const one of ['planned', 'sent', 'of others']) {
      const requirements = one === 'of others' ? ['a/b/c'] : ['a/b/c', 'a/b/d']
      planned.push({ case: one, requirements, expected: '' })
    }
    exchanges.push(documented(200, '/', { cases: new Set(['sent']) }))
    const judgedWith = async (parts: object) => {
      registered.tests.length = 0
      const define = dsl()
      define.verify('a/b/c', async () => skip('no key'))
      define.verify('a/b/e', async () => skipUnobserved('no 403 came'))
      define.verify('a/b/f', async () => skip('no code'))
      define.invariant('a/b/d', { ...invariant, ...parts })
      registered.run = { ...registered.run }
      // Without the wait for the checks, they are judged before only here.
      await runAll()
      return (await runAll()).at(-1)?.judgement?.cases.missing.map(({ cases }) => cases)
    }
    expect(await judgedWith({})).toEqual([['planned']])
    expect(await judgedWith({ ofEveryCheck: true })).toEqual([['planned'], ['b/f']])
  })

  it('judges an exchange together with the other invariants, to decompress its body once', async () => {
    const visited: string[] = []
    exchanges.push(documented(200), documented(200), documented(200))
    const appliesTo = ({ id }: Exchange) => visited.push(id) > 0
    const define = dsl()
    for (const _ of ['one', 'another']) define.invariant('a/b/d', { ...invariant, appliesTo })
    await runAll()
    expect(visited.slice(-6)).toEqual(exchanges.flatMap(({ id }) => [id, id]))
  })
})
