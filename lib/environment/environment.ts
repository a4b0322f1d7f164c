import { joinNames } from '../text/names.ts'
import { nearestNames } from '../text/suggestions.ts'
import { CONNECT_TO, findConnectToProblem } from './connect-to.ts'
import type { Problem } from './errors.ts'
import { findReservedFields, TRACE } from './extra-headers.ts'
import { noProxyRule } from './no-proxy.ts'
import {
  type EnvironmentOptions,
  isJob,
  normalizeProxyUrl,
  proxyPasswords,
  proxyRule,
  proxyVariables,
  readEnvironment,
  type SetTexts,
} from './read-environment.ts'
import { findMixedSources, findUnnamedFile, type MixedSources } from './sources.ts'
import { probeVariables, type Target } from './target.ts'
import { readTls, type TlsOptions } from './tls.ts'
import {
  isVariable,
  type Secret,
  type Variable,
  type VariableGroup,
  type VariableTable,
  variablesOf,
} from './variable.ts'

/**
 * Effective configuration of a run: values by variable name, including defaults. `$NAME` replaces a secret;
 * base URLs are only in the target.
 */
export type Settings = Record<string, string | number | boolean>

export interface ConfiguredTarget {
  target: Target
  /** Configuration of the probe and of each configured service, by group key. */
  settings: Record<string, Settings>
  /** By group key; absent for services with one source. */
  mixedSources: Record<string, MixedSources>
}

export type LoadedTarget = ConfiguredTarget | { problems: Problem[] }

type Texts = ReadonlyMap<string, string>
type Values = ReadonlyMap<string, unknown>

/** Returns the variable that the others of a group require; the probe has none. */
export const baseUrlOf = ({ prefix }: VariableGroup) => `${prefix}BASE_URL`

/** @param isComplete false if missing variables may be in a file that could not be read */
/** Ends of the variables that Kubernetes sets in each pod for a service with the name of a prefix. */
const SERVICE_LINK =
  /^(?:SERVICE_(?:HOST|PORT\w*)|PORT(?:_\d+_(?:TCP|UDP|SCTP)(?:_(?:ADDR|PORT|PROTO))?)?)$/
const FROM_KUBERNETES =
  'is not known: Kubernetes sets it for a service of that name; set enableServiceLinks: false in the pod'

function findProblems(group: VariableGroup, texts: Texts, isComplete: boolean): Problem[] {
  const { prefix, table, oneOf = {}, distinct = [] } = group
  const all = variablesOf(table)
  const problems: Problem[] = []
  const report = (variable: string, message: string) => problems.push({ variable, message })
  for (const part of Object.values(table)) {
    const members = variablesOf({ part })
    for (const { name, format, example, default: fallback } of members) {
      const text = texts.get(name)
      if (text === undefined) {
        const others = name === baseUrlOf(group) ? all : fallback === undefined ? members : []
        const set = others.map((other) => other.name).filter((other) => texts.has(other))
        const rest = set.length === 1 ? 'is: set both or neither' : 'are: set it too, or unset them'
        if (isComplete && set.length > 0) report(name, `is not set, but ${joinNames(set)} ${rest}`)
        continue
      }
      const defaultHint = fallback === undefined ? '' : `; unset, it is ${fallback}`
      const [, instruction] = format.rules.find(([isValid]) => !isValid(text)) ?? []
      const hint = example === undefined ? defaultHint : `; for example ${example}`
      if (instruction !== undefined) report(name, instruction + hint)
      const needed = oneOf[name] ?? [name]
      if (isComplete && !needed.some((other) => texts.has(other))) {
        report(name, `is set, and needs ${joinNames(needed, 'or')}: set that too, or unset it`)
      }
      for (const { what, from } of distinct.filter(({ variable }) => variable === name)) {
        if (texts.get(from)?.toLowerCase() !== text.toLowerCase()) continue
        report(name, `must name another ${what} than ${from}: change or unset either`)
      }
    }
  }
  const names = all.map(({ name }) => name)
  for (const name of texts.keys()) {
    if (!name.startsWith(prefix) || names.includes(name)) continue
    if (SERVICE_LINK.test(name.slice(prefix.length))) {
      report(name, FROM_KUBERNETES)
      continue
    }
    const endings = names.map((one) => one.slice(prefix.length))
    const [nearest] = nearestNames(name.slice(prefix.length), endings)
    const hint = nearest === undefined ? 'check the spelling or unset it' : undefined
    report(name, `is not known: ${hint ?? `did you mean ${prefix}${nearest}?`}`)
  }
  return problems
}

function assemble(table: VariableTable, values: Values): Record<string, unknown> {
  const assembled: Record<string, unknown> = {}
  for (const [key, part] of Object.entries(table)) {
    const value = isVariable(part) ? values.get(part.name) : assemble(part, values)
    const isComplete =
      isVariable(part) || Object.keys(Object(value)).length === Object.keys(part).length
    if (value !== undefined && isComplete) assembled[key] = value
  }
  return assembled
}

