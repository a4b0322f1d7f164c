import { Suites } from '../../cli/suite-runner.ts'
import { summarize } from '../../results/verdict.ts'
import { type ServiceName, servicesOfVariant, variants } from '../reference/index.ts'
import * as services from '../reference/services.ts'
import {
  type InstrumentedReference,
  instrumentReference,
  type Mutant,
  type MutatedReference,
  REFERENCE_FOLDER,
} from './instrument.ts'
import { inWorkers, type MutationTarget, runSuites } from './mutation-target.ts'

/** Conforming server on which mutants are tried. */
interface Scenario {
  /** Name of a variant; undefined for the unmodified server. */
  variant?: string
  services: readonly ServiceName[]
}

/** Variants with other settings and data, on which the mutants that they reach are tried too. */
const VARIANTS = [
  'legacy-and-query-disabled',
  'every-category-supplied',
  'base-path',
  'no-repositories',
  'names-and-passwords-of-many-characters',
  'server-errors-exposed-to-site-admins',
]

/** @returns the exit status of a run that ends with the first deviation; 2 without a server */
async function judge(
  load: () => MutatedReference,
  { variant, services }: Scenario,
  suites: Suites,
): Promise<number> {
  // The copy has its own variants: rules of another copy throw errors that it does not know.
  const start = async () => load().startReference({ ...(variant && { variant }), services })
  const server = await start().catch(() => undefined)
  const run = server && (await runSuites(server, suites, { untilDeviation: true }))
  return run === undefined ? 2 : summarize(run.report).exitStatus
}

const openSuites = () => ({ suites: new Suites(), activate() {} })

/** Returns the conforming servers, each with the mutants that it reaches. @throws Error if a run fails */
async function scenariosWithCoverage(
  load: InstrumentedReference['load'],
  services: readonly ServiceName[],
) {
  const scenarios: Scenario[] = [
    { services },
    ...variants
      .filter(({ name }) => VARIANTS.includes(name))
      .map((variant) => ({ variant: variant.name, services: servicesOfVariant(variant) }))
      .filter((scenario) => services.some((service) => scenario.services.includes(service))),
  ]
  const coverage = new Map<Scenario, ReadonlySet<string>>()
  await inWorkers(scenarios, openSuites, async (scenario, { suites }) => {
    const reference = load()
    if ((await judge(() => reference, scenario, suites)) !== 0) {
      throw new Error(`not conformant without a mutant: ${scenario.variant ?? 'no variant'}`)
    }
    coverage.set(scenario, reference.coverage())
  })
  return scenarios.map((scenario) => ({
    scenario,
    mutants: coverage.get(scenario) ?? new Set<string>(),
  }))
}

/** Returns the service of a file; for shared rules, the services that have them. */
function serviceOf({ file }: Mutant): readonly ServiceName[] {
  const all = Object.values(services)
  const own = all.filter(({ name }) => file.startsWith(`${name}/`))
  const keyed = all.filter(({ rules }) => 'keyNeeded' in rules)
  return (own.length > 0 ? own : keyed).map(({ name }) => name)
}

/** Runs the suites against the reference server with one mutant. Selects the files, or all of them. */
export async function referenceMutants(
  isSelected: (mutant: Mutant) => boolean,
): Promise<MutationTarget> {
  const { load, ...instrumented } = await instrumentReference()
  const mutants = instrumented.mutants.filter(isSelected)
  const scenarios = await scenariosWithCoverage(load, [...new Set(mutants.flatMap(serviceOf))])
  return {
    ...instrumented,
    mutants,
    folder: REFERENCE_FOLDER,
    survivorsFile: 'survivors.json',
    openSuites,
    async judge(mutant, { suites }) {
      const reaching = scenarios.filter(
        ({ mutants, scenario }) =>
          mutants.has(mutant.id) &&
          serviceOf(mutant).some((name) => scenario.services.includes(name)),
      )
      for (const [index, { scenario }] of reaching.entries()) {
        const services = scenario.services.filter((name) => serviceOf(mutant).includes(name))
        const status = await judge(() => load(mutant), { ...scenario, services }, suites)
        if (status !== 0) return { runs: index + 1, status }
      }
      return { runs: reaching.length, status: 0 }
    },
  }
}
