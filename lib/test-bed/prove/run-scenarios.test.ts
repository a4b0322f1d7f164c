import { describe, expect, it } from 'vitest'
import { exchangeFixture, reportFixture, resultFixture } from '../../reports/report.fixture.ts'
import type { Variant } from '../reference/index.ts'
import { runScenarios, ScenarioRunner, type ScenarioWorker } from './run-scenarios.ts'
import { type Scenario, variantScenario } from './scenario.ts'
import { combine, sharing } from './sharing.ts'

/** Returns a worker whose runs have these bodies, and the number of its runs. */
function workerReturning(bodyOf: (index: number, variant: Variant | undefined) => string) {
  let runs = 0
  const worker: ScenarioWorker = {
    async probe({ variant }, inspect) {
      const response = { status: 200, headers: [], body: bodyOf(runs, variant), bodyBytes: 2 }
      runs += 1
      const report = reportFixture({ results: [], exchanges: [exchangeFixture({ response })] })
      inspect?.(report)
      return { report, internalErrors: [] }
    },
    close: async () => {},
  }
  return { worker, runs: () => runs }
}

const environment = { EVENT_PUBLISHING_REPLAY_BODY: '{"to":"all"}' }

it.each<[string, number, Variant['eventPublishing']]>([
  ['nothing', 1, {}],
  ['the configuration, in addition to an empty change', 1, { environment, change: () => ({}) }],
  ['only the configuration', 0, { environment }],
])(
  'ScenarioRunner reports variants without effect, such as one that changes %s: %i',
  async (_, count, part) => {
    const variant: Variant = { name: 'any', eventPublishing: part, incidentStatus: {} }
    const { worker } = workerReturning((_index, { eventPublishing } = { name: '' }) =>
      JSON.stringify(eventPublishing?.environment ?? {}),
    )
    const scenario = { ...variantScenario(variant), verdict: undefined }
    const { mismatches } = await new ScenarioRunner().run(scenario, worker)
    expect(mismatches).toEqual(Array(count).fill(expect.stringContaining('no effect')))
  },
)

describe('ScenarioRunner with a server whose responses differ from run to run', () => {
  const variant: Variant = { name: 'any', incidentStatus: {} }
  const inconclusive = { ...variantScenario(variant), verdict: undefined }
  const now = (index: number) => `{"at":"2026-01-01T00:00:0${index}Z"}`

  async function mismatchesOf(bodyOf: (index: number) => string) {
    const { worker, runs } = workerReturning(bodyOf)
    const own = new ScenarioRunner()
    const first = await own.run(inconclusive, worker)
    const second = await own.run(inconclusive, worker)
    return { first: first.mismatches, second: second.mismatches, runs: runs() }
  }

  it('reports the first difference once', async () => {
    const { first, second, runs } = await mismatchesOf(now)
    expect(first).toEqual([expect.stringContaining('(origin)/api/v1/user/repos')])
    expect(first[0]).toContain('00:00:01Z')
    expect(first[0]).toContain('00:00:02Z')
    expect(second).toEqual([])
    expect(runs).toBe(5)
  })

  it.each<[string, (index: number) => string, runs: number]>([
    ['none differs', () => '{}', 4],
    ['one run differs because of its timing', (index) => (index === 1 ? '{"late":true}' : '{}'), 5],
  ])('reports only that there is no effect if %s', async (_, bodyOf, count) => {
    const { first, second, runs } = await mismatchesOf(bodyOf)
    for (const found of [first, second]) {
      expect(found).toEqual([expect.stringContaining('no effect')])
    }
    expect(runs).toBe(count)
  })
})

describe('changes for different requirements', () => {
  const faultOf = (name: string, service: Scenario['services'][number] = 'code-hosting') =>
    ({
      ...{ kind: 'fault', name, services: [service], failing: [name], verdict: 'nonconformant' },
      ...{ tolerances: [], unjudged: [] },
    }) as const satisfies Scenario

  const variantOf = (name: string, codeHosting: Variant['codeHosting'], requirement = name) =>
    variantScenario({ name, codeHosting, tolerances: [{ requirement, name }] })

  it('share a server, and no others do', () => {
    const groups = sharing([
      ...[faultOf('a'), faultOf('b'), { ...faultOf('c'), failing: ['a'] }, faultOf('d')],
      ...[{ ...faultOf('e'), needed: 'variant' }, faultOf('f', 'event-publishing')],
      ...[variantOf('g', { change: {} }), variantOf('h', { change: {} }, 'g')],
      ...[variantOf('i', { change: {} }), variantOf('j', { change: {}, environment: {} })],
      variantScenario({ name: 'k', eventPublishing: { change: {} } }),
    ])
    const names = groups.map((group) => group.map(({ name }) => name).join())
    expect(names.sort()).toEqual(['a,d,f', 'b,c', 'e', 'g,i,k', 'h', 'j'])
  })

  it('change a server together', () => {
    const changes = [{ finish: (parts: object) => parts }, () => ({})] as never[]
    const parts = changes.map((change, index) => variantOf(`${index}`, { change }))
    const { name, variant, tolerances } = combine(parts)
    expect({ name, ...variant?.codeHosting }).toEqual({ name: '0 + 1', change: changes })
    expect(tolerances).toHaveLength(2)
  })

  it.each<[string, hidden: string[], runs: string[], wrong: string[]]>([
    ['once, if all are found', [], ['a + b'], []],
    ['by themselves, if one hides another', ['a + b'], ['a + b', 'a', 'b'], []],
    ['by themselves, where one is not found', ['a + b', 'b'], ['a + b', 'a', 'b'], ['b']],
  ])('are run %s', async (_, hidden, expectedRuns, wrong) => {
    const runs: string[] = []
    const worker: ScenarioWorker = {
      async probe({ fault }) {
        const names = [fault ?? []].flat()
        runs.push(names.join(' + '))
        const found = hidden.includes(names.join(' + ')) ? [] : names
        const fails = (requirement: string) =>
          resultFixture({
            ...{ requirement, verdict: 'fail', expected: '0' },
            actual: '1',
            exchanges: ['e1'],
          })
        const report = reportFixture({ results: found.map(fails), exchanges: [exchangeFixture()] })
        return { report: { ...report, verdict: 'nonconformant' }, internalErrors: [] }
      },
      close: async () => {},
    }
    const faults = [faultOf('a'), faultOf('b')]
    const results = await runScenarios(faults, { openWorker: () => worker })
    expect(runs).toEqual(expectedRuns)
    const failed = results.filter(({ mismatches }) => mismatches.length > 0)
    expect(failed.map(({ scenario }) => scenario.name)).toEqual(wrong)
  })
})