function toSettings(group: VariableGroup, values: Values, texts: Texts): Settings {
  const withoutBodies = values.get('PROBE_EVIDENCE') === 'headers'
  const settings: Record<string, unknown> = {}
  for (const { name, format, secret } of variablesOf(group.table)) {
    const value = values.get(name)
    if (value === undefined || name === baseUrlOf(group)) continue
    if (secret) settings[name] = format.redact?.(value) ?? `$${name}`
    else if (format.inBodies && withoutBodies) settings[name] = `$${name}`
    else settings[name] = typeof value === 'object' ? texts.get(name) : value
  }
  return settings as Settings
}

function findSecrets(table: VariableTable, values: Readonly<Record<string, unknown>>): Secret[] {
  return Object.entries(table).flatMap(([key, part]) => {
    const value = values[key]
    if (!isVariable(part)) return findSecrets(part, { ...(value as object | undefined) })
    if (!part.secret || value === undefined) return []
    return part.format.secretsIn?.(value) ?? { name: part.name, value: String(value) }
  })
}

const HEADERS = 'PROBE_HEADERS'
const AUTHORITY = 'PROBE_TLS_CA'
const AUTHORITY_IN_FILE =
  'must not be set in .env for a base URL that is set elsewhere: set both in one place'

const PROXY_IN_FILE =
  'must not be set in .env: set it in the process environment, or name the file with --env-file'

const WITHOUT_HTTPS =
  'has no effect, since no base URL starts with https://: correct one, or unset it'

const isTls = (name: string) => name.startsWith('PROBE_TLS_')

/** Returns the proxies that are set, by scheme; `no` has the hosts without a proxy. */
function findProxies(settings: SetTexts) {
  return Object.entries(proxyVariables).flatMap(([scheme, names]) => {
    const name = names.find((candidate) => settings.has(candidate)) ?? ''
    const setting = settings.get(name)
    return setting === undefined ? [] : [{ scheme, name, text: setting.text.trim() }]
  })
}

/** Returns problems of proxies. Without a proxy, the hosts that are reached directly have no effect. */
function findProxyProblems(settings: SetTexts): Problem[] {
  const proxies = findProxies(settings)
  if (proxies.every(({ scheme }) => scheme === 'no')) return []
  return proxies.flatMap(({ scheme, name, text }) => {
    const [isValid, message] = scheme === 'no' ? noProxyRule : proxyRule
    return isValid(text) ? [] : [{ variable: name, message }]
  })
}

/** Reads the variables of services and of the probe. Its functions can be passed on. */
class Environment {
  readonly variables: readonly Variable[]
  readonly #services: readonly VariableGroup[]
  readonly #groups: readonly VariableGroup[]
  readonly #byName: ReadonlyMap<string, Variable>

  constructor(services: readonly VariableGroup[]) {
    this.#services = services
    this.#groups = [...services, probeVariables]
    this.variables = this.#groups.flatMap(({ table }) => variablesOf(table))
    this.#byName = new Map(this.variables.map((variable) => [variable.name, variable]))
  }

