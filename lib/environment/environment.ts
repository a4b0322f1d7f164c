import { joinNames, type Problem, type Source } from './errors.ts'
import {
  type EnvironmentOptions,
  normalizeProxyUrl,
  passwordsIn,
  proxyRule,
  proxyVariables,
  readEnvironment,
} from './read-environment.ts'
import { nearestNames } from './suggestions.ts'
import { probeVariables, type Target } from './target.ts'
import {
  isVariable,
  type Variable,
  type VariableGroup,
  type VariableTable,
  variablesOf,
} from './variable.ts'

/** A value that must not be seen, and the name that stands for it. */
export interface Secret {
  name: string
  value: string
}

/**
 * What a run went by: values by variable name, defaults among them. Of a secret it holds `$` and
 * the name of its variable, to tell that it is set. Addresses are not in it: a target has them.
 */
export type Settings = Record<string, string | number | boolean>

/** Names of secrets that go to an address, although both are set in different places. */
export interface ForeignSecrets {
  /** The variable of the address. */
  variable: string
  source: Source
  secrets: { names: string[]; source: Source }
}

export interface ConfiguredTarget {
  target: Target
  /** By the key of their group: of the services that are configured, and of the probe. */
  settings: Record<string, Settings>
  /** By the key of the service, where it has any. */
  foreignSecrets: Record<string, ForeignSecrets>
}

export type LoadedTarget = ConfiguredTarget | { problems: Problem[] }

type Texts = ReadonlyMap<string, string>
type Values = ReadonlyMap<string, unknown>

/** The name of the variable without which the others mean nothing; the probe has none. */
export const baseUrlOf = ({ prefix }: VariableGroup) => `${prefix}BASE_URL`

/**
 * What is wrong with the variables of a group, in the order of its table.
 *
 * @param isComplete false where what seems to be missing may be in a file that could not be read
 */
function problemsOf(group: VariableGroup, texts: Texts, isComplete: boolean): Problem[] {
  const { prefix, table, oneOf = {}, distinct = [] } = group
  const all = variablesOf(table)
  const problems: Problem[] = []
  const tell = (variable: string, message: string) => problems.push({ variable, message })
  for (const part of Object.values(table)) {
    const own = variablesOf({ part })
    for (const { name, format, example, default: fallback } of own) {
      const text = texts.get(name)
      if (text === undefined) {
        const others = name === baseUrlOf(group) ? all : fallback === undefined ? own : []
        const set = others.map((other) => other.name).filter((other) => texts.has(other))
        const rest = set.length === 1 ? 'is: set both or neither' : 'are: set it too, or unset them'
        if (isComplete && set.length > 0) tell(name, `is not set, but ${joinNames(set)} ${rest}`)
        continue
      }
      const known = fallback === undefined ? '' : `; unset, it is ${fallback}`
      const [, instruction] = format.rules.find(([isKept]) => !isKept(text)) ?? []
      const hint = example === undefined ? known : `; for example ${example}`
      if (instruction !== undefined) tell(name, instruction + hint)
      const needed = oneOf[name] ?? [name]
      if (isComplete && !needed.some((other) => texts.has(other))) {
        tell(name, `is set, and needs ${joinNames(needed, 'or')}: set that too, or unset it`)
      }
      for (const { what, from } of distinct.filter(({ variable }) => variable === name)) {
        if (texts.get(from)?.toLowerCase() !== text.toLowerCase()) continue
        tell(name, `must name another ${what} than ${from}: change or unset one of them`)
      }
    }
  }
  const names = all.map(({ name }) => name)
  for (const name of texts.keys()) {
    if (!name.startsWith(prefix) || names.includes(name)) continue
    const endings = names.map((one) => one.slice(prefix.length))
    const [nearest] = nearestNames(name.slice(prefix.length), endings)
    const hint = nearest === undefined ? 'check the spelling or unset it' : undefined
    tell(name, `is not known: ${hint ?? `did you mean ${prefix}${nearest}?`}`)
  }
  return problems
}

/** The values of a table in their places, without keys for what is absent: JSON would lose them. */
function assemble(table: VariableTable, values: Values): Record<string, unknown> {
  const assembled: Record<string, unknown> = {}
  for (const [place, part] of Object.entries(table)) {
    const value = isVariable(part) ? values.get(part.name) : assemble(part, values)
    const isWhole =
      isVariable(part) || Object.keys(Object(value)).length === Object.keys(part).length
    if (value !== undefined && isWhole) assembled[place] = value
  }
  return assembled
}

function settingsOf(group: VariableGroup, values: Values, texts: Texts): Settings {
  const withoutBodies = values.get('PROBE_EVIDENCE') === 'headers'
  const settings: Record<string, unknown> = {}
  for (const { name, format, secret } of variablesOf(group.table)) {
    const value = values.get(name)
    if (value === undefined || name === baseUrlOf(group)) continue
    const isHidden = secret || (format.inBodies && withoutBodies)
    settings[name] = isHidden ? `$${name}` : typeof value === 'object' ? texts.get(name) : value
  }
  return settings as Settings
}

