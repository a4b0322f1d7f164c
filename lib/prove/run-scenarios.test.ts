import { afterAll, describe, expect, it } from 'vitest'
import { openWorker } from '../cli/prove.ts'
import type { Variant } from '../reference/index.ts'
import { ScenarioRunner } from './run-scenarios.ts'
import { variantScenario } from './scenario.ts'

const MAX_RUN_MS = 60_000

const worker = openWorker()
const runner = new ScenarioRunner()

afterAll(() => worker.close())

const EVENT_REPLAY_BODY = 'EVENT_PUBLISHING_REPLAY_BODY'
const configuredReplayBody: Variant['eventPublishing'] = {
  environment: (environment) => ({ ...environment, [EVENT_REPLAY_BODY]: '{"to":"all"}' }),
}

describe('ScenarioRunner', () => {
  it.each<[string, number, Variant]>([
    ['changes nothing of code hosting', 1, { name: 'nothing', codeHosting: {} }],
    [
      'changes nothing of the services with keys',
      1,
      { name: 'nothing', eventPublishing: {}, incidentStatus: {} },
    ],
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
    'reports a variant without effect: one that %s',
    async (_name, count, variant) => {
      const { mismatches } = await runner.run(variantScenario(variant), worker)
      expect(mismatches).toEqual(Array(count).fill(expect.stringContaining('no effect')))
    },
    MAX_RUN_MS,
  )
})
