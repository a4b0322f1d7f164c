import { joinNames } from '../text/names.ts'
import { nearestNames } from '../text/suggestions.ts'
import { CONNECT_TO, findConnectToProblem } from './connect-to.ts'
import type { Problem, SetTexts, Source } from './errors.ts'
import { findReservedFields, HEADERS, TRACE } from './extra-headers.ts'
import { PROXY_IN_FILE, type Proxies } from './proxies.ts'
import { type Variable, type VariableGroup, variablesOf } from './variable.ts'

export interface Configuration {
  settings: SetTexts
  /** Groups of the services whose base URL is set. */
  probed: readonly VariableGroup[]
  /** False if missing variables may be in a file that could not be read. */
  isComplete: boolean
  required: Readonly<Record<string, string>>
  proxies: Proxies
}

interface SetVariable extends Configuration {
  text: string
  source: Source
  group: VariableGroup
  variable: Variable
}

/** Returns the variable that the others of a group require; the probe has none. */
export const baseUrlOf = ({ prefix }: VariableGroup) => `${prefix}BASE_URL`

/** Rules of a variable that is set: each returns its problem, to follow its name. Only the first violation is reported. */
const rules: readonly ((one: SetVariable) => string | undefined)[] = [
  ({ text, variable: { format, example } }) => {
    const problem = format.problem(text)
    return problem && problem + (example === undefined ? '' : `; for example ${example}`)
  },
  ({ variable: { name }, group, settings, isComplete }) => {
    const needed = group.oneOf?.[name] ?? [name]
    const isMet = needed.some((other) => settings.has(other))
    if (!isComplete || isMet) return undefined
    return `is set, and needs ${joinNames(needed, 'or')}: set that too, or unset it`
  },
  ({ variable: { name }, text, group: { distinct = [] }, settings }) => {
    const same = distinct.find(({ variable, from }) => {
      const other = settings.get(from)?.text.toLowerCase()
      return variable === name && other === text.toLowerCase()
    })
    return same && `must name another ${same.what} than ${same.from}: change or unset either`
  },
  ({ variable, text, probed, settings }) => {
    if (variable.name !== HEADERS) return undefined
    const fields = probed.flatMap(({ requestFields = [] }) => requestFields)
    if (/^true$/i.test(settings.get(TRACE)?.text ?? '')) fields.push('traceparent')
    const found = findReservedFields(text, fields)
    if (found.length === 0) return undefined
    return `must not contain ${joinNames(found)}, which requests set themselves: remove it`
  },
  ({ variable, text, source, probed, settings, proxies }) => {
    if (variable.name !== CONNECT_TO) return undefined
    // The author of a .env file must not redirect requests.
    if (source === '.env') return PROXY_IN_FILE
    const urls = probed.map((group) => settings.get(baseUrlOf(group))?.text ?? '')
    return findConnectToProblem(text, urls, proxies)
  },
  ({ variable, source, probed, settings }) => {
    const isInFile = variable.name === 'PROBE_TLS_CA' && source === '.env'
    const isElsewhere = probed.some((group) => settings.get(baseUrlOf(group))?.source !== '.env')
    if (!isInFile || !isElsewhere) return undefined
    return 'must not be set in .env for a base URL that is set elsewhere: set both in one place'
  },
]

function unknownName(name: string, { prefix, table }: VariableGroup): string {
  const endings = variablesOf(table).map((one) => one.name.slice(prefix.length))
  const [nearest] = nearestNames(name.slice(prefix.length), endings)
  const hint = nearest && `did you mean ${prefix}${nearest}?`
  return `is not known: ${hint ?? 'check the spelling or unset it'}`
}

/** Returns the problems of the variables of a group, in the order of its table, unknown names last. */
export function findProblems(group: VariableGroup, configuration: Configuration): Problem[] {
  const { settings, isComplete, required } = configuration
  const all = variablesOf(group.table)

  /** Returns the problem of a variable that is not set. @param others variables that require it */
  function findAbsence(name: string, others: readonly Variable[]): string | undefined {
    if (!isComplete) return undefined
    if (required[name] !== undefined) return `is not set: ${required[name]}`
    const set = others.map((other) => other.name).filter((other) => settings.has(other))
    if (set.length === 0) return undefined
    return `is not set, but needed with ${joinNames(set)}: set or unset all of them`
  }

  const problems: Problem[] = []
  const report = (variable: string, message: string | undefined) => {
    if (message) problems.push({ variable, message, source: settings.get(variable)?.source })
  }
  for (const part of Object.values(group.table)) {
    const members = variablesOf({ part })
    for (const variable of members) {
      const { name } = variable
      const set = settings.get(name)
      const others = variable.default === undefined ? members : []
      const requiring = name === baseUrlOf(group) ? all : others
      const one = set && { ...configuration, ...set, group, variable }
      let message = one ? undefined : findAbsence(name, requiring)
      if (one) for (const rule of rules) message ||= rule(one)
      report(name, message)
    }
  }
  for (const name of settings.keys()) {
    const isKnown = !name.startsWith(group.prefix) || all.some((one) => one.name === name)
    if (!isKnown) report(name, unknownName(name, group))
  }
  return problems
}
