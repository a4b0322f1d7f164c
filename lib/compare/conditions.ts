import type { RunReport } from '../conformance/result.ts'
import { notSelected } from '../reports/assemble-report.ts'
import { counted, serviceName } from '../reports/run-words.ts'
import { differingSettings } from './settings.ts'

/** Something besides the server's behaviour in which two runs differ, so that verdicts may too. */
export interface DifferingCondition {
  /** What it is about. */
  kind: 'run' | 'target' | 'selection' | 'setting' | 'account' | 'waivers' | 'tool'
  /** A sentence without its full stop, from text of the reports as they are. */
  text: string
}

function aboutRuns(before: RunReport, after: RunReport): DifferingCondition[] {
  const texts = [
    ...(before.run.id === after.run.id ? ['both reports are of the same run'] : []),
    ...(Date.parse(after.run.startedAt) < Date.parse(before.run.startedAt)
      ? ['the run that was given as the later one began before the other: are the two in order?']
      : []),
    ...(before.run.interrupted === true ? ['the run before was interrupted'] : []),
    ...(after.run.interrupted === true ? ['the run after was interrupted'] : []),
  ]
  return texts.map((text) => ({ kind: 'run', text }))
}

function address({ baseUrl, embedded }: RunReport['target'][string]): string {
  return embedded === true ? 'the embedded reference deployment' : baseUrl
}

function aboutTargets(before: RunReport, after: RunReport): DifferingCondition[] {
  const services = [...new Set([...Object.keys(before.target), ...Object.keys(after.target)])]
  return services.flatMap((key): DifferingCondition[] => {
    const [earlier, later] = [before, after].map(({ target }) =>
      Object.hasOwn(target, key) ? target[key] : undefined,
    )
    const name = serviceName(key)
    const told = (text: string): DifferingCondition[] => [{ kind: 'target', text }]
    if (later === undefined) return told(`${name} was probed before, and not after`)
    if (earlier === undefined) return told(`${name} was probed after, and not before`)
    if (address(earlier) === address(later)) return []
    return told(`${name} was at ${address(earlier)} before, and at ${address(later)} after`)
  })
}

function aboutSelection(before: RunReport, after: RunReport): DifferingCondition[] {
  const unselected = [before, after].map(({ results }) =>
    results.filter(({ reason }) => reason === notSelected).map(({ requirement }) => requirement),
  ) as [string[], string[]]
  const [earlier, later] = unselected
  const inBoth = new Set(later)
  if (earlier.length === later.length && earlier.every((id) => inBoth.has(id))) return []
  const parts = [
    ...(earlier.length === 0 ? [] : [`before, ${counted(earlier.length, ...rows)}`]),
    ...(later.length === 0 ? [] : [`after, ${counted(later.length, ...rows)}`]),
  ]
  return [{ kind: 'selection', text: `not everything was selected: ${parts.join('; ')} left out` }]
}

const shownIds = 5
const rows = ['requirement', 'requirements'] as const

function aboutTools(before: RunReport, after: RunReport): DifferingCondition[] {
  const [earlier, later] = [before.tool.version, after.tool.version]
  if (earlier === later) return []
  return [
    { kind: 'tool', text: `Plumbline ${earlier} judged before, and Plumbline ${later} after` },
  ]
}

/** Ids of requirements whose failure a run waives, whether or not they failed. */
function waivedIn({ waivers = [] }: RunReport): string[] {
  const current = waivers.filter(({ state }) => state !== 'expired' && state !== 'unknown')
  return [...new Set(current.map(({ requirement }) => requirement))]
}

function namedText(ids: readonly string[]): string {
  const shown = ids.slice(0, shownIds).join(', ')
  return ids.length > shownIds ? `${shown} and ${ids.length - shownIds} more` : shown
}

function aboutWaivers(before: RunReport, after: RunReport): DifferingCondition[] {
  const [earlier, later] = [waivedIn(before), waivedIn(after)]
  const parts = [
    ['before', earlier.filter((id) => !later.includes(id))] as const,
    ['after', later.filter((id) => !earlier.includes(id))] as const,
  ].flatMap(([when, ids]) => (ids.length === 0 ? [] : [`only ${when} for ${namedText(ids)}`]))
  if (parts.length === 0) return []
  return [{ kind: 'waivers', text: `the runs had other waivers: ${parts.join('; ')}` }]
}

/** In what two runs differ besides what the server does. */
export function differingConditions(before: RunReport, after: RunReport): DifferingCondition[] {
  return [
    aboutRuns,
    aboutTargets,
    aboutSelection,
    differingSettings,
    aboutWaivers,
    aboutTools,
  ].flatMap((look) => look(before, after))
}
