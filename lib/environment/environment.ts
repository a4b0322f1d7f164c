import { nearestOf } from './nearest.ts'
import { joinNames, type Problem } from './problems.ts'
import {
  type EnvironmentOptions,
  normalizeProxyUrl,
  passwordsIn,
  proxyRule,
  proxyVariables,
  readEnvironment,
} from './read-environment.ts'
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

export interface ConfiguredTarget {
  target: Target
  settings: Settings
}

export type LoadedTarget = ConfiguredTarget | { problems: Problem[] }

type Texts = ReadonlyMap<string, string>

type Values = ReadonlyMap<string, unknown>

/** The name of the variable without which the others mean nothing; the probe has none. */
function baseUrlOf({ prefix, table }: VariableGroup): string | undefined {
  return variablesOf(table).find(({ name }) => name === `${prefix}BASE_URL`)?.name
}

/** What must be set where a variable is, itself included. */
function companions(name: string, group: VariableGroup): string[] {
  const { table, together = {} } = group
  const parts = Object.values(table).map((part) => variablesOf({ part }))
  const own = parts.find((variables) => variables.some((variable) => variable.name === name)) ?? []
  const required = own.filter((variable) => variable.default === undefined)
  return [
    baseUrlOf(group) ?? name,
    ...(together[name] ?? []),
    ...required.map((variable) => variable.name),
  ]
}

/** Which variables are missing or contradict each other, one problem for each of them. */
function problemsOfRelations(group: VariableGroup, texts: Texts): Problem[] {
  const { table, oneOf = {}, distinct = [] } = group
  const dependents = new Map<string, string[]>()
  for (const { name } of variablesOf(table).filter((variable) => texts.has(variable.name))) {
    for (const missing of companions(name, group).filter((other) => !texts.has(other))) {
      dependents.set(missing, [...(dependents.get(missing) ?? []), name])
    }
  }
  const missing = [...dependents].map(([variable, names]) => {
    const rest = names.length === 1 ? 'is: set both or neither' : 'are: set it too, or unset them'
    return { variable, message: `is not set, but ${joinNames(names)} ${rest}` }
  })
  const alone = Object.entries(oneOf).flatMap(([variable, others]) => {
    const message = `is set without ${joinNames(others, 'or')}: set one of them, or unset it`
    const isAlone = texts.has(variable) && !others.some((other) => texts.has(other))
    return isAlone ? [{ variable, message }] : []
  })
  const same = distinct.flatMap(({ variable, from, what }) => {
    const message = `must name another ${what} than ${from}: change or unset one of them`
    const text = texts.get(variable)?.toLowerCase()
    return text !== undefined && text === texts.get(from)?.toLowerCase()
      ? [{ variable, message }]
      : []
  })
  return [...missing, ...alone, ...same]
}

function problemsOfText({ name, format, example, default: fallback }: Variable, text: string) {
  const known = fallback === undefined ? '' : `; unset, it is ${fallback}`
  const hint = example === undefined ? known : `; for example ${example}`
  return format.rules
    .filter(([isKept]) => !isKept(text))
    .map(([, instruction]): Problem => ({ variable: name, message: instruction + hint }))
}

function problemOfUnknown(variable: string, { prefix, table }: VariableGroup): Problem {
  const names = variablesOf(table).map(({ name }) => name.slice(prefix.length))
  const nearest = nearestOf(variable.slice(prefix.length), names)
  const message =
    nearest === undefined
      ? 'is not known: check the spelling or unset it'
      : `is not known: did you mean ${prefix}${nearest}?`
  return { variable, message }
}

/**
 * The values of a table in their places. A key that is there with the value `undefined` would show in
 * a deep comparison and be lost in JSON: the same target must look the same on either side of a
 * process boundary.
 */
function assemble(table: VariableTable, values: Values): Record<string, unknown> {
  const places = Object.entries(table).map(([place, part]) => {
    if (isVariable(part)) return [place, values.get(part.name)] as const
    const whole = assemble(part, values)
    return [
      place,
      Object.keys(whole).length < Object.keys(part).length ? undefined : whole,
    ] as const
  })
  return Object.fromEntries(places.filter(([, value]) => value !== undefined))
}

function settingsOf(group: VariableGroup, values: Values, texts: Texts): Settings {
  const withoutBodies = values.get('PROBE_EVIDENCE') === 'headers'
  const reported = variablesOf(group.table).filter(({ name }) => name !== baseUrlOf(group))
  const settings = reported.flatMap(({ name, format, secret }) => {
    const value = values.get(name)
    if (value === undefined) return []
    const shown = typeof value === 'object' ? texts.get(name) : value
    const isKept = !secret && !(format.inBodies && withoutBodies)
    return [[name, isKept ? shown : `$${name}`]]
  })
  return Object.fromEntries(settings)
}

