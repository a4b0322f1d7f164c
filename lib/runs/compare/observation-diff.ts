import { volatileKind } from '../../results/normalize.ts'
import type { Observation, ObservationState, RunReport } from '../../results/run-report.ts'
import { truncate } from '../../text/printable.ts'

type Scalar = string | number | boolean | null

/**
 * Facts of an observation by path: `status`, `body.owner.login`, `body.scopes[]`, empty for the
 * whole. For a body these are types, several if they differ, and none for null, because null
 * depends on time.
 */
type Facts = Map<string, readonly Scalar[]>

const kindTexts = { date: '(a date)', UUID: '(a UUID)', id: '(an id)' }

/** Paths of list items and of members of maps by id. */
const repeatedPlace = /(\[\]|\((a date|a UUID|an id)\))$/

const MAX_DEPTH = 40
const MAX_NAME_CHARS = 120

function normalText(text: string): string {
  const kind = volatileKind(text)
  return kind === undefined ? text : kindTexts[kind]
}

function normalScalar(value: unknown, name: string, origins: ReadonlySet<string>): Scalar {
  if (typeof value === 'number') {
    const isStatus = Number.isInteger(value) && value >= 100 && value <= 599
    return isStatus && (name === '' || name === 'status') ? value : '(a number)'
  }
  if (typeof value !== 'string') return value === true || value === false ? value : null
  // A hexadecimal id may happen to have no letter.
  if (name === 'form' && value === 'digits') return 'hexadecimal'
  if (origins.has(value)) return '(the origin of the base URL)'
  return volatileKind(value) === 'id' ? value : normalText(value)
}

/** Returns the path of a member. Ambiguous names are quoted. */
function step(place: string, name: string): string {
  const normal = normalText(name)
  const isPlain = normal !== name || /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name)
  const text = isPlain ? normal : truncate(JSON.stringify(name), MAX_NAME_CHARS)
  return place === '' ? text : `${place}.${text}`
}

function addTo(facts: Facts, place: string, kinds: readonly Scalar[]): void {
  facts.set(place, [...new Set([...(facts.get(place) ?? []), ...kinds])].sort())
}

function factsOf(normal: unknown): Facts {
  const isRecord = typeof normal === 'object' && normal !== null && !Array.isArray(normal)
  const entries: [string, unknown][] = isRecord ? Object.entries(normal) : [['', normal]]
  return new Map(entries.map(([place, kinds]) => [place, [kinds].flat() as Scalar[]]))
}

/** Returns facts as JSON; a single fact about the whole is returned as it is. */
function jsonOf(facts: Facts): unknown {
  const entries = [...facts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([place, kinds]) => [place, kinds.length === 1 ? kinds[0] : kinds] as const)
  return facts.size === 1 && facts.has('') ? entries[0]?.[1] : Object.fromEntries(entries)
}

/**
 * Returns an observation without values that differ from run to run. Dates, UUIDs, ids, and numbers other than
 * status codes are replaced by their kind, and so is the origin of the base URL.
 */
export function normalObservation(observed: unknown, origins: ReadonlySet<string>): unknown {
  const facts: Facts = new Map()
  const visit = (value: unknown, place: string, name: string, depth: number, inBody = false) => {
    const members = (object: object, areOfBody: boolean) => {
      for (const [key, each] of Object.entries(object)) {
        visit(each, step(place, key), key, depth + 1, areOfBody)
      }
    }
    if (depth === MAX_DEPTH) {
      addTo(facts, place, ['… (nested deeper)'])
    } else if (Array.isArray(value)) {
      for (const each of value) {
        // The items of a list of strings are members that exist or not.
        if (typeof each === 'string') addTo(facts, step(place, each), ['listed'])
        else visit(each, `${place}[]`, '[]', depth + 1, inBody)
      }
    } else if (typeof value !== 'object' || value === null) {
      addTo(facts, place, [normalScalar(value, name, origins)])
    } else if (!('type' in value) || typeof value.type !== 'string') {
      members(value, inBody)
    } else {
      // JSON Schema of a body.
      const { type, format, properties, items } = value as Record<string, unknown>
      const text = typeof format === 'string' ? `${type} (${format})` : `${type}`
      addTo(facts, place, inBody && type === 'null' ? [] : [text])
      members(properties ?? {}, true)
      visit([items ?? []].flat(), place, name, depth + 1, true)
    }
  }
  visit(observed, '', '', 0)
  return jsonOf(facts)
}

