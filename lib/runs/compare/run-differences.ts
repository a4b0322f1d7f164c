import { abbreviatedIds } from '../../reports/report-text.ts'
import { toServiceName } from '../../results/ids.ts'
import type { RunReport } from '../../results/run-report.ts'
import { placeOf } from '../../results/snapshot.ts'
import { truncate } from '../../text/printable.ts'

type ValuesIn = (report: RunReport, other: RunReport) => Record<string, unknown>

const MAX_VALUE_CHARS = 300

const placesIn: ValuesIn = ({ target }) =>
  Object.fromEntries(
    Object.entries(target).map(([key, service]) => [
      toServiceName(key),
      service.embedded === true ? 'the reference server' : placeOf(service),
    ]),
  )

/** Returns the ids that only one report has. */
function onlyIn(name: string, idsIn: (report: RunReport) => string[]): ValuesIn {
  return (report, other) => {
    const others = new Set(idsIn(other))
    return { [name]: abbreviatedIds(idsIn(report).filter((id) => !others.has(id))) || undefined }
  }
}

const notSelected = onlyIn('requirements left out', ({ results }) =>
  results
    .filter(({ noVerdict }) => noVerdict?.kind === 'not selected')
    .map(({ requirement }) => requirement),
)

const waived = onlyIn('requirements waived', ({ waivers = [] }) =>
  waivers
    .filter(({ state }) => state !== 'expired' && state !== 'unknown')
    .map(({ requirement }) => requirement),
)

/** Returns the variables for probing, and the variables of services that both runs probed. */
const settingsIn: ValuesIn = ({ settings, target }, other) => {
  const common = Object.keys(target).filter((key) => Object.hasOwn(other.target, key))
  const prefixes = [...common.map(toServiceName), 'probe'].map(
    (name) => `${name.toUpperCase().replaceAll('-', '_')}_`,
  )
  return Object.fromEntries(
    Object.entries(settings).filter(([name]) => prefixes.some((each) => name.startsWith(each))),
  )
}

/** Returns sentences without a period on the differences of two runs other than the behavior of the server, which may change verdicts. */
export function differingConditions(before: RunReport, after: RunReport): string[] {
  const isEarlier = Date.parse(after.run.startedAt) < Date.parse(before.run.startedAt)
  const ofRun = Object.entries({
    'both reports are of the same run': before.run.id === after.run.id,
    'the run after began before the other: are the two in order?': isEarlier,
    'the run before was interrupted': before.run.interrupted,
    'the run after was interrupted': after.run.interrupted,
  }).flatMap(([text, holds]) => (holds === true ? [text] : []))

  const differing = (valuesIn: ValuesIn, missing = 'none') => {
    const [was, is] = [valuesIn(before, after), valuesIn(after, before)]
    return Object.keys({ ...was, ...is }).flatMap((name) => {
      // A report may have the name of a variable instead of its value.
      if (was[name] === is[name] || [was[name], is[name]].includes(`$${name}`)) return []
      const [earlier, later] = [was, is].map((values) =>
        truncate(String(values[name] ?? missing), MAX_VALUE_CHARS),
      )
      return [`${name}: ${earlier} before, ${later} after`]
    })
  }
  return [
    ...ofRun,
    ...differing(placesIn, 'not probed'),
    ...differing(notSelected),
    ...differing(settingsIn, 'not set'),
    ...differing(({ run }) => ({ '--as-of': run.asOf?.version })),
    ...differing(waived),
    ...differing(({ tool }) => ({ Plumbline: tool.version })),
  ]
}
