import { randomBytes } from 'node:crypto'
import picomatch from 'picomatch'
import type { Catalogue } from '../conformance/catalogue.ts'
import { connectionFor } from '../environment/connect-to.ts'
import { baseUrlOf, type ConfiguredTarget, type Settings } from '../environment/environment.ts'
import { formatProblems, type Problem } from '../environment/errors.ts'
import { proxyFor } from '../environment/no-proxy.ts'
import type { EnvironmentOptions } from '../environment/read-environment.ts'
import { publicTexts, type Target } from '../environment/target.ts'
import type { Secret } from '../environment/variable.ts'
import type { Redactor } from '../probe/redaction/redaction.ts'
import { formatCommand } from '../reports/report-text.ts'
import type { Requirement } from '../results/requirement.ts'
import type { RunReport } from '../results/run-report.ts'
import type { ReferenceServer, Variant } from '../test-bed/reference/index.ts'
import { joinNames } from '../text/names.ts'
import { didYouMean } from '../text/suggestions.ts'
import { systemReason } from '../text/system-reason.ts'
import { type CliContext, safeForTerminal, UsageError } from './context.ts'
import {
  catalogueOf,
  loadTarget,
  type ServiceKey,
  secretsOf,
  serviceKeys,
  services,
  servicesOf,
} from './services.ts'

/** @throws UsageError with all problems, without secrets */
export function loadConfiguration<Loaded extends object>(
  load: (options: EnvironmentOptions) => Loaded | { problems: Problem[] },
  { environment, directory, redactor }: Pick<CliContext, 'environment' | 'directory' | 'redactor'>,
  envFile?: string,
): Loaded {
  const loaded = load({ environment, envFile, directory })
  if ('problems' in loaded) {
    throw new UsageError(redactor.redactMessage(formatProblems(loaded.problems)))
  }
  return loaded
}

/**
 * Returns the items that a pattern matches: a glob, a name, a prefix of an id, or an unambiguous part of an id
 * such as a section. Without a pattern, returns all items.
 *
 * @throws UsageError for an ambiguous pattern, and with `describeMismatch` for one without a match
 */
export function selectItems<Item>(
  all: readonly Item[],
  nameOf: (item: Item) => string,
  patterns: readonly string[],
  describeMismatch: (pattern: string) => string,
): readonly Item[] {
  const find = (pattern: string) => {
    const below = pattern.startsWith('!') ? [] : [`${pattern}/**`]
    const isMatch = picomatch([pattern, ...below])
    return all.filter((item) => isMatch(nameOf(item)))
  }
  const matches = (text: string) => {
    if (text.trim() === '') return []
    const pattern = text.replace(/\/$/, '')
    const found = find(pattern)
    if (found.length > 0) return found
    const prefixes = new Set(idPrefixes(all.map(nameOf)))
    const candidates = [...prefixes].filter((one) => one.endsWith(`/${pattern}`))
    if (candidates.length < 2) return candidates.flatMap(find)
    const names = joinNames(candidates, 'or')
    throw new UsageError(`${pattern} may be ${names}: give a full id.`)
  }
  const unmatched = patterns.find((pattern) => matches(pattern).length === 0)
  if (unmatched !== undefined) throw new UsageError(describeMismatch(unmatched))
  const chosen = new Set(patterns.flatMap(matches))
  return patterns.length === 0 ? all : all.filter((item) => chosen.has(item))
}

/** Returns the services and sections of ids, and the ids themselves. */
const idPrefixes = (ids: readonly string[]) =>
  [1, 2, 3].flatMap((count) => ids.map((id) => id.split('/').slice(0, count).join('/')))

export function selectRequirements(
  catalogues: readonly Catalogue[],
  patterns: readonly string[],
  program?: string,
): readonly Requirement[] {
  const requirements = catalogues.flatMap((one): readonly Requirement[] => one.requirements)
  const names = idPrefixes(requirements.map(({ id }) => id))
  const describeMismatch = (pattern: string) =>
    `--requirement ${pattern} matches no requirement of the chosen services.` +
    `${didYouMean(pattern, names)} "${formatCommand('requirements', program)}" lists all of them.`
  return selectItems(requirements, ({ id }) => id, patterns, describeMismatch)
}

