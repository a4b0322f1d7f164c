import { type Catalogue, type Needs, needsOf, unmetNeeds } from '../conformance/requirement.ts'
import { baseUrlOf, type LoadedTarget } from '../environment/environment.ts'
import type { EnvironmentOptions } from '../environment/read-environment.ts'
import type { Target } from '../environment/target.ts'
import { type VariableGroup, variablesOf } from '../environment/variable.ts'
import {
  configuredOtherwise,
  faults,
  plainAsConfigured,
  type ServiceName,
  servicesOfVariant,
  startReference,
  type Variant,
  variants,
} from '../reference/index.ts'
import type { RunVerdict } from '../results/run-report.ts'

/** A reference deployment, and what the suites have to find in it. */
export interface Scenario {
  kind: 'fault' | 'variant' | 'need'
  name: string
  /** Those that it changes, or all; the others would only be judged once more. */
  services: readonly ServiceName[]
  /** Ids of the requirements that fail, no more and no less. */
  failing: readonly string[]
  /** Undefined where it depends on the service. */
  verdict?: RunVerdict
  /** Ids of the tolerances that it makes use of; their requirements pass. */
  tolerances: readonly string[]
  /** Ids of the requirements with those tolerances that get no verdict all the same. */
  unjudged: readonly string[]
  expectedVerdicts?: Variant['expectedVerdicts']
  /** Without a need: ids of the requirements that are skipped for it, no more and no less. */
  skipped?: readonly string[]
  /** Further ones that declare what the variables are for: data may take their place, or may not. */
  perhapsSkipped?: readonly string[]
  /** The variable that points elsewhere: what needs it gets no verdict, and with a base URL nothing does. */
  elsewhere?: { variable: string; isBaseUrl: boolean }
  variant?: Variant
  /** What the variant is compared with, where the operator tells the same of a plain deployment. */
  plain?: Variant
}

const conforming = {
  failing: [],
  verdict: 'conformant',
  tolerances: [],
  unjudged: [],
} as const

const faulty = faults.map(
  ({ name, service, requirements: failing, expectedVerdicts }): Scenario => {
    const judged = { ...conforming, failing, expectedVerdicts, verdict: 'nonconformant' } as const
    return { ...judged, kind: 'fault', name, services: [service] }
  },
)

export function variantSubject(variant: Variant): Scenario {
  const { name, verdict = 'conformant', tolerances = [], unjudged = [], expectedVerdicts } = variant
  const judged = { failing: [], verdict, tolerances, unjudged, expectedVerdicts }
  const [services, plain] = [servicesOfVariant(variant), plainAsConfigured(variant)]
  return { ...judged, kind: 'variant', name, services, variant, plain }
}

export const scenarios: readonly Scenario[] = [...faulty, ...variants.map(variantSubject)]

function without(names: readonly string[], environment: Readonly<Record<string, string>>) {
  const rest = Object.entries(environment).filter(([name]) => !names.includes(name))
  // Leaving this one out takes nothing away.
  const opposed = names.filter((name) => name === 'PROBE_READ_ONLY').map((name) => [name, 'true'])
  return Object.fromEntries([...rest, ...opposed]) as Record<string, string>
}

/**
 * The plain deployment without each of the needs of the catalogues that variables meet. Where those of
 * another need meet it too, they are left out as well. Needs with the same variables fall together,
 * and are proved as the first of them. What is skipped without one is what declares it, or another one
 * that falls with it.
 */
export async function needScenarios(
  catalogues: readonly Catalogue[],
  loadTarget: (options: EnvironmentOptions) => LoadedTarget,
): Promise<Scenario[]> {
  const { environment, close } = await startReference()
  await close()
  function targetWithout(names: readonly string[]): Target | undefined {
    const configured = without(names, environment)
    const loaded = loadTarget({ environment: configured, directory: import.meta.dirname })
    return 'target' in loaded ? loaded.target : undefined
  }

  const plain = targetWithout([])
  if (plain === undefined) throw new Error('the reference deployment tells no valid configuration')
  const services = catalogues.map(({ service }) => service as ServiceName)
  const taken = new Set<string>()
  return catalogues.flatMap(({ needs }) =>
    Object.entries(needs).flatMap(([name, need]): Scenario[] => {
      if (!need.isMet(plain) || need.variables.length === 0) return []
      for (const other of [need, ...Object.values(needs)]) {
        const names = [...new Set([...need.variables, ...other.variables])].sort()
        const target = targetWithout(names)
        if (target === undefined || need.isMet(target)) continue
        if (taken.has(names.join())) return []
        taken.add(names.join())
        const declaring = (isSuch: (needs: Needs, declared: readonly string[]) => boolean) =>
          catalogues.flatMap(({ needs: all, requirements }) =>
            requirements.filter((row) => isSuch(all, needsOf(row))).map(({ id }) => id),
          )
        const skipped = declaring(
          (all, declared) =>
            unmetNeeds(all, declared, target).length > 0 &&
            unmetNeeds(all, declared, plain).length === 0,
        )
        const isLeftOut = (variable: string) => names.includes(variable)
        const perhapsSkipped = declaring((all, declared) =>
          declared.some((need) => all[need]?.variables.some(isLeftOut)),
        )
        const variant = configuredOtherwise(`without-${name}`, (all) => without(names, all))
        const subject = { ...conforming, kind: 'need', name: `without ${name}`, services } as const
        return [{ ...subject, skipped, perhapsSkipped, variant }]
      }
      return []
    }),
  )
}

/** Returns the plain deployment with each variable that identifies it, or a resource of it, pointing elsewhere. */
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
      const variant = configuredOtherwise(`elsewhere-${name}`, (all) =>
        baseUrl in all ? { ...all, [name]: `${all[name] ?? example}${suffix}` } : all,
      )
      const services = [catalogue.service as ServiceName]
      const judged = { ...conforming, verdict: undefined, elsewhere: { variable: name, isBaseUrl } }
      return { ...judged, kind: 'need', name: `elsewhere ${name}`, services, variant }
    })
  })
}
