import { joinNames } from '../text/names.ts'
import { nearestNames } from '../text/suggestions.ts'
import { connectionFor, PROXY_IN_FILE, type Proxies } from './connections.ts'
import { extraHeaders, reservedFields } from './extra-headers.ts'
import {
  type Problem,
  type SetText,
  type SetTexts,
  type Variable,
  type VariableGroup,
  variablesOf,
} from './variable.ts'

export interface Configuration {
  settings: SetTexts
  /** Groups of the services whose base URL is set. */
  probed: readonly VariableGroup[]
  /** False if missing variables may be in a file that could not be read. */
  isComplete: boolean
  required: Readonly<Record<string, string>>
  proxies: Proxies
}

interface SetVariable extends Configuration, SetText {
  group: VariableGroup
  variable: Variable
}

/** Returns the variable that the others of a group require; the probe has none. */
export const baseUrlOf = ({ prefix }: VariableGroup) => `${prefix}BASE_URL`

/** Rule of a variable that is set. Returns its problem, to follow its name. */
type Rule = (one: SetVariable) => string | undefined

/** Rules of single variables. */
const ownRules: Readonly<Record<string, Rule>> = {
  PROBE_HEADERS({ text, probed, settings }) {
    const ofServices = probed.flatMap(({ requestFields = [] }) => requestFields)
    const isTraced = /^true$/i.test(settings.get('PROBE_TRACE')?.text ?? '')
    const sent = [...reservedFields, ...ofServices, ...(isTraced ? ['traceparent'] : [])]
    const names = Object.keys(extraHeaders.read(text)).map((name) => name.toLowerCase())
    const found = [...new Set(sent)].filter((field) => names.includes(field.toLowerCase()))
    if (found.length === 0) return undefined
    return `must not contain ${joinNames(found)}, which requests set themselves: remove it`
  },
  PROBE_CONNECT_TO({ text, source, probed, settings, proxies }) {
    // The author of a .env file must not redirect requests.
    if (source === '.env') return PROXY_IN_FILE
    const texts = probed.map((group) => settings.get(baseUrlOf(group))?.text ?? '')
    const urls = texts.flatMap((one) => (URL.canParse(one) ? new URL(one) : []))
    const concerned = urls.filter((url) => connectionFor(text, url))
    if (concerned.length === 0)
      return 'has no effect, since no base URL has its HOST:PORT: correct or unset it'
    const isProxied = ({ protocol }: URL) => proxies[protocol === 'https:' ? 'https' : 'http']
    if (!concerned.some(isProxied)) return undefined
    return 'cannot be used with a proxy: unset it, or the proxy (HTTPS_PROXY, HTTP_PROXY)'
  },
  PROBE_TLS_CA({ source, probed, settings }) {
    const isElsewhere = probed.some((group) => settings.get(baseUrlOf(group))?.source !== '.env')
    if (source !== '.env' || !isElsewhere) return undefined
    return 'must not be set in .env for a base URL that is set elsewhere: set both in one place'
  },
}

/** Rules of each variable that is set. Only the first violation is reported. */
const rules: readonly Rule[] = [
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
  (one) => ownRules[one.variable.name]?.(one),
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
