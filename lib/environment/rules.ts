import { joinNames } from '../text/names.ts'
import { nearestNames } from '../text/suggestions.ts'
import { CONNECT_TO, findConnectToProblem } from './connect-to.ts'
import type { Problem, SetTexts, Source } from './errors.ts'
import { findReservedFields, HEADERS, TRACE } from './extra-headers.ts'
import { PROXY_IN_FILE } from './proxies.ts'
import { type Variable, type VariableGroup, variablesOf } from './variable.ts'

/** All variables, for rules. */
interface Configuration {
  settings: SetTexts
  baseUrls: readonly { group: VariableGroup; text: string; source: Source; isValid: boolean }[]
  /** False if missing variables may be in a file that could not be read. */
  isComplete: boolean
  required: Readonly<Record<string, string>>
  /** Protocols with a proxy, such as `https:`. */
  proxied: readonly string[]
}

interface SetVariable extends Configuration {
  name: string
  text: string
  source: Source
  group: VariableGroup
  /** Undefined for an unknown name. */
  variable: Variable | undefined
}

/** Returns the variable that the others of a group require; the probe has none. */
export const baseUrlOf = ({ prefix }: VariableGroup) => `${prefix}BASE_URL`

const isHttps = ({ text }: { text: string }) => /^https:/i.test(text)

/** Rules of a variable that is set: each returns its problem, to follow its name. Only the first violation is reported. */
const rules: readonly ((one: SetVariable) => string | false | undefined)[] = [
  ({ name, group: { prefix, table }, variable }) => {
    if (variable !== undefined) return undefined
    const endings = variablesOf(table).map((one) => one.name.slice(prefix.length))
    const [nearest] = nearestNames(name.slice(prefix.length), endings)
    const hint = nearest && `did you mean ${prefix}${nearest}?`
    return `is not known: ${hint ?? 'check the spelling or unset it'}`
  },
  ({ text, variable }) => {
    const [, instruction] = variable?.format.rules.find(([isValid]) => !isValid(text)) ?? []
    const { default: fallback, example } = variable ?? {}
    const defaultHint = fallback === undefined ? '' : `; unset, it is ${fallback}`
    const hint = example === undefined ? defaultHint : `; for example ${example}`
    return instruction && instruction + hint
  },
  ({ name, group, settings, isComplete }) => {
    const needed = group.oneOf?.[name] ?? [name]
    const isMet = needed.some((other) => settings.has(other))
    if (!isComplete || isMet) return undefined
    return `is set, and needs ${joinNames(needed, 'or')}: set that too, or unset it`
  },
  ({ name, text, group: { distinct = [] }, settings }) => {
    const same = distinct.find(({ variable, from }) => {
      const other = settings.get(from)?.text.toLowerCase()
      return variable === name && other === text.toLowerCase()
    })
    return same && `must name another ${same.what} than ${same.from}: change or unset either`
  },
  ({ name, text, baseUrls, settings }) => {
    const fields = baseUrls.flatMap(({ group }) => group.requestFields ?? [])
    if (/^true$/i.test(settings.get(TRACE)?.text ?? '')) fields.push('traceparent')
    const found = name === HEADERS ? findReservedFields(text, fields) : []
    if (found.length === 0) return undefined
    return `must not contain ${joinNames(found)}, which requests set themselves: remove it`
  },
  // The author of a .env file must not redirect requests.
  ({ name, source }) => name === CONNECT_TO && source === '.env' && PROXY_IN_FILE,
  ({ name, source, baseUrls }) =>
    name === 'PROBE_TLS_CA' &&
    source === '.env' &&
    baseUrls.some((url) => url.source !== '.env' && isHttps(url)) &&
    'must not be set in .env for a base URL that is set elsewhere: set both in one place',
  // A wrong base URL would cause another problem here.
  ({ name, text, baseUrls, proxied }) =>
    name === CONNECT_TO &&
    baseUrls.every(({ isValid }) => isValid) &&
    findConnectToProblem(
      text,
      baseUrls.map((url) => url.text),
      proxied,
    ),
  // The reference server ignores TLS files.
  ({ name, baseUrls }) =>
    name.startsWith('PROBE_TLS_') &&
    baseUrls.length > 0 &&
    baseUrls.every((url) => url.isValid && !isHttps(url)) &&
    'has no effect, since no base URL starts with https://: correct one, or unset it',
]

/** Returns the problem of a variable that is not set. @param others variables that require it */
function findAbsence(
  name: string,
  others: readonly Variable[],
  { settings, isComplete, required }: Configuration,
) {
  if (isComplete && required[name] !== undefined) return `is not set: ${required[name]}`
  const set = others.map((other) => other.name).filter((other) => settings.has(other))
  if (!isComplete || set.length === 0) return undefined
  const rest = set.length === 1 ? 'is: set both or neither' : 'are: set it too, or unset them'
  return `is not set, but ${joinNames(set)} ${rest}`
}

/** Returns the problems of the variables of a group, in the order of its table, unknown names last. */
export function findProblems(group: VariableGroup, configuration: Configuration): Problem[] {
  const { settings } = configuration
  const all = variablesOf(group.table)
  const check = (name: string, others: readonly Variable[], variable?: Variable): Problem[] => {
    const set = settings.get(name)
    let message: string | false | undefined
    if (set === undefined) message = findAbsence(name, others, configuration)
    else {
      const one = { ...configuration, ...set, name, group, variable }
      for (const rule of rules) message ||= rule(one)
    }
    return message ? [{ variable: name, message, source: set?.source }] : []
  }
  const known = Object.values(group.table).flatMap((part) => {
    const members = variablesOf({ part })
    return members.flatMap((variable) => {
      const others = variable.default === undefined ? members : []
      return check(variable.name, variable.name === baseUrlOf(group) ? all : others, variable)
    })
  })
  const names = [...settings.keys()].filter((name) => name.startsWith(group.prefix))
  const unknown = names.filter((name) => !all.some((one) => one.name === name))
  return [...known, ...unknown.flatMap((name) => check(name, []))]
}