  /** Returns the target, or all problems: the file first, then in the order of the tables. */
  readonly loadTarget = (options: EnvironmentOptions): LoadedTarget => {
    const { settings, problems: fileProblems } = readEnvironment(options)
    const texts: Texts = new Map(
      [...settings]
        .filter(([name]) => this.#groups.some(({ prefix }) => name.startsWith(prefix)))
        // Surrounding whitespace may belong to a password; elsewhere it is an error of pasting.
        .map(([name, { text }]) => [name, this.#byName.get(name)?.secret ? text : text.trim()]),
    )
    const problems = [
      ...fileProblems,
      ...this.#groups.flatMap((group) => findProblems(group, texts, fileProblems.length === 0)),
      ...findProxyProblems(settings),
      ...this.#findReserved(texts),
      ...this.#findRedirections(settings),
      ...(isJob(options.environment)
        ? findUnnamedFile([...texts.keys()], this.#isSent, settings)
        : []),
    ]
    // Files are read only for valid values.
    const { tls, problems: tlsProblems = [] } = problems.some(({ variable }) => isTls(variable))
      ? {}
      : readTls(texts, options.directory)
    problems.push(...tlsProblems.map(this.#withExample))
    // Base URLs with problems would cause others here.
    if (problems.length === 0) problems.push(...this.#findIneffective(texts, settings))
    if (problems.length === 0) return this.#toTarget(texts, settings, tls)
    const withSource = problems.map((problem) => {
      const { source } = settings.get(problem.variable) ?? {}
      return { ...problem, ...(source && { source }) }
    })
    return { problems: withSource }
  }

  /** Returns all configured secrets, including passwords in proxy URLs. */
  readonly secretsOf = (target: Target): Secret[] => {
    const { https, http } = target.probe.proxy
    const groupValues: Readonly<Record<string, object | undefined>> = { ...target }
    const proxies = Object.entries({ HTTPS_PROXY: https, HTTP_PROXY: http })
    return [
      ...this.#groups.flatMap(({ key, table }) => findSecrets(table, { ...groupValues[key] })),
      ...proxies.flatMap(([name, url]) => proxyPasswords(url).map((value) => ({ name, value }))),
    ]
  }

  /** Returns the secret variables that are set, even if the configuration is invalid. */
  readonly secretSettings = (environment: NodeJS.ProcessEnv): Secret[] =>
    Object.entries(environment).flatMap(([name, value]) => {
      const variable = this.#byName.get(name)
      if (!variable?.secret || !value) return []
      const { secretsIn, read } = variable.format
      return [{ name, value }, ...(secretsIn?.(read(value)) ?? [])]
    })

  readonly #isSent = (name: string): boolean =>
    this.#services.some(({ prefix }) => name.startsWith(prefix)) ||
    this.#byName.get(name)?.secret === true

  readonly #withExample = ({ variable, message }: Problem): Problem => {
    const { example } = this.#byName.get(variable) ?? {}
    return { variable, message: message + (example ? `; for example ${example}` : '') }
  }

  /** Returns problems of variables by which the author of a .env file could redirect requests. */
  #findRedirections(settings: SetTexts): Problem[] {
    const problems = [...Object.values(proxyVariables).flat(), CONNECT_TO].map((variable) => {
      return { variable, message: PROXY_IN_FILE }
    })
    const urls = this.#services.flatMap((group) => settings.get(baseUrlOf(group)) ?? [])
    if (urls.some(({ text, source }) => source !== '.env' && /^\s*https:/i.test(text))) {
      problems.push({ variable: AUTHORITY, message: AUTHORITY_IN_FILE })
    }
    return problems.filter(({ variable }) => settings.get(variable)?.source === '.env')
  }

  #findReserved(texts: Texts): Problem[] {
    const fields = this.#services.flatMap((group) => {
      return texts.has(baseUrlOf(group)) ? (group.requestFields ?? []) : []
    })
    if (/^true$/i.test(texts.get(TRACE) ?? '')) fields.push('traceparent')
    return findReservedFields(texts.get(HEADERS) ?? '', fields).map(this.#withExample)
  }

  /** Returns problems of variables that concern no base URL; the reference server ignores TLS files. */
  #findIneffective(texts: Texts, settings: SetTexts): Problem[] {
    const baseUrls = this.#services.flatMap((group) => texts.get(baseUrlOf(group)) ?? [])
    const withoutHttps = baseUrls.length > 0 && !baseUrls.some((url) => /^https:/i.test(url))
    const problems = [...texts.keys()]
      .filter((name) => withoutHttps && isTls(name))
      .map((variable) => ({ variable, message: WITHOUT_HTTPS }))
    const connectTo = texts.get(CONNECT_TO)
    if (connectTo === undefined) return problems
    const proxied = findProxies(settings).map(({ scheme }) => `${scheme}:`)
    const message = findConnectToProblem(connectTo, baseUrls, proxied)
    return message ? [...problems, { variable: CONNECT_TO, message }] : problems
  }

  #toTarget(texts: Texts, settings: SetTexts, tls: TlsOptions | undefined): ConfiguredTarget {
    const values: Values = new Map(
      this.variables.map(({ name, format, default: fallback }) => {
        const text = texts.get(name)
        return [name, text === undefined ? fallback : format.read(text)]
      }),
    )
    const probed = this.#groups.filter(
      (group) => group === probeVariables || texts.has(baseUrlOf(group)),
    )
    const target = Object.fromEntries(
      probed.map(({ key, table, whetherSet = {} }) => {
        const isSet = Object.entries(whetherSet).map(([key, name]) => [key, texts.has(name)])
        return [key, { ...assemble(table, values), ...Object.fromEntries(isSet) }]
      }),
    ) as unknown as Target
    target.probe.proxy = Object.fromEntries(
      findProxies(settings).map(({ scheme, text }) => {
        return [scheme, scheme === 'no' ? text : normalizeProxyUrl(text)]
      }),
    )
    if (tls !== undefined) target.probe.tls = tls
    const mixedSources = this.#services.flatMap((group) => {
      const names = variablesOf(group.table).map(({ name }) => name)
      const found = findMixedSources([...names, HEADERS], settings)
      return found === undefined ? [] : [[group.key, found] as const]
    })
    return {
      target,
      settings: Object.fromEntries(
        probed.map((group) => [group.key, toSettings(group, values, texts)]),
      ),
      mixedSources: Object.fromEntries(mixedSources),
    }
  }
}

export const createEnvironment = (services: readonly VariableGroup[]) => new Environment(services)
