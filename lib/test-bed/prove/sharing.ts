/** Which scenarios share a server, and which ones together cover every requirement and tolerance. */
import { changedRulesOf, combineVariants } from '../reference/index.ts'
import { toleranceId } from './registry.ts'
import type { Scenario } from './scenario.ts'

/** Returns the scenario of a server with all these changes, whose names its name joins. */
export function combine(parts: readonly Scenario[]): Scenario {
  const [first] = parts as [Scenario]
  if (parts.length === 1) return first
  return {
    ...first,
    name: parts.map(({ name }) => name).join(' + '),
    services: [...new Set(parts.flatMap(({ services }) => services))],
    failing: [...new Set(parts.flatMap(({ failing }) => failing))],
    tolerances: parts.flatMap(({ tolerances }) => tolerances),
    expectedVerdicts: Object.assign({}, ...parts.map((part) => part.expectedVerdicts)),
    ...(first.variant && {
      variant: combineVariants(parts.flatMap(({ variant = [] }) => variant)),
    }),
  }
}

/** Returns the ids of the requirements that a fault breaks, or that a variant has something to do with. */
export const requirementsOf = ({ failing, tolerances, expectedVerdicts = {} }: Scenario) => [
  ...new Set([
    ...failing,
    ...tolerances.map(({ requirement }) => requirement),
    ...Object.keys(expectedVerdicts),
  ]),
]

/** Maximum number of changes of a service on one server; of more, one often hides another. */
const MAX_SHARING = 6

/** Returns the service of which a scenario changes only rules, and the server that it can share; undefined for other scenarios. */
function shareOf({ kind, services, needed = '', verdict, unjudged, variant }: Scenario) {
  if (kind === 'fault') return { service: services[0], server: `faults ${needed}` }
  const isConforming = verdict === 'conformant' && unjudged.length === 0
  const changed = variant && isConforming ? changedRulesOf(variant) : []
  return changed.length === 1 ? { service: changed[0], server: 'variants' } : undefined
}

/** Returns the scenarios in groups that share a server: changes for different requirements. */
export function sharing(all: readonly Scenario[]): Scenario[][] {
  const shared = all.flatMap((scenario) => {
    const share = shareOf(scenario)
    return share ? [{ scenario, ids: requirementsOf(scenario), ...share }] : []
  })
  const groups: (typeof shared)[] = []
  for (const one of shared) {
    const { ids, server, service } = one
    const ofService = (some: typeof shared) =>
      some.filter((other) => other.service === service).length
    const isFree = (group: typeof shared) =>
      ofService(group) < MAX_SHARING &&
      group.every((other) => other.server === server && !other.ids.some((id) => ids.includes(id)))
    // Faults of one section often hide each other, so each of the first ones opens a group.
    const isOpening = groups.length < ofService(shared) / MAX_SHARING
    const [smallest] = groups.filter(isFree).sort((a, b) => ofService(a) - ofService(b))
    if (smallest && !isOpening) smallest.push(one)
    else groups.push([one])
  }
  return [
    ...groups.map((group) => group.map(({ scenario }) => scenario)),
    ...all.filter((one) => !shareOf(one)).map((one) => [one]),
  ]
}

const coveredBy = ({ failing, tolerances }: Scenario) => failing.concat(tolerances.map(toleranceId))

/** Chooses scenarios that together cover what all are about: each covers the most of what is missing, and is then about that only. */
function covering(all: readonly Scenario[]): Scenario[] {
  const missing = new Set(all.flatMap(coveredBy))
  const isMissing = (id: string) => missing.has(id)
  const gainOf = (one: Scenario) => coveredBy(one).filter(isMissing).length
  const chosen: Scenario[] = []
  while (missing.size > 0) {
    const best = all.reduce((most, one) => (gainOf(one) > gainOf(most) ? one : most))
    const failing = best.failing.filter(isMissing)
    const tolerances = best.tolerances.filter((used) => isMissing(toleranceId(used)))
    chosen.push({ ...best, failing, tolerances, expectedVerdicts: {} })
    for (const id of coveredBy(best)) missing.delete(id)
  }
  return chosen
}

/**
 * Returns a fault for each requirement, and a variant for each tolerance; always the same ones.
 * A variant in which all requirements have a verdict precedes others.
 */
export function coveringScenarios(all: readonly Scenario[]): Scenario[] {
  const ofKind = (kind: Scenario['kind']) => all.filter((scenario) => scenario.kind === kind)
  const judgedFirst = ofKind('variant').toSorted((a, b) => a.unjudged.length - b.unjudged.length)
  // It waits for the next code.
  const isLong = ({ name }: Scenario) => name === 'one-time-codes-once'
  const chosen = [...covering(judgedFirst), ...covering(ofKind('fault'))]
  return chosen.sort((one, other) => Number(isLong(other)) - Number(isLong(one)))
}