/** Returns the ids of the requirements whose checks run; an invariant needs all checks of its service. */
export function checksFor(
  catalogues: readonly Catalogue[],
  selected: readonly Requirement[],
): string[] {
  return catalogues.flatMap(({ requirements }) => {
    const chosen = requirements.filter((requirement) => selected.includes(requirement))
    const needsAll = chosen.some(({ checkedBy }) => checkedBy.includes('invariant'))
    return (needsAll ? requirements : chosen).map(({ id }) => id)
  })
}

export interface ServerOptions {
  port?: number
  latency?: number
  fault?: string | readonly string[]
  /** Name of a registered variant, or a variant that is not registered. */
  variant?: string | Variant
}

export function describeUnknown(
  kind: string,
  name: string,
  names: readonly string[],
  program?: string,
): string {
  const list = formatCommand('reference --list', program)
  const all = kind === 'need' ? `There is ${names.join(', ')}.` : `"${list}" lists all.`
  const example = kind === 'need' ? '' : ` For example, use ${names[0]}.`
  return `--${kind} ${name} names no ${kind}.${didYouMean(name, names) || example} ${all}`
}

/** @throws UsageError for an unknown fault or variant, for conflicting faults, and for a port in use */
export async function startReferenceServer(
  options: ServerOptions,
  program?: string,
): Promise<ReferenceServer> {
  const reference = await import('../test-bed/reference/index.ts')
  const { ConflictingFaultsError, faults, startReference, variants } = reference
  const { port, latency, fault, variant } = options
  for (const [kind, known] of Object.entries({ fault: faults, variant: variants })) {
    const names = known.map((one) => one.name)
    for (const name of [{ fault, variant }[kind] ?? []].flat()) {
      if (typeof name === 'string' && !names.includes(name)) {
        throw new UsageError(describeUnknown(kind, name, names, program))
      }
    }
  }
  try {
    return await startReference({ port, latencyMs: latency, fault, variant })
  } catch (error) {
    if (error instanceof ConflictingFaultsError)
      throw new UsageError(`Use only one at a time: ${error.message}.`)
    if ((error as NodeJS.ErrnoException).syscall !== 'listen') throw error
    const option = port === undefined ? '' : `--port ${port}: `
    throw new UsageError(
      `${option}the reference server cannot listen at 127.0.0.1: ${systemReason(error)}.`,
    )
  }
}

export interface PreparationOptions extends ServerOptions {
  envFile?: string
  service?: string[]
  /** False to require a configured target instead of starting the reference server. */
  embedded?: boolean
}

export const baseUrlVariable = (key: ServiceKey) => baseUrlOf(services[key].variables)

function selectServices(target: Target, names: readonly string[] | undefined): ServiceKey[] {
  if (names === undefined) return servicesOf(target)
  const all = new Map(serviceKeys.map((key) => [catalogueOf(key).service as string, key]))
  return [...new Set(names)].map((name) => {
    const key = all.get(name)
    if (key !== undefined && target[key] !== undefined) return key
    const unknown = `is not known; there is ${[...all.keys()].join(', ')}`
    const problem = key === undefined ? unknown : `needs ${baseUrlVariable(key)}, which is not set`
    throw new UsageError(`--service ${name} ${problem}.`)
  })
}

export interface PreparedTarget {
  target: Target
  settings: Settings
  services: readonly ServiceKey[]
  /** Reference server, if no target is configured. */
  embedded: ReferenceServer | undefined
}

/** Adds the secrets of a target, after its public texts: a secret may begin with one. Returns the secrets. */
export function addSecrets(target: Target, redactor: Redactor): Secret[] {
  const secrets = secretsOf(target)
  redactor.addNames(publicTexts(target, secrets))
  for (const { name, value } of secrets) redactor.add(name, value)
  return secrets
}

