import type { BaselineReview, ReviewedPin, RunReport } from '../conformance/result.ts'
import { addressOf } from '../reports/changes.ts'
import { serviceName } from '../reports/run-words.ts'
import type { Baseline } from './file.ts'
import { fullerPin, isSamePin, pinned } from './pins.ts'

type Probed = Pick<RunReport, 'target' | 'observations'>

function pinsOf({ target, observations }: Probed): Map<string, unknown> {
  const origins = new Set(Object.values(target).map(({ baseUrl }) => new URL(baseUrl).origin))
  return new Map(observations.map(({ id, value }) => [id, pinned(value, origins)]))
}

/** As this version keeps them: an earlier one kept dates and ids that are names of properties. */
function pinsOfBaseline(entries: readonly [string, unknown][]): Map<string, unknown> {
  return new Map(entries.map(([id, value]) => [id, pinned(value, new Set())]))
}

function isOfProbed(id: string, { target }: Probed): boolean {
  return Object.keys(target).some((service) => id.startsWith(`${serviceName(service)}/`))
}

/**
 * The observations of a run beside those of a baseline. What the baseline has of services that were
 * not probed is left alone, and so are ids that are no longer known.
 *
 * @param known ids of all observations
 */
export function reviewBaseline(
  report: Probed,
  baseline: Baseline,
  options: { pinned: boolean; known: ReadonlySet<string> },
): BaselineReview {
  const now = pinsOf(report)
  const before = pinsOfBaseline(Object.entries(baseline.observations))
  const exchanges = new Map(report.observations.map((observation) => [observation.id, observation]))
  const observed = [...now].map(([id, after]): ReviewedPin => {
    const evidence = { exchanges: exchanges.get(id)?.exchanges ?? [] }
    if (!before.has(id)) return { id, state: 'new', after, ...evidence }
    return isSamePin(before.get(id), after)
      ? { id, state: 'unchanged', before: before.get(id), after, ...evidence }
      : { id, state: 'changed', before: before.get(id), after, ...evidence }
  })
  const missing = [...before]
    .filter(([id]) => !now.has(id) && options.known.has(id) && isOfProbed(id, report))
    .map(([id, value]): ReviewedPin => ({ id, state: 'missing', before: value, exchanges: [] }))
  const observations = [...observed, ...missing].sort((a, b) => (a.id < b.id ? -1 : 1))
  return { pinned: options.pinned, observations }
}

/**
 * The baseline with what a run observed, and with what it had where this run had null or nothing in a
 * list. What it did not observe stays as it was; ids that are no longer known go.
 *
 * @param known ids of all observations
 */
export function updatedBaseline(
  report: Probed,
  baseline: Baseline | undefined,
  known: ReadonlySet<string>,
): Baseline {
  const entries = Object.entries(baseline?.observations ?? {}).filter(([id]) => known.has(id))
  const before = pinsOfBaseline(entries)
  // A value that only differs in what is no change loses nothing that it told, so that the file stays.
  const now = [...pinsOf(report)].map(([id, after]): [string, unknown] =>
    before.has(id) && isSamePin(before.get(id), after)
      ? [id, fullerPin(before.get(id), after)]
      : [id, after],
  )
  const places = Object.entries(report.target).map(([service, place]) => [
    service,
    addressOf(place),
  ])
  return {
    schema: 1,
    target: { ...baseline?.target, ...Object.fromEntries(places) },
    observations: Object.fromEntries([...before, ...now]),
  }
}

/** The services that a baseline has from another place than where they were probed, with both. */
export function otherPlaces(
  { target }: Pick<RunReport, 'target'>,
  baseline: Baseline,
): { service: string; baseline: string; probed: string }[] {
  return Object.entries(target).flatMap(([service, place]) => {
    const [before, now] = [baseline.target[service], addressOf(place)]
    return before === undefined || before === now
      ? []
      : [{ service: serviceName(service), baseline: before, probed: now }]
  })
}