function secretsIn(table: VariableTable, values: Readonly<Record<string, unknown>>): Secret[] {
  return Object.entries(table).flatMap(([place, part]) => {
    const value = values[place]
    if (!isVariable(part)) return secretsIn(part, { ...(value as object | undefined) })
    return part.secret && typeof value === 'string' ? [{ name: part.name, value }] : []
  })
}

/** The texts of proxies by the name of the variable in use, and by scheme. */
function proxyTexts(settings: ReadonlyMap<string, { text: string }>) {
  return Object.entries(proxyVariables).flatMap(([scheme, names]) => {
    const name = names.find((candidate) => settings.has(candidate))
    const text = name === undefined ? undefined : settings.get(name)?.text.trim()
    return name === undefined || text === undefined ? [] : [{ scheme, name, text }]
  })
}

/** The environment by the tables of services, in their order, and that of the probe. */
export function createEnvironment(services: readonly VariableGroup[]) {
  const groups = [...services, probeVariables]
  /** In the order in which they are shown to people. */
  const variables: readonly Variable[] = groups.flatMap(({ table }) => variablesOf(table))
  const byName = new Map(variables.map((variable) => [variable.name, variable]))
  const order = [...byName.keys()]

  function rank({ variable }: Problem): number {
    const index = order.indexOf(variable)
    return index < 0 ? order.length : index
  }

  /**
   * Reads the target from the environment and an environment file, or tells everything that is wrong
   * with them: first the file, then the variables in the order of the tables. Throws nothing, sends
   * nothing and leaves the environment as it is.
   */
  function loadTarget(options: EnvironmentOptions): LoadedTarget {
    const { settings, problem: fileProblem } = readEnvironment(options)
    const groupOf = (name: string) => groups.find(({ prefix }) => name.startsWith(prefix))
    const texts = new Map(
      [...settings]
        .filter(([name]) => groupOf(name) !== undefined)
        // Whitespace around a value is an accident of pasting, but it may belong to a password.
        .map(([name, { text }]) => [name, byName.get(name)?.secret ? text : text.trim()]),
    )
    const proxies = proxyTexts(settings)

    const problems = [
      // What seems to be missing may well be in the file that could not be read.
      ...groups.flatMap((group) =>
        problemsOfRelations(group, fileProblem === undefined ? texts : new Map()),
      ),
      ...[...texts].flatMap(([name, text]) => {
        const [variable, group] = [byName.get(name), groupOf(name)]
        if (variable !== undefined) return problemsOfText(variable, text)
        return group === undefined ? [] : [problemOfUnknown(name, group)]
      }),
      ...proxies
        .filter(({ scheme, text }) => scheme !== 'no' && !proxyRule[0](text))
        .map(({ name }): Problem => ({ variable: name, message: proxyRule[1] })),
    ].sort((one, other) => rank(one) - rank(other))
    if (fileProblem !== undefined || problems.length > 0) {
      const located = problems.map((problem) => {
        const source = settings.get(problem.variable)?.source
        return source === undefined ? problem : { ...problem, source }
      })
      return { problems: fileProblem === undefined ? located : [fileProblem, ...located] }
    }

    const values = new Map(
      variables.map(({ name, format, default: fallback }) => {
        const text = texts.get(name)
        return [name, text === undefined ? fallback : format.read(text)]
      }),
    )
    const probed = groups.filter((group) => {
      const baseUrl = baseUrlOf(group)
      return baseUrl === undefined || texts.has(baseUrl)
    })
    const target = Object.fromEntries(
      probed.map(({ key, table, whetherSet = {} }) => {
        const isSet = Object.entries(whetherSet).map(([place, name]) => [place, texts.has(name)])
        return [key, { ...assemble(table, values), ...Object.fromEntries(isSet) }]
      }),
    ) as unknown as Target
    target.probe.proxy = Object.fromEntries(
      proxies.map(({ scheme, text }) => [scheme, scheme === 'no' ? text : normalizeProxyUrl(text)]),
    )
    return {
      target,
      settings: Object.assign({}, ...probed.map((group) => settingsOf(group, values, texts))),
    }
  }

  /** Every secret that is configured; of a proxy, the password in its URL. */
  function secretsOf(target: Target): Secret[] {
    const { https, http } = target.probe.proxy
    const places: Readonly<Record<string, object | undefined>> = { ...target }
    return [
      ...groups.flatMap(({ key, table }) => secretsIn(table, { ...places[key] })),
      ...passwordsIn(https).map((value) => ({ name: 'HTTPS_PROXY', value })),
      ...passwordsIn(http).map((value) => ({ name: 'HTTP_PROXY', value })),
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
