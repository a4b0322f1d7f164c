// Compares the plan of a run with a mutant of the model and without it.
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { CodeHostingTarget } from '../../../suites/code-hosting/variables.ts'
import { loadTarget } from '../../cli/services.ts'
import { type Scenario, scenarios } from '../prove/scenario.ts'
import { startReference } from '../reference/index.ts'
import { bundleWithMutants, type Instrumented, type Mutant, project } from './instrument.ts'
import { fileOf, MUTATED_FILES } from './model-files.ts'
import type { Plan, PlannedCases } from './plan.ts'

/** The requirements and cases that a mutant changes for a target. */
export interface Effect {
  /** Requirements that judge other cases, or judge a case in another way. */
  changed: readonly string[]
  /** Requirements of the controls and explanations of these cases. */
  related: readonly string[]
  /** Cases that are judged in another way or not at all, by requirement; undefined if they are not known. */
  lost?: ReadonlyMap<string, ReadonlySet<string>>
  /** The cases of the plan without the mutant. */
  planned?: ReadonlySet<string>
  /** True if a case is judged in another way, so that it may fail where it must not. */
  isStricter: boolean
}

const NO_EFFECT: Effect = { changed: [], related: [], isStricter: false }

/** Effects by the planned parts of a target, as JSON. */
type Effects = ReadonlyMap<string, Effect>

/** Returns the effect of a change from one plan to another. */
function effectOf(before: Plan, after: Plan): Effect {
  const only = (one: Plan, other: Plan) =>
    [...one].flatMap(([text, item]) => (other.has(text) ? [] : [item]))
  const [dropped, added] = [only(before, after), only(after, before)]
  const lost = new Map<string, Set<string>>()
  for (const { id, requirements } of dropped) {
    for (const requirement of requirements) {
      lost.set(requirement, (lost.get(requirement) ?? new Set()).add(id))
    }
  }
  return {
    changed: [...new Set([...dropped, ...added].flatMap(({ requirements }) => requirements))],
    // Explanations of a mutant may be outside the table.
    related: [...new Set(dropped.flatMap(({ related }) => related()))],
    lost,
    planned: new Set([...before.values()].map(({ id }) => id)),
    isStricter: added.length > 0,
  }
}

/** Returns the parts of a target on which the plan of its run depends. */
function planned({ settings, username, other }: CodeHostingTarget): CodeHostingTarget {
  const { allowLegacyTokenScheme, disableQueryAuthToken, maxResponseItems, defaultPagingNum } =
    settings
  const pages = { maxResponseItems, defaultPagingNum }
  return {
    settings: { allowLegacyTokenScheme, disableQueryAuthToken, ...pages },
    ...(username !== undefined && { username: 'main' }),
    ...(other && { other: {} }),
  } as CodeHostingTarget
}

export const startScenario = ({ kind, name, variant, services }: Scenario) =>
  startReference({ services, ...(kind === 'fault' ? { fault: name } : { variant }) })

/** Planned parts of the target of each scenario, as JSON; empty for one without this service. */
type Targets = ReadonlyMap<Scenario, string>

export async function readTargets(scenarios: readonly Scenario[]): Promise<Targets> {
  const targets = new Map<Scenario, string>()
  for (const scenario of scenarios) {
    const { environment, close } = await startScenario(scenario)
    await close()
    const loaded = loadTarget({ environment, directory: import.meta.dirname })
    const target = 'target' in loaded ? loaded.target.codeHosting : undefined
    if (target === undefined) throw new Error(`${scenario.name} has no valid configuration`)
    targets.set(scenario, JSON.stringify(planned(target)))
  }
  return targets
}

const failingIds = [...new Set(scenarios.flatMap(({ failing }) => failing))]

/** Requirements about lists, which rules of lists may judge. */
const listRequirements = failingIds.filter((id) => id.startsWith('code-hosting/pagination/'))