/**
 * Returns the target of a run, and starts the reference server if none is configured. Reports what each service takes
 * from the process if the rest comes from a file: another person may have written the one in the working directory.
 *
 * @throws UsageError
 */
export async function prepareTarget(
  options: PreparationOptions,
  context: Pick<CliContext, 'environment' | 'directory' | 'redactor' | 'errors' | 'program'>,
): Promise<PreparedTarget> {
  const { envFile, fault, variant } = options
  let loaded: ConfiguredTarget = loadConfiguration(loadTarget, context, envFile)
  let embedded: ReferenceServer | undefined
  if (servicesOf(loaded.target).length > 0) {
    if (fault !== undefined || variant !== undefined) {
      throw new UsageError(
        '--fault and --variant change the reference server, but another target is configured.',
      )
    }
  } else {
    const missing = `set one of ${serviceKeys.map(baseUrlVariable).join(', ')}.`
    if (envFile !== undefined) {
      throw new UsageError(`--env-file ${envFile} does not configure a target: ${missing}`)
    }
    if (options.embedded === false) {
      throw new UsageError(
        `--no-embedded needs a configured target, and none is configured: ${missing}`,
      )
    }
    embedded = await startReferenceServer(options, context.program)
    // Nothing of a job is sent to the reference server.
    const environment = { ...context.environment, ...embedded.environment, CI: '' }
    loaded = loadConfiguration(loadTarget, { ...context, environment })
  }
  const keys = selectServices(loaded.target, options.service)
  const selected = Object.fromEntries(keys.map((key) => [key, loaded.target[key]]))
  const target: Target = { probe: loaded.target.probe, ...selected }
  addSecrets(target, context.redactor)
  for (const key of embedded === undefined ? keys : []) {
    const proxy = proxyFor(new URL(target[key]?.baseUrl ?? ''), target.probe.proxy)
    if (proxy === undefined) continue
    const { protocol, host } = new URL(proxy)
    const text = `${catalogueOf(key).service}: through the proxy ${protocol}//${host}.\n`
    context.errors.write(safeForTerminal(text, context.redactor))
  }
  for (const key of keys) {
    const mixed = embedded === undefined ? loaded.mixedSources[key] : undefined
    if (mixed === undefined) continue
    const { fromProcess, file } = mixed
    // A shell may still have the account of another task, such as an administrator.
    const names = fromProcess.map((name) => {
      return name.endsWith('_USERNAME') ? `${name} (${loaded.settings[key]?.[name]})` : name
    })
    const sentence = `${joinNames(names)} from the process, the rest from ${file}.`
    const text = `${catalogueOf(key).service}: ${sentence}\n`
    context.errors.write(safeForTerminal(text, context.redactor))
  }
  const settings: Settings = Object.assign(
    {},
    ...[...keys, 'probe'].map((key) => loaded.settings[key]),
  )
  return { target, settings, services: keys, embedded }
}

export function describeTarget(target: Target, isEmbedded: boolean): RunReport['target'] {
  const marker = isEmbedded && { embedded: true }
  return Object.fromEntries(
    servicesOf(target).map((key) => {
      const baseUrl = target[key]?.baseUrl ?? ''
      const connectedTo = connectionFor(target.probe.connectTo, new URL(baseUrl))
      return [key, { baseUrl, ...marker, ...(connectedTo !== undefined && { connectedTo }) }]
    }),
  )
}

export function describeDocuments(target: Target): NonNullable<RunReport['documents']> {
  return Object.fromEntries(
    servicesOf(target).map((key) => {
      const { service, document: title } = catalogueOf(key)
      const url = target[key]?.documentUrl
      return [service, { title, ...(url !== undefined && { url }) }]
    }),
  )
}

/** Returns a unique id; ids sort by time because they start with the minute. */
export function newRunId(now: Date): string {
  const stamp = now.toISOString().slice(0, 16).replace(/[-:]/g, '').toLowerCase()
  return `${stamp}-${randomBytes(3).toString('hex')}`
}
