import { devNull } from 'node:os'
import type { PoolRunnerInitializer } from 'vitest/node'
import { nothingKnown } from '../../doctor/facts.ts'
import { judged } from '../../reports/verdict-counts.ts'
import { loadTarget } from '../../target/load-target.ts'
import type { ProbeLimits } from '../../target/target.ts'
import type { ServiceKey } from '../catalogues.ts'
import { baseUrlVariable } from '../prepare-run.ts'
import { ingredients } from './ingredients.ts'
import { rehearse, type Situation } from './rehearse.ts'

/** Nobody is asked there: a rehearsal puts the address of its stand-in in its place. */
const SOMEWHERE = 'http://127.0.0.1'

/** What is about the manner of probing stays as it is. */
const ofServices = ingredients.filter(({ variables }) =>
  variables.every((name) => !name.startsWith('PROBE_')),
)

/**
 * The requirements that a run would judge of services about which everything is told, and whose
 * settings are the defaults.
 *
 * @returns their ids
 */
export async function judgedAtBest(
  services: readonly ServiceKey[],
  probe: ProbeLimits,
  pool: PoolRunnerInitializer,
): Promise<string[]> {
  if (services.length === 0) return []
  const environment = Object.fromEntries(services.map((key) => [baseUrlVariable(key), SOMEWHERE]))
  // What the operator tells of other services is of no matter here.
  const loaded = loadTarget({ environment, envFile: devNull, directory: '.' })
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
  const bare: Situation = { target: { ...loaded.target, probe }, facts: nothingKnown }
  const told = ofServices.reduce(
    (situation, ingredient) =>
      ingredient.isLacking(situation) ? ingredient.add(situation) : situation,
    bare,
  )
  const results = await rehearse(told, { pool })
  return results.filter(({ verdict }) => judged(verdict)).map(({ requirement }) => requirement)
}
