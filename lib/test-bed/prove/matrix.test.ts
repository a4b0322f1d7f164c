import { beforeAll, describe, expect, inject, it } from 'vitest'
import { openWorker } from '../../cli/scenario-worker.ts'
import { catalogues, loadTarget, services } from '../../cli/services.ts'
import { runScenarios, type ScenarioResult } from './run-scenarios.ts'
import { elsewhereScenarios, needScenarios, type Scenario, scenarios } from './scenario.ts'
import { coveringScenarios } from './sharing.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** True for every scenario, and every failure again by itself; else a part of them, each with its own requirements. */
    wholeMatrix: boolean
  }
}

const isWholeMatrix = inject('wholeMatrix')
const needs = isWholeMatrix ? await needScenarios(catalogues, loadTarget) : []
const elsewhere = elsewhereScenarios(Object.values(services))
const all = isWholeMatrix ? [...scenarios, ...needs, ...elsewhere] : coveringScenarios(scenarios)

const MAX_MATRIX_MS = 1_200_000

describe('the suites', { timeout: MAX_MATRIX_MS }, () => {
  const resolvers = new Map<string, (result: ScenarioResult) => void>()
  // Each test waits for its own result, so that reporters show the progress.
  const results = new Map(
    all.map(({ name }) => [
      name,
      new Promise<ScenarioResult>((resolve) => {
        resolvers.set(name, resolve)
      }),
    ]),
  )

  beforeAll(() => {
    const onResult = (result: ScenarioResult) => resolvers.get(result.scenario.name)?.(result)
    void runScenarios(all, { openWorker, onResult, extent: isWholeMatrix ? 'again' : 'own' })
  })

  const expectNoMismatches = async ({ name }: Scenario) =>
    expect((await results.get(name))?.mismatches).toEqual([])

  it.each(all.filter(({ kind }) => kind === 'fault'))(
    'find in $name exactly what it breaks',
    expectNoMismatches,
  )

  it.each(all.filter(({ kind }) => kind === 'variant'))(
    'find nothing wrong in $name',
    expectNoMismatches,
  )

  it.each(all.filter((one) => needs.includes(one)))(
    'skip $name exactly what declares it',
    expectNoMismatches,
  )

  it.each(all.filter((one) => elsewhere.includes(one)))(
    'find nothing wrong with $name',
    expectNoMismatches,
  )
})
