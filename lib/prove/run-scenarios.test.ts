import { afterAll, describe, expect, it } from 'vitest'
import { openWorker } from '../cli/prove.ts'
import type { Variant } from '../reference/index.ts'
import { ScenarioRunner } from './run-scenarios.ts'
import { variantSubject } from './scenario.ts'

const RUN_MS = 60_000

const lane = openWorker()
const prover = new ScenarioRunner()

afterAll(() => lane.close())

async function disagreements(variant: Variant): Promise<readonly string[]> {
  return (await prover.prove(variantSubject(variant), lane)).disagreements
}

const nothingChanged = ['it changes no exchange of a run: it proves nothing']

const configuredReplayBody: Variant['eventPublishing'] = {
  environment: (environment) => ({ ...environment, EVENT_PUBLISHING_REPLAY_BODY: '{"to":"all"}' }),
}

describe('a variant', () => {
  it.each<[string, Variant]>([
    ['of code hosting', { name: 'nothing', codeHosting: {} }],
    ['of the services with keys', { name: 'nothing', eventPublishing: {}, incidentStatus: {} }],
    [
      'but what is told of it anyway',
      {
        name: 'told',
        eventPublishing: { ...configuredReplayBody, change: (rules) => ({ ...rules }) },
      },
    ],
    [
      'but when answers come',
      {
        name: 'later',
        incidentStatus: {},
        intermediary: () => async (request, answer) => {
          await new Promise((resolve) => setTimeout(resolve, 5))
          return answer(request)
        },
      },
    ],
  ])(
    'that changes nothing %s proves nothing',
    async (_name, variant) => {
      expect(await disagreements(variant)).toEqual(nothingChanged)
    },
    RUN_MS,
  )

  it.each<[string, Variant]>([
    ['what the operator tells', { name: 'told', eventPublishing: configuredReplayBody }],
    [
      'one header',
      {
        name: 'header',
        incidentStatus: {},
        intermediary: () => async (request, answer) => {
          const parts = await answer(request)
          parts.headers.set('Via', '1.1 gateway.example')
          return parts
        },
      },
    ],
  ])(
    'that changes %s proves something',
    async (_name, variant) => {
      expect(await disagreements(variant)).toEqual([])
    },
    RUN_MS,
  )
})
