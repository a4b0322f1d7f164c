// The scenarios on which a mutant of the model is tried, the likeliest to notice it first.
import { memoized } from '../../conformance/memoized.ts'
import { coveringScenarios, type Scenario, scenarios } from '../prove/scenario.ts'
import type { ServiceName } from '../reference/index.ts'
import type { Effect } from './effects.ts'

export interface Trial {
  scenario: Scenario
  /** Ids of the requirements that are judged. */
  judged: readonly string[]
  effect: Effect
  /** True if the scenario is about these requirements. */
  isOwn: boolean
}

/** Scenarios by the mutants that they noticed: neighbors of a mutant are often noticed by the same ones. */
export class KillOrder {
  readonly #noticed = new Map<Scenario, number>()
  #count = 0

  add(scenario: Scenario): void {
    this.#count += 1
    this.#noticed.set(scenario, this.#count)
  }

  /** Compares the scenarios of two trials: the scenario that noticed a mutant last is first. */
  readonly compare = (one: Trial, other: Trial): number =>
    (this.#noticed.get(other.scenario) ?? 0) - (this.#noticed.get(one.scenario) ?? 0)
}

/** Most changed requirements for which all their scenarios are tried; for more, a covering set. */
const MAX_JUDGED_BY_ALL = 8

/** Returns the scenarios of some of the services. */
export const scenariosOf = memoized((services: readonly ServiceName[]) =>
  scenarios.filter((one) => services.some((name) => one.services.includes(name))),
)

const coveringOf = memoized(
  (services: readonly ServiceName[]) => new Set(coveringScenarios(scenariosOf(services))),
)

const sectionOf = (id: string) => id.slice(0, id.lastIndexOf('/'))

/**
 * Returns the runs that can notice a mutant: the faults of its requirements, and if it makes rules stricter,
 * of the tolerances of these, and the faults of the requirements that explain them or are in the same section.
 */
export function trialsOf(
  services: readonly ServiceName[],
  effectOf: (scenario: Scenario) => Effect,
  order: KillOrder,
): Trial[] {
  const covering = coveringOf(services)
  const trials = scenariosOf(services).map((scenario) => {
    const effect = effectOf(scenario)
    const { changed, related, isStricter } = effect
    const isAbout = (ids: readonly string[]) => scenario.failing.some((id) => ids.includes(id))
    const sections = new Set(changed.map(sectionOf))
    const isInSection = scenario.failing.some((id) => sections.has(sectionOf(id)))
    const used = scenario.tolerances.map(({ requirement }) => requirement)
    const isCovering = covering.has(scenario)
    const kinds = [
      isAbout(changed) &&
        (effect.lost !== undefined || isCovering || changed.length <= MAX_JUDGED_BY_ALL),
      isStricter &&
        used.some((id) => changed.includes(id)) &&
        (isCovering || changed.length <= MAX_JUDGED_BY_ALL),
      isStricter && (isAbout(related) || (effect.lost !== undefined && isInSection)),
    ]
    const kind = kinds.indexOf(true)
    // The unmodified server shows the effect on other requirements.
    const judged =
      [scenario.failing, used, changed][kind]?.filter((id) => changed.includes(id)) ?? []
    return { scenario, judged, effect, isOwn: kind === 0, kind }
  })
  return trials
    .filter(({ judged }) => judged.length > 0)
    .sort((one, other) => order.compare(one, other) || one.kind - other.kind)
}
