import type { RunReport } from '../conformance/result.ts'
import { addressOf } from '../reports/changes.ts'
import { shortened } from '../reports/printable.ts'
import { counted, serviceName } from '../reports/run-words.ts'

/** Something besides the server's behaviour in which two runs differ, so that verdicts may too. */
export interface DifferingCondition {
  /** What it is about. */
  kind: 'run' | 'target' | 'selection' | 'setting' | 'account' | 'waivers' | 'tool'
  /** A sentence without its full stop, from text of the reports as they are. */
  text: string
}

const shownIds = 5
const shownLength = 120

function aboutRuns(before: RunReport, after: RunReport): DifferingCondition[] {
  const texts = [
    before.run.id === after.run.id ? 'both reports are of the same run' : undefined,
    Date.parse(after.run.startedAt) < Date.parse(before.run.startedAt)
      ? 'the run that was given as the later one began before the other: are the two in order?'
      : undefined,
    before.run.interrupted === true ? 'the run before was interrupted' : undefined,
    after.run.interrupted === true ? 'the run after was interrupted' : undefined,
  ]
  return texts.flatMap((text) => (text === undefined ? [] : [{ kind: 'run', text }]))
}

function placeText(place: RunReport['target'][string]): string {
  return place.embedded === true ? 'the embedded reference deployment' : place.baseUrl
}

function aboutTargets(before: RunReport, after: RunReport): DifferingCondition[] {
  const [earlier, later] = [before, after].map(({ target }) => new Map(Object.entries(target)))
  const services = new Set([...Object.keys(before.target), ...Object.keys(after.target)])
  return [...services].flatMap((key): DifferingCondition[] => {
    const [was, is] = [earlier?.get(key), later?.get(key)]
    const name = serviceName(key)
    if (was === undefined) {
      return [{ kind: 'target', text: `${name} was probed after, and not before` }]
    }
    if (is === undefined) {
      return [{ kind: 'target', text: `${name} was probed before, and not after` }]
    }
    if (addressOf(was) === addressOf(is)) return []
    const text = `${name} was at ${placeText(was)} before, and at ${placeText(is)} after`
    return [{ kind: 'target', text }]
  })
}

function unselectedIn({ results }: RunReport): string[] {
  return results.flatMap(({ unjudged, requirement }) =>
    unjudged?.kind === 'not selected' ? [requirement] : [],
  )
}

function aboutSelection(before: RunReport, after: RunReport): DifferingCondition[] {
  const [earlier, later] = [unselectedIn(before), unselectedIn(after)]
  if (earlier.length === later.length && earlier.every((id) => later.includes(id))) return []
  const parts = Object.entries({ before: earlier, after: later })
    .filter(([, ids]) => ids.length > 0)
    .map(([when, { length }]) => `${when}, ${counted(length, 'requirement', 'requirements')}`)
  return [{ kind: 'selection', text: `not everything was selected: ${parts.join('; ')} left out` }]
}

/** The beginnings of the variables of what both runs probed: the services are compared apart. */
function prefixesOfBoth(before: RunReport, after: RunReport): string[] {
  const services = Object.keys(before.target).filter((key) => Object.hasOwn(after.target, key))
  const names = services.map((key) => serviceName(key).toUpperCase().replaceAll('-', '_'))
  return [...names, 'PROBE'].map((name) => `${name}_`)
}

function aboutSettings(before: RunReport, after: RunReport): DifferingCondition[] {
  const [earlier, later] = [before, after].map(
    ({ settings = {} }) => new Map(Object.entries(settings)),
  )
  const prefixes = prefixesOfBoth(before, after)
  const names = new Set([...(earlier?.keys() ?? []), ...(later?.keys() ?? [])])
  return [...names].flatMap((name): DifferingCondition[] => {
    if (!prefixes.some((prefix) => name.startsWith(prefix))) return []
    const [was, is] = [earlier?.get(name), later?.get(name)]
    const kind = name.endsWith('_USERNAME') ? 'account' : 'setting'
    if (is === undefined) return [{ kind, text: `${name} is set before, and not after` }]
    if (was === undefined) return [{ kind, text: `${name} is set after, and not before` }]
    // A report may have kept the name of the variable in place of its value.
    if (was === is || [was, is].includes(`$${name}`)) return []
    const [one, other] = [was, is].map((value) => shortened(String(value), shownLength))
    return [{ kind, text: `${name} is ${one} before, and ${other} after` }]
  })
}

/** Ids of requirements whose failure a run waives, whether or not they failed. */
function waivedIn({ waivers = [] }: RunReport): string[] {
  const current = waivers.filter(({ state }) => state !== 'expired' && state !== 'unknown')
  return [...new Set(current.map(({ requirement }) => requirement))]
}

function aboutWaivers(before: RunReport, after: RunReport): DifferingCondition[] {
  const [earlier, later] = [waivedIn(before), waivedIn(after)]
  const parts = Object.entries({
    before: earlier.filter((id) => !later.includes(id)),
    after: later.filter((id) => !earlier.includes(id)),
  }).flatMap(([when, ids]) => {
    const more = ids.length > shownIds ? ` and ${ids.length - shownIds} more` : ''
    return ids.length === 0 ? [] : [`only ${when} for ${ids.slice(0, shownIds).join(', ')}${more}`]
  })
  if (parts.length === 0) return []
  return [{ kind: 'waivers', text: `the runs had other waivers: ${parts.join('; ')}` }]
}

function aboutTools(before: RunReport, after: RunReport): DifferingCondition[] {
  const [earlier, later] = [before.tool.version, after.tool.version]
  if (earlier === later) return []
  return [
    { kind: 'tool', text: `Plumbline ${earlier} judged before, and Plumbline ${later} after` },
  ]
}

/** In what two runs differ besides what the server does. */
export function differingConditions(before: RunReport, after: RunReport): DifferingCondition[] {
  return [aboutRuns, aboutTargets, aboutSelection, aboutSettings, aboutWaivers, aboutTools].flatMap(
    (look) => look(before, after),
  )
}
