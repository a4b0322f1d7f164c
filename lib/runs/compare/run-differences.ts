import { abbreviatedIds } from '../../reports/report-text.ts'
import { toServiceName } from '../../results/ids.ts'
import type { RunReport } from '../../results/run-report.ts'
import { placeOf } from '../../results/targets.ts'
import { truncate } from '../../text/printable.ts'

const MAX_VALUE_CHARS = 300

function placesIn({ target }: RunReport): Record<string, string> {
  const places = Object.entries(target).map(([key, service]) => {
    return [toServiceName(key), service.embedded ? 'the reference server' : placeOf(service)]
  })
  return Object.fromEntries(places)
}

const notSelectedIn = ({ results }: RunReport) =>
  results.filter(({ noVerdict }) => noVerdict?.kind === 'not selected')

const waivedIn = ({ waivers = [] }: RunReport) =>
  waivers.filter(({ state }) => state !== 'expired' && state !== 'unknown')

/** Returns the ids that only the first list has. */
function onlyIn(some: readonly { requirement: string }[], others: typeof some) {
  const known = new Set(others.map(({ requirement }) => requirement))
  const ids = some.map(({ requirement }) => requirement)
  return abbreviatedIds(ids.filter((id) => !known.has(id))) || undefined
}

/** Returns the variables for probing, and the variables of services that both runs probed. */
function settingsIn({ settings, target }: RunReport, other: RunReport): Record<string, unknown> {
  const common = Object.keys(target).filter((key) => Object.hasOwn(other.target, key))
  const prefixes = [...common.map(toServiceName), 'probe'].map(
    (name) => `${name.toUpperCase().replaceAll('-', '_')}_`,
  )
  return Object.fromEntries(
    Object.entries(settings).filter(([name]) => prefixes.some((each) => name.startsWith(each))),
  )
}

/** Returns what may change the verdicts of a run other than the behavior of the server. */
const conditionsIn = (report: RunReport, other: RunReport): Record<string, unknown> => ({
  ...placesIn(report),
  'requirements left out': onlyIn(notSelectedIn(report), notSelectedIn(other)),
  ...settingsIn(report, other),
  '--as-of': report.run.asOf?.version,
  'requirements waived': onlyIn(waivedIn(report), waivedIn(other)),
  Plumbline: report.tool.version,
})

/** Returns sentences without a period on the different conditions of two runs. */
export function differingConditions(before: RunReport, after: RunReport): string[] {
  const isEarlier = Date.parse(after.run.startedAt) < Date.parse(before.run.startedAt)
  const ofRun = Object.entries({
    'both reports are of the same run': before.run.id === after.run.id,
    'the run after began before the other: are the two in order?': isEarlier,
    'the run before was interrupted': before.run.interrupted,
    'the run after was interrupted': after.run.interrupted,
  }).flatMap(([text, holds]) => (holds === true ? [text] : []))
  const [was, is] = [conditionsIn(before, after), conditionsIn(after, before)]
  const differing = Object.keys({ ...was, ...is }).flatMap((name) => {
    // A report may have the name of a variable instead of its value.
    if (was[name] === is[name] || [was[name], is[name]].includes(`$${name}`)) return []
    const [earlier, later] = [was, is].map((values) =>
      truncate(String(values[name] ?? 'none'), MAX_VALUE_CHARS),
    )
    return `${name}: ${earlier} before, ${later} after`
  })
  return [...ofRun, ...differing]
}
