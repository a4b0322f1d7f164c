import { parsedJson } from '../../reports/schema-errors.ts'
import { toServiceName } from '../../results/ids.ts'
import type { BaselineReview, ObservationDiff, RunReport } from '../../results/run-report.ts'
import { addressOf } from '../../results/snapshot.ts'
import {
  compareObservations,
  normalObservations,
  type Observed,
  observationDiff,
  united,
} from '../compare/observation-diff.ts'
import { isBaseline } from '../validators.ts'

export interface Baseline {
  schema: 1
  /** Base URL or `embedded`, by service name in camel case. */
  target: Record<string, string>
  /** Normal observations by id, see `normalObservation`. */
  observations: Record<string, unknown>
}

export function readBaseline(text: string) {
  return parsedJson<Baseline>(text, isBaseline, 'baseline')
}

function sorted<Value>(object: Record<string, Value>): Record<string, Value> {
  const entries = Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries)
}

/** Formats a baseline with sorted keys, so that it differs only if the observations do. */
export function baselineText({ schema, target, observations }: Baseline): string {
  const content = { schema, target: sorted(target), observations: sorted(observations) }
  return `${JSON.stringify(content, null, 2)}\n`
}

/**
 * Compares the observations of a run with a baseline. Observations of services that were
 * not probed, and unknown ids, are ignored.
 */
export function reviewBaseline(
  { target, observations }: Observed,
  baseline: Baseline,
  { pinned, known }: { pinned: boolean; known: ReadonlySet<string> },
): BaselineReview {
  const services = Object.keys(target).map(toServiceName)
  const exchangesOf = new Map(observations.map(({ id, exchanges }) => [id, exchanges]))
  const before = new Map(Object.entries(baseline.observations))
  const all = compareObservations(before, normalObservations({ target, observations }))
    .filter(({ id, state }) => {
      const isProbed = services.some((service) => id.startsWith(`${service}/`))
      return state !== 'missing' || (known.has(id) && isProbed)
    })
    .map(({ differences: _, ...one }): ObservationDiff => {
      return { ...one, exchanges: exchangesOf.get(one.id) ?? [] }
    })
  return { pinned, observations: all.sort((one, other) => (one.id < other.id ? -1 : 1)) }
}

/**
 * Returns the baseline updated with the observations of a run. It keeps its value if the run has null or an
 * empty list, and if the run did not make the observation; unknown ids are removed.
 */
export function updatedBaseline(
  { target, observations }: Observed,
  baseline: Baseline | undefined,
  known: ReadonlySet<string>,
): Baseline {
  const before = Object.entries(baseline?.observations ?? {}).filter(([id]) => known.has(id))
  const updated = new Map(before)
  for (const [id, after] of normalObservations({ target, observations })) {
    // A value without a change that counts keeps the file as it is.
    const isKnown = updated.has(id) && observationDiff(updated.get(id), after).length === 0
    updated.set(id, isKnown ? united(updated.get(id), after) : after)
  }
  const places = Object.entries(target).map(([service, place]) => [service, addressOf(place)])
  const targets = { ...baseline?.target, ...Object.fromEntries(places) }
  return { schema: 1, target: targets, observations: Object.fromEntries(updated) }
}

/** Returns a sentence for each service whose address differs from the one in the baseline. */
export function otherPlaces({ target }: Pick<RunReport, 'target'>, baseline: Baseline): string[] {
  return Object.entries(target).flatMap(([service, place]) => {
    const [before, now] = [baseline.target[service], addressOf(place)]
    const text = `The baseline of ${toServiceName(service)} was written for ${before}, and ${now} was probed.`
    return before === undefined || before === now ? [] : [text]
  })
}
