import { beforeAll, describe, expect, inject, it } from 'vitest'
import { openWorker } from '../cli/prove.ts'
import { catalogues, loadTarget, services } from '../cli/services.ts'
import { type JudgedAlone, runScenarios, type ScenarioResult } from './run-scenarios.ts'
import { elsewhereScenarios, needScenarios, type Scenario, scenarios } from './scenario.ts'

const needs = await needScenarios(catalogues, loadTarget)
const elsewhere = elsewhereScenarios(Object.values(services))

declare module 'vitest' {
  interface ProvidedContext {
    judgedAlone: JudgedAlone
  }
}

const LONGEST_MATRIX_MS = 1_200_000

describe('the suites', { timeout: LONGEST_MATRIX_MS }, () => {
  const all = [...scenarios, ...needs, ...elsewhere]
  const resolvers = new Map<string, (proof: ScenarioResult) => void>()
  // A test ends when its own proof is there, so that what reports tests shows how far it has come.
  const proofs = new Map(
    all.map(({ name }) => [
      name,
      new Promise<ScenarioResult>((resolve) => {
        resolvers.set(name, resolve)
      }),
    ]),
  )

  beforeAll(() => {
    const onProof = (proof: ScenarioResult) => resolvers.get(proof.subject.name)?.(proof)
    void runScenarios(all, { openWorker, onProof, judgedAlone: inject('judgedAlone') })
  })

  const expectProof = async ({ name }: Scenario) =>
    expect((await proofs.get(name))?.disagreements).toEqual([])

  const faults = scenarios.filter(({ kind }) => kind === 'fault')
  it.each(faults)('find in $name exactly what it breaks', expectProof)

  const variants = scenarios.filter(({ kind }) => kind === 'variant')
  it.each(variants)('find nothing wrong in $name', expectProof)

  it.each(needs)('skip $name exactly what declares it', expectProof)

  it.each(elsewhere)('find nothing wrong with $name', expectProof)
})