export function united(one: unknown, other: unknown): unknown {
  const facts = factsOf(one)
  for (const [place, kinds] of factsOf(other)) addTo(facts, place, kinds)
  return jsonOf(facts)
}

function textOf(kinds: readonly Scalar[] | undefined): string | null {
  return kinds ? kinds.map(String).join(' or ') || 'null' : null
}

/** Formats the members of a record or list of strings as JSON. */
function wholeText(normal: unknown): string {
  return textOf(factsOf(normal).get('')) ?? truncate(JSON.stringify(normal), MAX_NAME_CHARS)
}

type Difference = { place: string; before: string | null; after: string | null }

/**
 * Returns the differences of two normal observations, with null for missing values. Empty lists,
 * empty maps by id, and null in a body are not differences.
 */
export function observationDiff(before: unknown, after: unknown): Difference[] {
  const [left, right] = [factsOf(before), factsOf(after)]
  if (left.has('') !== right.has('')) {
    return [{ place: '', before: wholeText(before), after: wholeText(after) }]
  }
  /** Paths whose members need no comparison. */
  const comparedPaths = new Set<string>()
  const isSettled = (place: string) =>
    (place !== '' && comparedPaths.has('')) ||
    [...place.matchAll(/[.[]/g)].some(({ index }) => comparedPaths.has(place.slice(0, index)))
  // Sorted, a path comes before its members.
  return [...new Set([...left.keys(), ...right.keys()])].sort().flatMap((place) => {
    const [was, is] = [left.get(place), right.get(place)]
    const difference = { place, before: textOf(was), after: textOf(is) }
    if (isSettled(place) || difference.before === difference.after) return []
    comparedPaths.add(place)
    const saysNothing = was && is ? was.length * is.length === 0 : repeatedPlace.test(place)
    return saysNothing ? [] : [difference]
  })
}

export interface ComparedObservation {
  id: string
  state: ObservationState
  before?: unknown
  after?: unknown
  differences: Difference[]
}

export interface Observed extends Pick<RunReport, 'target'> {
  observations: readonly Observation[]
}

/** Returns the observations of a run by id, without what differs from run to run. */
export function normalObservations({ target, observations }: Observed): Map<string, unknown> {
  const origins = new Set(
    Object.values(target).flatMap(({ baseUrl }) =>
      URL.canParse(baseUrl) ? new URL(baseUrl).origin : [],
    ),
  )
  return new Map(observations.map(({ id, value }) => [id, normalObservation(value, origins)]))
}

/** Compares normal observations, in the order of the later run, then the missing ones. */
export function compareObservations(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): ComparedObservation[] {
  const later = [...after].map(([id, value]): ComparedObservation => {
    if (!before.has(id)) return { id, state: 'new', after: value, differences: [] }
    const differences = observationDiff(before.get(id), value)
    const state = differences.length === 0 ? 'unchanged' : 'changed'
    return { id, state, before: before.get(id), after: value, differences }
  })
  const missing = [...before].flatMap(([id, value]): ComparedObservation[] =>
    after.has(id) ? [] : [{ id, state: 'missing', before: value, differences: [] }],
  )
  return [...later, ...missing]
}

/** Formats a difference: `body.code added (string)`, `status: 401 → 403`, `400 → 422`. */
export function differenceText({ place, before, after }: Difference): string {
  if (before === null) return `${place} added (${after})`
  if (after === null) return `${place} removed (was ${before})`
  return `${place === '' ? '' : `${place}: `}${before} → ${after}`
}
