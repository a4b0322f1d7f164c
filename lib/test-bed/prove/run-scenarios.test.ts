import { afterAll, describe, expect, it } from 'vitest'
import { openWorker } from '../../cli/scenario-worker.ts'
import { exchangeFixture, reportFixture } from '../../reports/report.fixture.ts'
import type { Variant } from '../reference/index.ts'
import { ScenarioRunner, type ScenarioWorker } from './run-scenarios.ts'
import { variantScenario } from './scenario.ts'

const MAX_RUN_MS = 60_000

const worker = openWorker()
const runner = new ScenarioRunner()

afterAll(() => worker.close())

/** Returns a worker whose runs have these bodies in turn, and the number of its runs. */
function workerReturning(bodyOf: (index: number) => string) {
  let runs = 0
  const respond = (index: number) => ({
    status: 200,
    headers: [],
    body: bodyOf(index),
    bodyBytes: 2,
  })
  const worker: ScenarioWorker = {
    async probe() {
      const exchange = exchangeFixture({ response: respond(runs) })
      runs += 1
      const report = reportFixture({ results: [], exchanges: [exchange] })
      return { report, internalErrors: [] }
    },
    close: async () => {},
  }
  return { worker, runs: () => runs }
}

const EVENT_REPLAY_BODY = 'EVENT_PUBLISHING_REPLAY_BODY'
const configuredReplayBody: Variant['eventPublishing'] = {
  environment: (environment) => ({ ...environment, [EVENT_REPLAY_BODY]: '{"to":"all"}' }),
}

describe('ScenarioRunner', () => {
  it.each<[string, number, Variant]>([
    ['changes nothing', 1, { name: 'nothing', eventPublishing: {}, incidentStatus: {} }],
    [
      'changes only the configuration, in addition to an empty change',
      1,
      {
        name: 'configured',
        eventPublishing: { ...configuredReplayBody, change: (rules) => ({ ...rules }) },
      },
    ],
    [
      'changes only the time of responses',
      1,
      {
        name: 'later',
        incidentStatus: {},
        intermediary: () => async (request, respond) => {
          await new Promise((resolve) => setTimeout(resolve, 5))
          return respond(request)
        },
      },
    ],
    ['changes the configuration', 0, { name: 'configured', eventPublishing: configuredReplayBody }],
    [
      'changes one header field',
      0,
      {
        name: 'header',
        incidentStatus: {},
        intermediary: () => async (request, respond) => {
          const parts = await respond(request)
          parts.headers.set('Via', '1.1 gateway.example')
          return parts
        },
      },
    ],
  ])(
    'reports a variant without effect: it %s',
    async (_name, count, variant) => {
      // An intermediary is in front of all services; the small ones show as much.
      const services = variantScenario(variant).services.filter((one) => one !== 'code-hosting')
      const scenario = { ...variantScenario(variant), services }
      const { mismatches } = await runner.run(scenario, worker)
      expect(mismatches).toEqual(Array(count).fill(expect.stringContaining('no effect')))
    },
    MAX_RUN_MS,
  )
})

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
