import { ajv } from '../../conformance/ajv.ts'
import { parsedJson } from '../../reports/schema-errors.ts'
import { serviceName } from '../../results/ids.ts'
import type { BaselineReview, ObservationDiff, RunReport } from '../../results/run-report.ts'
import { addressOf } from '../../results/snapshot.ts'
import {
  compareObservations,
  normalObservations,
  observationDiff,
  united,
} from '../compare/observation-diff.ts'
import baselineSchema from './baseline.schema.json' with { type: 'json' }

/** What a deployment did where its documents are silent. */
export interface Baseline {
  schema: 1
  /** By service, in camel case: its base URL, or `embedded`. */
  target: Record<string, string>
  /** Normal observations by id, see `normalObservation`. */
  observations: Record<string, unknown>
}

export function readBaseline(text: string) {
  return parsedJson(text, ajv.compile<Baseline>(baselineSchema), 'baseline')
}

function sorted<Value>(object: Record<string, Value>): Record<string, Value> {
  const entries = Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries)
}

/** The text of a baseline: sorted, so that it differs only where the deployment does. */
export function baselineText({ schema, target, observations }: Baseline): string {
  const content = { schema, target: sorted(target), observations: sorted(observations) }
  return `${JSON.stringify(content, null, 2)}\n`
}

type Probed = Pick<RunReport, 'target' | 'observations'>

/**
 * The observations of a run beside those of a baseline. What the baseline has of services that were
 * not probed is left alone, and so are ids that are not among the known ones.
 */
export function reviewBaseline(
  { target, observations }: Probed,
  baseline: Baseline,
  { pinned, known }: { pinned: boolean; known: ReadonlySet<string> },
): BaselineReview {
  const services = Object.keys(target).map(serviceName)
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
 * The baseline with what a run observed, and with what it had where this run had null or nothing in a
 * list. What it did not observe stays as it was; ids that are not among the known ones go.
 */
export function updatedBaseline(
  { target, observations }: Probed,
  baseline: Baseline | undefined,
  known: ReadonlySet<string>,
): Baseline {
  const before = Object.entries(baseline?.observations ?? {}).filter(([id]) => known.has(id))
  const updated = new Map(before)
  for (const [id, after] of normalObservations({ target, observations })) {
    // A value that only differs in what is no change loses nothing that was known: the file stays.
    const isKnown = updated.has(id) && observationDiff(updated.get(id), after).length === 0
    updated.set(id, isKnown ? united(updated.get(id), after) : after)
  }
  const places = Object.entries(target).map(([service, place]) => [service, addressOf(place)])
  const targets = { ...baseline?.target, ...Object.fromEntries(places) }
  return { schema: 1, target: targets, observations: Object.fromEntries(updated) }
}

/** A sentence for each service that a baseline has from another place than where it was probed. */
export function otherPlaces({ target }: Pick<RunReport, 'target'>, baseline: Baseline): string[] {
  return Object.entries(target).flatMap(([service, place]) => {
    const [before, now] = [baseline.target[service], addressOf(place)]
    const text = `The baseline of ${serviceName(service)} was written for ${before}, and ${now} was probed.`
    return before === undefined || before === now ? [] : [text]
  })
}
