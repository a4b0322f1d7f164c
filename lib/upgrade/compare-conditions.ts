import type { RequirementResult, RunReport } from '../conformance/result.ts'
import { notSelected } from '../reports/assemble-report.ts'
import { counted, serviceName } from '../reports/run-words.ts'
import { judged } from '../reports/verdict-counts.ts'

/** Something besides the server's behaviour in which two runs differ, so that verdicts may too. */
export interface DifferingCondition {
  /** What it is about. */
  kind: 'run' | 'target' | 'selection' | 'setting' | 'account' | 'tool'
  /** A sentence without its full stop, from text of the reports as they are. */
  text: string
}

const probeVariable = '(?:CODE_HOSTING|EVENT_PUBLISHING|INCIDENT_STATUS|PROBE)(?:_[A-Z0-9]+)+'
const settingInReason = new RegExp(
  `\\b(${probeVariable}(?:(?:,| and| or) ${probeVariable})*) (?:is|are) (not set|true|false)\\b`,
  'g',
)
const basicCredentials = /^Basic base64\(([^:]*):\$([A-Z0-9_]+_PASSWORD)\)$/

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

const rows = ['requirement', 'requirements'] as const

/** Why a requirement was skipped, as far as it is a variable: `CODE_HOSTING_TOKEN is not set`. */
function settingsOf({ verdict, reason = '' }: RequirementResult): [string, string][] {
  if (verdict !== 'skipped') return []
  return [...reason.matchAll(settingInReason)].flatMap(([, names = '', value = '']) =>
    [...names.matchAll(new RegExp(probeVariable, 'g'))].map(([name]): [string, string] => [
      name,
      value,
    ]),
  )
}

/** Settings that kept one run from judging what the other one judged. */
function decisiveSettings(one: RunReport, other: RunReport): Map<string, string> {
  const judgedThere = new Set(
    other.results.filter(({ verdict }) => judged(verdict)).map(({ requirement }) => requirement),
  )
  const deciding = one.results.filter(({ requirement }) => judgedThere.has(requirement))
  return new Map(deciding.flatMap(settingsOf))
}

/** `A and B are not set; C is true`: settings with the same value together. */
function settingsText(settings: Iterable<[string, string]>): string {
  const byValue = new Map<string, string[]>()
  for (const [name, value] of settings) byValue.set(value, [...(byValue.get(value) ?? []), name])
  const parts = [...byValue].map(
    ([value, names]) => `${listed(names)} ${names.length === 1 ? 'is' : 'are'} ${value}`,
  )
  return parts.join('; ')
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function aboutSettings(before: RunReport, after: RunReport): DifferingCondition[] {
  const [earlier, later] = [decisiveSettings(before, after), decisiveSettings(after, before)]
  const differing = [...earlier].flatMap(([name, was]) => {
    const is = later.get(name)
    return is === undefined ? [] : [`${name} is ${was} before, and ${is} after`]
  })
  const onlyThen = (
    when: string,
    settings: ReadonlyMap<string, string>,
    others: ReadonlyMap<string, string>,
  ): string[] => {
    const own = [...settings].filter(([name]) => !others.has(name))
    if (own.length === 0) return []
    return [`only ${when}, requirements were skipped because ${settingsText(own)}`]
  }
  const texts = [
    ...differing,
    ...onlyThen('before', earlier, later),
    ...onlyThen('after', later, earlier),
  ]
  return texts.map((text) => ({ kind: 'setting', text }))
}

/** User names by the variable that holds their password, as the redacted credentials show them. */
function accountsOf({ exchanges }: RunReport): Map<string, string> {
  const fields = exchanges.flatMap(({ request }) =>
    request.headers.filter(({ name }) => name.toLowerCase() === 'authorization'),
  )
  return new Map(
    fields.flatMap(({ value }): [string, string][] => {
      const [, user, variable] = basicCredentials.exec(value) ?? []
      return user === undefined || variable === undefined ? [] : [[variable, user]]
    }),
  )
}

function aboutAccounts(before: RunReport, after: RunReport): DifferingCondition[] {
  const later = accountsOf(after)
  return [...accountsOf(before)].flatMap(([variable, user]): DifferingCondition[] => {
    const now = later.get(variable)
    if (now === undefined || now === user) return []
    const text = `the account of ${variable} is ${user} before, and ${now} after`
    return [{ kind: 'account', text }]
  })
}

function aboutTools(before: RunReport, after: RunReport): DifferingCondition[] {
  const [earlier, later] = [before.tool.version, after.tool.version]
  if (earlier === later) return []
  return [
    { kind: 'tool', text: `Plumbline ${earlier} judged before, and Plumbline ${later} after` },
  ]
}

/**
 * In what two runs differ besides what the server does. Reports hold no settings: what is told of
 * them is what reasons and redacted credentials show.
 */
export function differingConditions(before: RunReport, after: RunReport): DifferingCondition[] {
  return [
    aboutRuns,
    aboutTargets,
    aboutSelection,
    aboutSettings,
    aboutAccounts,
    aboutTools,
  ].flatMap((look) => look(before, after))
}
