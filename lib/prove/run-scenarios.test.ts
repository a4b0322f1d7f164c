import { afterAll, describe, expect, it } from 'vitest'
import { openWorker } from '../cli/prove.ts'
import type { Variant } from '../reference/index.ts'
import { ScenarioRunner } from './run-scenarios.ts'
import { variantScenario } from './scenario.ts'

const MAX_RUN_MS = 60_000

const worker = openWorker()
const runner = new ScenarioRunner()

afterAll(() => worker.close())

async function findMismatches(variant: Variant): Promise<readonly string[]> {
  return (await runner.run(variantScenario(variant), worker)).mismatches
}

const noEffect = [expect.stringContaining('no effect')]

const configuredReplayBody: Variant['eventPublishing'] = {
  environment: (environment) => ({ ...environment, EVENT_PUBLISHING_REPLAY_BODY: '{"to":"all"}' }),
}

describe('ScenarioRunner', () => {
  it.each<[string, Variant]>([
    ['of code hosting', { name: 'nothing', codeHosting: {} }],
    ['of the services with keys', { name: 'nothing', eventPublishing: {}, incidentStatus: {} }],
    [
      'except the configuration',
      {
        name: 'configured',
        eventPublishing: { ...configuredReplayBody, change: (rules) => ({ ...rules }) },
      },
    ],
    [
      'except the time of responses',
      {
        name: 'later',
        incidentStatus: {},
        intermediary: () => async (request, respond) => {
          await new Promise((resolve) => setTimeout(resolve, 5))
          return respond(request)
        },
      },
    ],
  ])(
    'reports a variant that changes nothing %s',
    async (_name, variant) => {
      expect(await findMismatches(variant)).toEqual(noEffect)
    },
    MAX_RUN_MS,
  )

  it.each<[string, Variant]>([
    ['the configuration', { name: 'configured', eventPublishing: configuredReplayBody }],
    [
      'one header field',
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
    'accepts a variant that changes %s',
    async (_name, variant) => {
      expect(await findMismatches(variant)).toEqual([])
    },
    MAX_RUN_MS,
  )
})