const PART =
  /^(?:export )?(?:async )?(?:const|function) (\w+)|^ {2}'([a-z-]+\/[a-z/-]+)':|^verify\('([a-z/-]+)'/

/** A suite that makes checks of rules. */
const PAGINATION_SUITE = 'suites/code-hosting/pagination.suite.ts'

/** A function, constant, rule or check at the top level of a file. */
interface Part {
  name: string
  text: string
  /** Its last line. */
  end: number
}

function partsOf(text: string): Part[] {
  const parts: Part[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const [found, ...names] = PART.exec(line) ?? []
    const part = parts.at(-1)
    if (found) parts.push({ name: names.find(Boolean) ?? '', text: line, end: index + 1 })
    else if (part) Object.assign(part, { text: `${part.text}\n${line}`, end: index + 1 })
  }
  return parts
}

/**
 * Returns the requirements of the rules that a mutant is in, or that use the function that it is in; else all
 * of the file.
 */
function requirementsOf({ file, line }: Mutant): readonly string[] {
  const textOf = (path: string) => readFileSync(join(project, path), 'utf8')
  const text = textOf(file)
  const own = partsOf(text).find(({ end }) => line <= end)
  const importing = [...Object.keys(MUTATED_FILES), PAGINATION_SUITE].filter((path) =>
    new RegExp(` from '\\./(model/)?${basename(file)}'`).test(textOf(path)),
  )
  const parts = [file, ...importing].flatMap((path) => partsOf(textOf(path)))
  const using = new Set(own && [own])
  // A set visits what is added meanwhile.
  for (const { name } of using) {
    const isUse = new RegExp(`\\b${name}\\b`)
    if (/^\w+$/.test(name)) {
      for (const part of parts) if (isUse.test(part.text)) using.add(part)
    }
  }
  const ids = [...using].map(({ name }) => name).filter((name) => failingIds.includes(name))
  if (ids.length > 0) return ids
  const { prefix } = fileOf({ file })
  return failingIds.filter((id) => (prefix ? id.startsWith(prefix) : text.includes(`  '${id}':`)))
}

/**
 * Returns a function that returns the effect of a mutant on each scenario; undefined if it prevents the plan.
 *
 * @param targets see `readTargets`
 */
export async function effectReader(instrumented: Instrumented, targets: Targets) {
  const load = await bundleWithMutants<typeof import('./plan.ts')>(
    'lib/test-bed/mutation/plan.ts',
    instrumented,
  )
  const distinct = [...new Set(targets.values())].map((text) => {
    const target = JSON.parse(text) as CodeHostingTarget
    const { casesOf, planOf } = load().module
    const cases = casesOf(target)
    return { text, target, cases, plan: planOf(target, cases, listRequirements) }
  })
  /** Returns the effects on the first target, or if there is none, on the others. */
  function readEffects(mutant: Mutant): Effects {
    const { casesOf, planOf } = load(mutant).module
    const planWith = (target: CodeHostingTarget, cases: PlannedCases) =>
      planOf(target, cases, listRequirements)
    const changes: ((target: (typeof distinct)[number]) => Effect)[] = [
      ({ target, cases, plan }) => effectOf(plan, planWith(target, cases)),
      // A changed rule changes the choice of the cases too; other cases alone are judged as before.
      ({ target, plan }) => ({
        ...effectOf(plan, planWith(target, casesOf(target))),
        isStricter: false,
      }),
    ]
    const [first, ...others] = distinct
    for (const change of changes) {
      const effect = first && change(first)
      if (effect?.changed.length) return new Map(distinct.map(({ text }) => [text, effect]))
      const effects = others.map((one) => [one.text, change(one)] as const)
      if (effects.some(([, { changed }]) => changed.length > 0)) return new Map(effects)
    }
    return new Map()
  }

  function plannedEffects(mutant: Mutant): Effects | undefined {
    try {
      return readEffects(mutant)
    } catch {
      return undefined
    }
  }

  return (
    mutant: Mutant,
    requirements: ReadonlySet<string>,
  ): ((scenario: Scenario) => Effect) | undefined => {
    const { services, isPlanned } = fileOf(mutant)
    if (!isPlanned) {
      const ofRules = services.includes('code-hosting') && requirementsOf(mutant)
      const changed = [...(ofRules || requirements)].filter((id) => requirements.has(id))
      return () => ({ changed, related: [], isStricter: true })
    }
    const effects = plannedEffects(mutant)
    if (effects === undefined) return undefined
    return (scenario) => {
      const effect = effects.get(targets.get(scenario) ?? '') ?? NO_EFFECT
      return { ...effect, changed: effect.changed.filter((id) => requirements.has(id)) }
    }
  }
}
