import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Exchange } from '../probe/exchange.ts'
import { Redactor } from '../probe/redaction/redaction.ts'
import type { CheckReport } from '../results/run-evidence.ts'
import { skip } from './check-errors.ts'
import { currentScope } from './check-scope.ts'
import { exchangeWith } from './exchange.fixture.ts'
import { expect as expectExchange } from './matchers.ts'
import { registerSuite } from './register.ts'
import { catalogueOfSuite, type SuiteObservation, type SuiteRequirement } from './requirements.ts'
import type { AnySuite } from './suite.ts'

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
  test: { concurrent: (name: string, body: unknown) => registered.tests.push({ name, body }) },
}))
vi.mock('./lifecycle.ts', () => ({
  everythingChecked: () => new Promise((resolve) => setImmediate(resolve)),
}))
vi.mock('./current-run.ts', () => ({
  currentRun: () => registered.run,
  ofRun: (create: (run: object) => unknown) => {
    const { run } = registered
    let value: unknown
    return () => {
      value ??= create(run)
      return value
    }
  },
}))

interface Case {
  key: string
  after?: Case | undefined
}
type Part = Partial<SuiteRequirement<Case, object, object, object>>

/** Statuses by key; without a number, the request is not sent. */
const statuses: Record<string, number> = { right: 200, wrong: 401, open: 200 }
let exchanges: Exchange[] = []
let sent: string[] = []
let preflight = async (): Promise<void> => {}

beforeEach(() => {
  registered.tests.length = 0
  exchanges = []
  sent = []
  preflight = async () => {}
  const redactor = new Redactor()
  redactor.add('API_KEY', 'secret-of-labels')
  const selected = ['labels/a/one']
  registered.run = {
    normalize: (text: string) => text,
    settings: { selected, checks: selected, target: {} },
    ...{ redactor, exchanges, takeUnreported: () => [], wait: async () => {} },
  }
})

class Skipped extends Error {}

