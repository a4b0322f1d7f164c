import type { RequirementResult, RunReport } from '../conformance/result.ts'
import { shortened } from '../reports/printable.ts'
import { serviceName } from '../reports/run-words.ts'
import { judged } from '../reports/verdict-counts.ts'
import type { DifferingCondition } from './conditions.ts'

const shownLength = 120

const probeVariable = '(?:CODE_HOSTING|EVENT_PUBLISHING|INCIDENT_STATUS|PROBE)(?:_[A-Z0-9]+)+'
const settingInReason = new RegExp(
  `\\b(${probeVariable}(?:(?:,| and| or) ${probeVariable})*) (?:is|are) (not set|true|false)\\b`,
  'g',
)
const basicCredentials = /^Basic base64\(([^:]*):\$([A-Z0-9_]+_PASSWORD)\)$/

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

type Settings = NonNullable<RunReport['settings']>

function settingOf(settings: Settings, name: string) {
  return Object.hasOwn(settings, name) ? settings[name] : undefined
}

function prefixesOfBoth(before: RunReport, after: RunReport): string[] {
  const services = Object.keys(before.target).filter((key) => Object.hasOwn(after.target, key))
  return [
    ...services.map((key) => `${serviceName(key).toUpperCase().replaceAll('-', '_')}_`),
    'PROBE_',
  ]
}

function valueText(value: Settings[string]): string {
  return shortened(String(value), shownLength)
}

/** Those of what both probed: which services they probed is told apart from it. */
function fromBoth(
  before: RunReport,
  after: RunReport,
  was: Settings,
  is: Settings,
): DifferingCondition[] {
  const prefixes = prefixesOfBoth(before, after)
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) =>
    prefixes.some((prefix) => name.startsWith(prefix)),
  )
  return names.flatMap((name): DifferingCondition[] => {
    const [earlier, later] = [settingOf(was, name), settingOf(is, name)]
    if (earlier === later) return []
    const kind = name.endsWith('_USERNAME') ? 'account' : 'setting'
    if (later === undefined) return [{ kind, text: `${name} is set before, and not after` }]
    if (earlier === undefined) return [{ kind, text: `${name} is set after, and not before` }]
    // One of the two was not kept.
    if ([earlier, later].includes(`$${name}`)) return []
    return [
      { kind, text: `${name} is ${valueText(earlier)} before, and ${valueText(later)} after` },
    ]
  })
}

/**
 * The settings, accounts among them, in which two runs differ. Where a report of an older version
 * does not hold them, it is told what reasons and redacted credentials show.
 */
export function differingSettings(before: RunReport, after: RunReport): DifferingCondition[] {
  if (before.settings !== undefined && after.settings !== undefined) {
    return fromBoth(before, after, before.settings, after.settings)
  }
  return [...aboutSettings(before, after), ...aboutAccounts(before, after)]
}
