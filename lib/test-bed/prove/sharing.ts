/** Which scenarios share a server, and which ones together cover every requirement and tolerance. */
import { toleranceId } from './registry.ts'
import type { Scenario } from './scenario.ts'

/** Returns the scenario of a server with all these changes, whose names its name joins. */
export const combine = (parts: readonly Scenario[]): Scenario => ({
  ...(parts[0] as Scenario),
  name: parts.map(({ name }) => name).join(' + '),
  failing: [...new Set(parts.flatMap(({ failing }) => failing))],
  tolerances: parts.flatMap(({ tolerances }) => tolerances),
  expectedVerdicts: Object.assign({}, ...parts.map((part) => part.expectedVerdicts)),
  ...(parts[0]?.variant && {
    variant: {
      ...parts[0].variant,
      codeHosting: { change: parts.map(({ variant }) => variant?.codeHosting?.change ?? {}) },
    },
  }),
})

/** Returns the ids of the requirements that a fault breaks, or that a variant has something to do with. */
export const requirementsOf = ({ failing, tolerances, expectedVerdicts = {} }: Scenario) => [
  ...new Set([
    ...failing,
    ...tolerances.map(({ requirement }) => requirement),
    ...Object.keys(expectedVerdicts),
  ]),
]

/** Maximum number of changes of a server; of more, one often hides another. */
const MAX_SHARING = 4

/** Returns the server that a change of code hosting can share; undefined for other scenarios. */
function sharedServer({ kind, services, needed = '', verdict, unjudged, variant }: Scenario) {
  if (services.join() !== 'code-hosting') return undefined
  if (kind === 'fault') return `faults ${needed}`
  const isOnly = Object.keys(variant?.codeHosting ?? {}).join() === 'change'
  return isOnly && verdict === 'conformant' && unjudged.length === 0 ? 'variants' : undefined
}

/** Returns the scenarios in groups that share a server: changes of code hosting for different requirements. */
export function sharing(all: readonly Scenario[]): Scenario[][] {
  const groups: Scenario[][] = []
  const shared = all.filter(sharedServer)
  for (const one of shared) {
    const isFree = (group: readonly Scenario[]) =>
      group.length < MAX_SHARING &&
      group.every(
        (other) =>
          sharedServer(other) === sharedServer(one) &&
          !requirementsOf(other).some((id) => requirementsOf(one).includes(id)),
      )
    // Faults of one section often hide each other, so each of the first ones opens a group.
    const isOpening = groups.length < shared.length / MAX_SHARING
    const [smallest] = groups.filter(isFree).sort((a, b) => a.length - b.length)
    if (smallest && !isOpening) smallest.push(one)
    else groups.push([one])
  }
  return [...groups, ...all.filter((one) => !sharedServer(one)).map((one) => [one])]
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