/** Registers requirements and returns the report and the outcome of each test. */
async function run(part: Part, observe?: () => Promise<unknown>, another?: Part) {
  const texts = { statement: '', section: '' }
  const requirements: Record<string, SuiteRequirement<Case, object, object, object>> = {
    'a/one': { ...texts, ...part },
    ...(another && { 'a/two': { ...texts, ...another } }),
  }
  const seen = observe && { of: ['a/one'], description: '', value: observe }
  const observations: Record<string, SuiteObservation<object>> = seen ? { 'a/seen': seen } : {}
  const needs = {
    met: { variables: [], isMet: () => true },
    unmet: { variables: ['API_KEY'], isMet: () => false },
  }
  const suite: AnySuite = {
    catalogue: catalogueOfSuite(
      { service: 'labels', document: '', needs },
      requirements,
      observations,
    ),
    ...{ requirements, observations },
    settingsOf: () => ({}),
    idOf: ({ key }: Case) => key,
    describe: ({ key }: Case) => key,
    load: () => ({
      createContext: () => ({
        sender: {
          async send({ key }: Case) {
            sent.push(key)
            return exchangeWith({ status: statuses[key] ?? skip(`no ${key}`) })
          },
          view: () => ({}),
          isServed: (_: Case, { status }: Exchange) => status === 200,
        },
      }),
      preflight: () => preflight(),
    }),
  }
  registerSuite(suite)
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

const rejected = (key: string, control = 'right'): Part => ({
  ...{ cases: [{ key }], rejects: [401], given: [{ key: control }] },
})
const every = {
  is: ({ status }: Exchange) => status !== 500,
  absence: 'no such response',
  shows: (response: Exchange) => expectExchange(response).toHaveStatus(200),
}
const of = (status: number, service = 'labels') =>
  exchangeWith({ status }, '/', { service, endpoint: 'GET /labels' })
const unmet = { kind: 'needs', needs: [{ name: 'unmet' }] }

describe('registerSuite', () => {
  it.each<[string, string, object, Part]>([
    ['passed', 'judged cases', { verdict: 'pass' }, { ...rejected('wrong'), needs: ['met'] }],
    ['failed', 'a deviation', { verdict: 'fail' }, rejected('open')],
    ['skipped', 'an unmet need', { noVerdict: unmet }, { ...rejected('open'), needs: ['unmet'] }],
    [
      ...(['skipped', 'an unmet need of its control', { noVerdict: unmet }] as const),
      { ...rejected('wrong', 'other'), controlNeeds: ['unmet'] },
    ],
    [
      ...(['failed', 'a deviation without its control', { verdict: 'fail' }] as const),
      { ...rejected('open', 'other'), controlNeeds: ['unmet'] },
    ],
    ['passed', 'steps', { verdict: 'pass' }, { steps: async () => {} }],
    [
      ...(['skipped', 'steps that are skipped beside judged cases', {}] as const),
      { ...rejected('wrong'), steps: async () => skip('secret-of-labels') },
    ],
  ])('ends a test as %s for %s', async (end, _, judgement, part) => {
    expect(await run(part)).toMatchObject([{ name: 'labels/a/one', end, judgement }])
  })

  it.each<[string, string, number[], Part]>([
    ['pass', 'responses that conform', [200, 500], { every }],
    ['fail', 'a response that deviates', [200, 404], { every }],
    ['skipped', 'no such response', [500], { every }],
    ['pass', 'its own cases without such a response', [], { ...rejected('wrong'), every }],
    ['fail', 'a response beside its own cases', [404], { ...rejected('wrong'), every }],
    ['skipped', 'an unmet need of responses', [200], { every, needs: ['unmet'] }],
  ])('returns %s for %s', async (verdict, _, responses, part) => {
    exchanges.push(...responses.map((status) => of(status)), of(404, 'another'))
    expect(await run(part)).toMatchObject([{ judgement: { verdict } }])
  })

  it('counts the cases of the responses only', async () => {
    exchanges.push(of(200), of(200))
    const cases = { conforming: ['GET /labels'], deviating: [], missing: [] }
    expect(await run({ every })).toMatchObject([{ judgement: { cases } }])
  })

  it.each<[string, string[], Part]>([
    ['was not sent', ['lost'], { cases: [{ key: 'lost' }, { key: 'right' }] }],
    ['lacks a need', ['lost'], { cases: [{ key: 'lost' }], needs: ['unmet'] }],
    ['has responses of another kind', [], { cases: [{ key: 'lost of another kind' }] }],
  ])('counts a request of another requirement as missing: %s', async (_, lost, another) => {
    exchanges.push(of(200))
    const selected = ['labels/a/one', 'labels/a/two']
    Object.assign(registered.run, { settings: { selected, checks: selected, target: {} } })
    const canJudge = ({ key }: Case) => !key.endsWith('kind')
    const [one] = await run({ every: { ...every, canJudge } }, undefined, another)
    expect(one?.judgement?.verdict).toBe('pass')
    expect(one?.judgement?.cases.missing.flatMap(({ cases }) => cases)).toEqual(lost)
  })

  it.each<[Part, string[]]>([
    [{}, ['right']],
    [{ isSupplied: true }, ['right', 'open of another kind']],
  ])('sends only what is judged of a requirement that is not selected: %j', async (part, keys) => {
    exchanges.push(of(200))
    const checks = ['labels/a/one', 'labels/a/two']
    Object.assign(registered.run, { settings: { selected: [checks[0]], checks, target: {} } })
    const canJudge = ({ key }: Case) => !key.endsWith('kind')
    const cases = [{ key: 'right' }, { key: 'open of another kind' }]
    await run({ every: { ...every, canJudge } }, undefined, { ...part, cases })
    expect(sent).toEqual(keys)
  })

  it('registers no test that is not selected or cannot be tested', async () => {
    expect(await run({ untestable: 'nothing shows it' })).toEqual([])
    Object.assign(registered.run, { settings: { selected: [], checks: [], target: {} } })
    expect(await run(rejected('wrong'), async () => 7)).toEqual([])
  })

  it('reports the planned cases as missing if the preflight ends the check', async () => {
    preflight = async () => skip('no service')
    const missing = [{ cases: ['wrong'], noVerdict: { kind: 'missing' } }]
    expect(await run(rejected('wrong'))).toMatchObject([{ judgement: { cases: { missing } } }])
  })

  it('reports the redacted value of an observation with its exchanges', async () => {
    const [, observed] = await run(rejected('wrong'), async () => {
      currentScope()?.exchanges.add('e7')
      return { status: 400, text: 'secret-of-labels' }
    })
    const observation = { id: 'labels/a/seen', value: { status: 400, text: '$API_KEY' } }
    expect(observed).toMatchObject({
      end: 'passed',
      observation: { ...observation, exchanges: ['e7'] },
    })
  })
})
