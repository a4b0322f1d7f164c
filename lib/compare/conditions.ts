import type { RunReport } from '../conformance/result.ts'
import type { Settings } from '../environment/environment.ts'
import { shortened } from '../reports/printable.ts'
import { abbreviatedIds } from '../reports/reason-groups.ts'
import { serviceName } from '../reports/run-words.ts'

/** Something besides the server's behaviour in which two runs differ, so that verdicts may too. */
interface DifferingCondition {
  /** What it is about. */
  kind: 'run' | 'target' | 'selection' | 'setting' | 'account' | 'waivers' | 'tool'
  /** A sentence without its full stop, from text of the reports as they are. */
  text: string
}

const longestValue = 120

/** What only one of two tables has, or has otherwise than the other one. */
function changedEntries(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
  [isThere, is]: readonly [isThere: string, is: string],
): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, now] = [before.get(name), after.get(name)]
    if (was === now) return []
    if (now === undefined) return [`${name} ${isThere} before, and not after`]
    if (was === undefined) return [`${name} ${isThere} after, and not before`]
    const [earlier, later] = [was, now].map((value) => shortened(String(value), longestValue))
    return [`${name} ${is} ${earlier} before, and ${later} after`]
  })
}

/** What only one of two lists of ids has. */
function differingIds(what: string, before: readonly string[], after: readonly string[]): string[] {
  const removed = before.filter((id) => !after.includes(id))
  const added = after.filter((id) => !before.includes(id))
  const parts = [
    ...(removed.length === 0 ? [] : [`only before for ${abbreviatedIds(removed)}`]),
    ...(added.length === 0 ? [] : [`only after for ${abbreviatedIds(added)}`]),
  ]
  return parts.length === 0 ? [] : [`${what}: ${parts.join('; ')}`]
}

/** Where each service was probed. */
function placesIn({ target }: RunReport): Map<string, string> {
  const places = Object.entries(target).map(([key, place]): [string, string] => [
    serviceName(key),
    place.embedded === true ? 'the embedded reference deployment' : place.baseUrl,
  ])
  return new Map(places)
}

function unselectedIn({ results }: RunReport): string[] {
  return results
    .filter(({ unjudged }) => unjudged?.kind === 'not selected')
    .map(({ requirement }) => requirement)
}

/** Ids of requirements whose failure a run waives, whether or not they failed. */
function waivedIn({ waivers = [] }: RunReport): string[] {
  const current = waivers.filter(({ state }) => state !== 'expired' && state !== 'unknown')
  return [...new Set(current.map(({ requirement }) => requirement))]
}

/** What differs in the variables of services that both probed, where both reports have the values. */
function differingSettings(before: RunReport, after: RunReport, areAccounts: boolean) {
  const services = Object.keys(before.target).filter((key) => Object.hasOwn(after.target, key))
  const prefixes = [...services.map(serviceName), 'probe'].map(
    (name) => `${name.toUpperCase().replaceAll('-', '_')}_`,
  )
  const settingsOf = (own: Settings = {}, other: Settings = {}) =>
    new Map(
      Object.entries(own).filter(
        ([name, value]) =>
          name.endsWith('_USERNAME') === areAccounts &&
          prefixes.some((prefix) => name.startsWith(prefix)) &&
          // A report may have kept the name of the variable in place of its value.
          (other[name] === undefined || ![value, other[name]].includes(`$${name}`)),
      ),
    )
  const [{ settings: earlier }, { settings: later }] = [before, after]
  return changedEntries(settingsOf(earlier, later), settingsOf(later, earlier), ['is set', 'is'])
}

/** In what two runs differ besides what the server does. */
export function differingConditions(before: RunReport, after: RunReport): DifferingCondition[] {
  const isEarlier = Date.parse(after.run.startedAt) < Date.parse(before.run.startedAt)
  const [was, is] = [before.tool.version, after.tool.version]
  const texts: Record<DifferingCondition['kind'], string[]> = {
    run: [
      ...(before.run.id === after.run.id ? ['both reports are of the same run'] : []),
      ...(isEarlier ? ['the run after began before the other: are the two in order?'] : []),
      ...(before.run.interrupted === true ? ['the run before was interrupted'] : []),
      ...(after.run.interrupted === true ? ['the run after was interrupted'] : []),
    ],
    target: changedEntries(placesIn(before), placesIn(after), ['was probed', 'was at']),
    selection: differingIds(
      'requirements were left out',
      unselectedIn(before),
      unselectedIn(after),
    ),
    account: differingSettings(before, after, true),
    setting: differingSettings(before, after, false),
    waivers: differingIds('the runs had other waivers', waivedIn(before), waivedIn(after)),
    tool: was === is ? [] : [`Plumbline ${was} judged before, and Plumbline ${is} after`],
  }
  return Object.entries(texts).flatMap(([kind, sentences]) =>
    sentences.map((text) => ({ kind: kind as DifferingCondition['kind'], text })),
  )
}