function foreignSecretsOf(
  group: VariableGroup,
  settings: ReturnType<typeof readEnvironment>['settings'],
): ForeignSecrets | undefined {
  const variable = baseUrlOf(group)
  const source = settings.get(variable)?.source
  const names = variablesOf(group.table).flatMap(({ name, secret }) => (secret ? name : []))
  const others = names.filter((name) => settings.has(name) && settings.get(name)?.source !== source)
  const [first = ''] = others
  const otherSource = settings.get(first)?.source
  if (source === undefined || otherSource === undefined) return undefined
  return { variable, source, secrets: { names: others, source: otherSource } }
}

function secretsIn(table: VariableTable, values: Readonly<Record<string, unknown>>): Secret[] {
  return Object.entries(table).flatMap(([place, part]) => {
    const value = values[place]
    if (!isVariable(part)) return secretsIn(part, { ...(value as object | undefined) })
    return part.secret && typeof value === 'string' ? [{ name: part.name, value }] : []
  })
}

const PROXY_ELSEWHERE =
  'is not taken from a file that no option names: set it in the process environment, or name the ' +
  'file with --env-file'

/** The environment by the tables of services, in their order, and that of the probe. */
export function createEnvironment(services: readonly VariableGroup[]) {
  const groups = [...services, probeVariables]
  /** In the order in which they are shown to people. */
  const variables: readonly Variable[] = groups.flatMap(({ table }) => variablesOf(table))
  const byName = new Map(variables.map((variable) => [variable.name, variable]))

  /** The target, or all that is wrong: of the file first, then in the order of the tables. */
  function loadTarget(options: EnvironmentOptions): LoadedTarget {
    const { settings, problem: fileProblem } = readEnvironment(options)
    const texts = new Map(
      [...settings]
        .filter(([name]) => groups.some(({ prefix }) => name.startsWith(prefix)))
        // Whitespace around a value is an accident of pasting, but it may belong to a password.
        .map(([name, { text }]) => [name, byName.get(name)?.secret ? text : text.trim()]),
    )
    const proxies = Object.entries(proxyVariables).flatMap(([scheme, names]) => {
      const name = names.find((candidate) => settings.has(candidate)) ?? ''
      const setting = settings.get(name)
      return setting === undefined ? [] : [{ scheme, name, text: setting.text.trim() }]
    })
    const problems: Problem[] = [
      ...groups.flatMap((group) => problemsOf(group, texts, fileProblem === undefined)),
      ...proxies
        .filter(({ scheme, text }) => scheme !== 'no' && !proxyRule[0](text))
        .map(({ name }) => ({ variable: name, message: proxyRule[1] })),
      // Through a proxy, whoever wrote a file that lies in the folder would get what the process is to send.
      ...proxies
        .filter(({ name }) => settings.get(name)?.source === '.env')
        .map(({ name }) => ({ variable: name, message: PROXY_ELSEWHERE })),
    ].map((problem) => {
      const { source } = settings.get(problem.variable) ?? {}
      return { ...problem, ...(source && { source }) }
    })
    if (fileProblem !== undefined) problems.unshift(fileProblem)
    if (problems.length > 0) return { problems }

    const values = new Map(
      variables.map(({ name, format, default: fallback }) => {
        const text = texts.get(name)
        return [name, text === undefined ? fallback : format.read(text)]
      }),
    )
    const probed = groups.filter((group) => group === probeVariables || texts.has(baseUrlOf(group)))
    const target = Object.fromEntries(
      probed.map(({ key, table, whetherSet = {} }) => {
        const isSet = Object.entries(whetherSet).map(([place, name]) => [place, texts.has(name)])
        return [key, { ...assemble(table, values), ...Object.fromEntries(isSet) }]
      }),
    ) as unknown as Target
    target.probe.proxy = Object.fromEntries(
      proxies.map(({ scheme, text }) => [scheme, scheme === 'no' ? text : normalizeProxyUrl(text)]),
    )
    const shown = probed.map((group) => [group.key, settingsOf(group, values, texts)])
    const foreign = probed.flatMap((group) => {
      const found = foreignSecretsOf(group, settings)
      return found === undefined ? [] : [[group.key, found] as const]
    })
    return {
      target,
      settings: Object.fromEntries(shown),
      foreignSecrets: Object.fromEntries(foreign),
    }
  }

  /** Every secret that is configured; of a proxy, the password in its URL. */
  function secretsOf(target: Target): Secret[] {
    const { https, http } = target.probe.proxy
    const places: Readonly<Record<string, object | undefined>> = { ...target }
    const proxies = Object.entries({ HTTPS_PROXY: https, HTTP_PROXY: http })
    return [
      ...groups.flatMap(({ key, table }) => secretsIn(table, { ...places[key] })),
      ...proxies.flatMap(([name, url]) => passwordsIn(url).map((value) => ({ name, value }))),
    ]
  }

  /** The secret variables that are set, whether what they belong to is valid or not. */
  function secretSettings(environment: NodeJS.ProcessEnv): Secret[] {
    return Object.entries(environment).flatMap(([name, value]) =>
      byName.get(name)?.secret && value ? [{ name, value }] : [],
    )
  }

  return { variables, loadTarget, secretsOf, secretSettings }
}
