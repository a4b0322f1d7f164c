import {
  fullerObservation,
  normalObservation,
  observationDiff,
  originsOf,
} from '../compare/observation-diff.ts'
import type { BaselineReview, ReviewedPin, RunReport } from '../conformance/result.ts'
import { addressOf } from '../reports/changes.ts'
import { printableSentence, shortened } from '../reports/printable.ts'
import { serviceName } from '../reports/run-words.ts'
import { misfits, validatorOf } from '../reports/schemas.ts'
import baselineSchema from './baseline.schema.json' with { type: 'json' }

/** What a deployment did where its documents are silent. */
export interface Baseline {
  schema: 1
  /** By service, in camel case: its base URL, or `embedded`. */
  target: Record<string, string>
  /** Normal observations by id, see `normalObservation`. */
  observations: Record<string, unknown>
}

/** Reads a baseline from the text of its file, or tells what is wrong with it, in a few words. */
export function readBaseline(text: string): { baseline: Baseline } | { problem: string } {
  if (text.trim() === '') return { problem: 'it is empty: restore it if it was one' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { problem: `it is no JSON (${printableSentence((error as Error).message)})` }
  }
  if (validatorOf<Baseline>(baselineSchema)(value)) return { baseline: value }
  const { schema, target, observations } = (value ?? {}) as Partial<Record<string, unknown>>
  if (target === undefined || observations === undefined || Array.isArray(observations)) {
    return { problem: 'it is no baseline' }
  }
  if (typeof schema === 'number' && schema > 1) {
    return {
      problem:
        `it has the baseline format ${schema}, and this version of Plumbline reads format 1: ` +
        'use the version that wrote it, or a newer one',
    }
  }
  const problems = misfits(value, baselineSchema, 'the baseline').join('; ')
  return {
    problem: `it is damaged: ${shortened(printableSentence(problems), 400)}`,
  }
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

function isOfProbed(id: string, { target }: Probed): boolean {
  return Object.keys(target).some((service) => id.startsWith(`${serviceName(service)}/`))
}

/**
 * The observations of a run beside those of a baseline. What the baseline has of services that were
 * not probed is left alone, and so are ids that are no longer known.
 *
 * @param options.known ids of all observations
 */
export function reviewBaseline(
  report: Probed,
  baseline: Baseline,
  options: { pinned: boolean; known: ReadonlySet<string> },
): BaselineReview {
  const origins = originsOf(report.target)
  const before = new Map(Object.entries(baseline.observations))
  const observed = report.observations.map(({ id, value, exchanges }): ReviewedPin => {
    const after = normalObservation(value, origins)
    if (!before.has(id)) return { id, state: 'new', after, exchanges }
    const known = before.get(id)
    const state = observationDiff(known, after).length === 0 ? 'unchanged' : 'changed'
    return { id, state, before: known, after, exchanges }
  })
  const ids = new Set(observed.map(({ id }) => id))
  const missing = [...before]
    .filter(([id]) => !ids.has(id) && options.known.has(id) && isOfProbed(id, report))
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
  { target, observations }: Probed,
  baseline: Baseline | undefined,
  known: ReadonlySet<string>,
): Baseline {
  const origins = originsOf(target)
  const before = Object.entries(baseline?.observations ?? {}).filter(([id]) => known.has(id))
  const updated = new Map(before)
  for (const { id, value } of observations) {
    const after = normalObservation(value, origins)
    // A value that only differs in what is no change loses nothing that it told: the file stays.
    const isKnown = updated.has(id) && observationDiff(updated.get(id), after).length === 0
    updated.set(id, isKnown ? fullerObservation(updated.get(id), after) : after)
  }
  const places = Object.entries(target).map(([service, place]) => [service, addressOf(place)])
  return {
    schema: 1,
    target: { ...baseline?.target, ...Object.fromEntries(places) },
    observations: Object.fromEntries(updated),
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
