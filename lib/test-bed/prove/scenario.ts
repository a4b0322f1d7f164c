import { type Catalogue, type Needs, needsOf, unmetNeeds } from '../../conformance/catalogue.ts'
import type { EnvironmentOptions, LoadedTarget } from '../../environment/environment.ts'
import type { Target } from '../../environment/probe-variables.ts'
import { baseUrlOf } from '../../environment/rules.ts'
import { type VariableGroup, variablesOf } from '../../environment/variable.ts'
import { isTestable } from '../../results/requirement.ts'
import type { RunVerdict } from '../../results/run-report.ts'
import {
  environmentVariant,
  faults,
  type ServiceName,
  servicesOfVariant,
  startReference,
  unmodifiedVariant,
  type Variant,
  variants,
} from '../reference/index.ts'
import type { Tolerance } from '../reference/rule-tables.ts'

/** A reference server with one change, and the expected results of a run against it. */
export interface Scenario {
  kind: 'fault' | 'variant' | 'need'
  name: string
  /** Services that are probed: the changed ones, or all. */
  services: readonly ServiceName[]
  /** Ids of exactly the requirements that fail. */
  failing: readonly string[]
  /** Undefined if it depends on the service. */
  verdict?: RunVerdict
  /** The tolerances that it uses; their requirements pass. */
  tolerances: readonly Tolerance[]
  /** Ids of requirements with these tolerances that are still inconclusive or skipped. */
  unjudged: readonly string[]
  expectedVerdicts?: Variant['expectedVerdicts']
  /** Ids of exactly the requirements that are skipped because the need is unmet. */
  skipped?: readonly string[]
  /** Ids of requirements that may be skipped, depending on the data, because a variable is unset. */
  possiblySkipped?: readonly string[]
  /** Variable that points elsewhere. Requirements that need it do not pass, and with a base URL none does. */
  elsewhere?: { variable: string; isBaseUrl: boolean }
  variant?: Variant
  /** Name of the variant that a fault needs. */
  needed?: string | undefined
  /** Variant to compare with: the unmodified server with the same configuration. */
  unmodified?: Variant
}

const conforming = {
  failing: [],
  verdict: 'conformant',
  tolerances: [],
  unjudged: [],
} as const

const faultScenarios = faults.map(
  ({ name, service, requirements: failing, expectedVerdicts, variant: needed }): Scenario => {
    const expected = { ...conforming, failing, expectedVerdicts, verdict: 'nonconformant' } as const
    return { ...expected, kind: 'fault', name, needed, services: [service] }
  },
)

export function variantScenario(variant: Variant): Scenario {
  const { name, verdict = 'conformant', tolerances = [], unjudged = [], expectedVerdicts } = variant
  const expected = { failing: [], verdict, tolerances, unjudged, expectedVerdicts }
  const [services, unmodified] = [servicesOfVariant(variant), unmodifiedVariant(variant)]
  return { ...expected, kind: 'variant', name, services, variant, unmodified }
}

export const scenarios: readonly Scenario[] = [...faultScenarios, ...variants.map(variantScenario)]

function omit(names: readonly string[], environment: Readonly<Record<string, string>>) {
  const rest = Object.entries(environment).filter(([name]) => !names.includes(name))
  // Omitting this variable disables nothing, so it is set.
  const disabling = names.filter((name) => name === 'PROBE_READ_ONLY').map((name) => [name, 'true'])
  return Object.fromEntries([...rest, ...disabling]) as Record<string, string>
}

/**
 * Returns a scenario for each need that variables meet: the unmodified server without these variables,
 * and without the variables of another need that also meets it. Needs with the same variables share the scenario of the first.
 */
export async function needScenarios(
  catalogues: readonly Catalogue[],
  loadTarget: (options: EnvironmentOptions) => LoadedTarget,
): Promise<Scenario[]> {
  const { environment, close } = await startReference()
  await close()
  function targetWithout(names: readonly string[]): Target | undefined {
    const configured = omit(names, environment)
    const loaded = loadTarget({ environment: configured, directory: import.meta.dirname })
    return 'target' in loaded ? loaded.target : undefined
  }

  const unmodified = targetWithout([])
  if (unmodified === undefined) throw new Error('the reference server has no valid configuration')
  const services = catalogues.map(({ service }) => service as ServiceName)
  const testable = catalogues.flatMap(({ requirements }) =>
    requirements.filter(isTestable).map(({ id }) => id),
  )
  const covered = new Set<string>()
  return catalogues.flatMap(({ needs }) =>
    Object.entries(needs).flatMap(([name, need]): Scenario[] => {
      if (!need.isMet(unmodified) || need.variables.length === 0) return []
      for (const other of [need, ...Object.values(needs)]) {
        const names = [...new Set([...need.variables, ...other.variables])].sort()
        const target = targetWithout(names)
        if (target === undefined || need.isMet(target)) continue
        if (covered.has(names.join())) return []
        covered.add(names.join())
        const select = (matches: (needs: Needs, declared: readonly string[]) => boolean) =>
          catalogues.flatMap(({ needs: all, requirements }) =>
            requirements.filter((one) => matches(all, needsOf(one))).map(({ id }) => id),
          )
        const skipped = select(
          (all, declared) =>
            unmetNeeds(all, declared, target).length > 0 &&
            unmetNeeds(all, declared, unmodified).length === 0,
        )
        const isOmitted = (variable: string) => names.includes(variable)
        const possiblySkipped = select((all, declared) =>
          declared.some((need) => all[need]?.variables.some(isOmitted)),
        )
        const variant = environmentVariant(`without-${name}`, (all) => omit(names, all))
        const scenario = { ...conforming, kind: 'need', name: `without ${name}`, services } as const
        const affected = new Set([...skipped, ...possiblySkipped])
        // A run of one service may judge nothing.
        const verdict = testable.every((id) => affected.has(id)) ? undefined : scenario.verdict
        return [{ ...scenario, verdict, skipped, possiblySkipped, variant }]
      }
      return []
    }),
  )
}

/** Returns a scenario for each variable that identifies the server or a resource: it points elsewhere. */
export function elsewhereScenarios(
  services: readonly { catalogue: Catalogue; variables: VariableGroup }[],
): Scenario[] {
  return services.flatMap(({ catalogue, variables: group }) => {
    const baseUrl = baseUrlOf(group)
    const identifying = variablesOf(group.table).filter(
      ({ name, identifies }) => identifies || name === baseUrl,
    )
    return identifying.map(({ name, example = 'plumbline' }): Scenario => {
      const isBaseUrl = name === baseUrl
      const suffix = isBaseUrl ? '/elsewhere' : '-elsewhere'
      const variant = environmentVariant(`elsewhere-${name}`, (all) =>
        baseUrl in all ? { ...all, [name]: `${all[name] ?? example}${suffix}` } : all,
      )
      const services = [catalogue.service as ServiceName]
      const expected = {
        ...conforming,
        verdict: undefined,
        elsewhere: { variable: name, isBaseUrl },
      }
      return { ...expected, kind: 'need', name: `elsewhere ${name}`, services, variant }
    })
  })
}
