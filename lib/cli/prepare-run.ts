import { randomBytes } from 'node:crypto'
import picomatch from 'picomatch'
import type { Catalogue, Requirement } from '../conformance/requirement.ts'
import { baseUrlOf, type ConfiguredTarget, type Settings } from '../environment/environment.ts'
import { didYouMean } from '../environment/nearest.ts'
import {
  describeSource,
  formatProblems,
  joinNames,
  type Problem,
  systemReason,
} from '../environment/problems.ts'
import type { EnvironmentOptions } from '../environment/read-environment.ts'
import { publicTexts, type Target } from '../environment/target.ts'
import {
  faults,
  NotAtOnce,
  type RunningReference,
  startReference,
  type Variant,
  variants,
} from '../reference/index.ts'
import type { RunReport } from '../results/result.ts'
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

/** @throws UsageError that tells every problem */
export function loadOrExplain<Loaded extends object>(
  load: (options: EnvironmentOptions) => Loaded | { problems: Problem[] },
  { environment, directory }: Pick<CliContext, 'environment' | 'directory'>,
  envFile?: string,
): Loaded {
  const loaded = load({ environment, envFile, directory })
  if ('problems' in loaded) throw new UsageError(formatProblems(loaded.problems))
  return loaded
}

/**
 * What the patterns name, by its name or id, by the beginning of an id, by a part of one that is in no
 * other place, such as a section alone, or by a glob; without a pattern, everything.
 *
 * @throws UsageError for a pattern that names nothing, with what `refusal` says of it, or several things
 */
export function selectNamed<Item>(
  all: readonly Item[],
  nameOf: (item: Item) => string,
  patterns: readonly string[],
  refusal: (pattern: string) => string,
): readonly Item[] {
  const named = (pattern: string) => {
    const below = pattern.startsWith('!') ? [] : [`${pattern}/**`]
    const isNamed = picomatch([pattern, ...below])
    return all.filter((item) => isNamed(nameOf(item)))
  }
  const matches = (given: string) => {
    if (given.trim() === '') return []
    const pattern = given.replace(/\/$/, '')
    const found = named(pattern)
    if (found.length > 0) return found
    const places = new Set(beginningsOf(all.map(nameOf)))
    const [place, ...others] = [...places].filter((one) => one.endsWith(`/${pattern}`))
    if (place === undefined || others.length === 0) return place === undefined ? [] : named(place)
    const candidates = joinNames([place, ...others], 'or')
    throw new UsageError(`${pattern} may be ${candidates}: name one of them in full.`)
  }
  const nothing = patterns.find((pattern) => matches(pattern).length === 0)
  if (nothing !== undefined) throw new UsageError(refusal(nothing))
  const chosen = new Set(patterns.flatMap(matches))
  return patterns.length === 0 ? all : all.filter((item) => chosen.has(item))
}

/** Of ids: services, sections and the ids themselves. */
const beginningsOf = (ids: readonly string[]) =>
  [1, 2, 3].flatMap((count) => ids.map((id) => id.split('/').slice(0, count).join('/')))

export function selectRequirements(
  catalogues: readonly Catalogue[],
  patterns: readonly string[],
): readonly Requirement[] {
  const requirements = catalogues.flatMap((one): readonly Requirement[] => one.requirements)
  const names = beginningsOf(requirements.map(({ id }) => id))
  const refusal = (pattern: string) =>
    `--requirement ${pattern} matches no requirement of the chosen services.` +
    `${didYouMean(pattern, names)} "plumbline requirements" lists all of them.`
  return selectNamed(requirements, ({ id }) => id, patterns, refusal)
}

/**
 * Returns the ids of the requirements whose checks run. An invariant is about the exchanges of every check of
 * its service, so that selecting one runs all of them.
 */
export function checksFor(
  catalogues: readonly Catalogue[],
  selected: readonly Requirement[],
): string[] {
  return catalogues.flatMap(({ requirements }) => {
    const ours = requirements.filter((requirement) => selected.includes(requirement))
    const needsAll = ours.some(({ judged }) => judged.includes('invariant'))
    return (needsAll ? requirements : ours).map(({ id }) => id)
  })
}

export interface EmbeddedOptions {
  port?: number
  latency?: number
  fault?: string | readonly string[]
  /** Its name, or one that has none. */
  variant?: string | Variant
}

export function unknownName(kind: string, name: string, names: readonly string[]): string {
  const all =
    kind === 'need' ? `There is ${names.join(', ')}.` : '"plumbline reference --list" lists all.'
  return `--${kind} ${name} names no ${kind}.${didYouMean(name, names)} ${all}`
}

/** @throws UsageError for faults and variants that there are not or not at once, and a taken port */
export async function startEmbedded(options: EmbeddedOptions): Promise<RunningReference> {
  const { port, latency, fault, variant } = options
  for (const [kind, known] of Object.entries({ fault: faults, variant: variants })) {
    const names = known.map((one) => one.name)
    for (const name of [{ fault, variant }[kind] ?? []].flat()) {
      if (typeof name === 'string' && !names.includes(name)) {
        throw new UsageError(unknownName(kind, name, names))
      }
    }
  }
  try {
    return await startReference({ port, latencyMs: latency, fault, variant })
  } catch (error) {
    if (error instanceof NotAtOnce) throw new UsageError(`One of them at a time: ${error.message}.`)
    if ((error as NodeJS.ErrnoException).syscall !== 'listen') throw error
    const given = port === undefined ? '' : `--port ${port}: `
    throw new UsageError(
      `${given}the embedded deployment cannot listen at 127.0.0.1: ${systemReason(error)}.`,
    )
  }
}

export interface PreparationOptions extends EmbeddedOptions {
  envFile?: string
  service?: string[]
  /** False: the embedded deployment never stands in for one that is not configured. */
  embedded?: boolean
}

export const baseUrlVariable = (key: ServiceKey) => baseUrlOf(services[key].variables)

function chosenServices(target: Target, names: readonly string[] | undefined): ServiceKey[] {
  if (names === undefined) return servicesOf(target)
  const all = new Map(serviceKeys.map((key) => [catalogueOf(key).service as string, key]))
  return [...new Set(names)].map((name) => {
    const key = all.get(name)
    if (key !== undefined && target[key] !== undefined) return key
    const known = `is not known; there is ${[...all.keys()].join(', ')}`
    const why = key === undefined ? known : `needs ${baseUrlVariable(key)}, which is not set`
    throw new UsageError(`--service ${name} ${why}.`)
  })
}

/** What a run probes. */
export interface PreparedTarget {
  target: Target
  /** What it is configured with, by variable. */
  settings: Settings
  services: readonly ServiceKey[]
  /** The embedded deployment, where no other is configured. */
  embedded: RunningReference | undefined
}

/**
 * What a run probes; `embedded` where no deployment is configured. Reports each address that is not set
 * where its secrets are: a file in the working directory may be of somebody who is to have none of them.
 *
 * @throws UsageError
 */
export async function prepareTarget(
  options: PreparationOptions,
  context: Pick<CliContext, 'environment' | 'directory' | 'redactor' | 'errors'>,
): Promise<PreparedTarget> {
  const { envFile, fault, variant } = options
  let loaded: ConfiguredTarget = loadOrExplain(loadTarget, context, envFile)
  let embedded: RunningReference | undefined
  if (servicesOf(loaded.target).length > 0) {
    if (fault !== undefined || variant !== undefined) {
      throw new UsageError(
        '--fault and --variant change the embedded deployment, and another is configured.',
      )
    }
  } else {
    const missing = `set one of ${serviceKeys.map(baseUrlVariable).join(', ')}.`
    if (envFile !== undefined) {
      throw new UsageError(`--env-file ${envFile} names no deployment: ${missing}`)
    }
    if (options.embedded === false) {
      throw new UsageError(
        `--no-embedded asks for a deployment, and none is configured: ${missing}`,
      )
    }
    embedded = await startEmbedded(options)
    const environment = { ...context.environment, ...embedded.environment }
    loaded = loadOrExplain(loadTarget, { ...context, environment })
  }
  const keys = chosenServices(loaded.target, options.service)
  const kept = Object.fromEntries(keys.map((key) => [key, loaded.target[key]]))
  const target: Target = { probe: loaded.target.probe, ...kept }
  const secrets = secretsOf(target)
  context.redactor.addNames(publicTexts(target, secrets))
  for (const { name, value } of secrets) context.redactor.add(name, value)
  for (const key of keys) {
    const foreign = loaded.foreignSecrets[key]
    if (foreign === undefined) continue
    const { variable, source, secrets } = foreign
    const address = `${variable} is ${target[key]?.baseUrl}, set in ${describeSource(source)}.`
    const sent = `${joinNames(secrets.names)}, set in ${describeSource(secrets.source)}, will be sent there.`
    context.errors.write(safeForTerminal(`${address} ${sent}\n`, context.redactor))
  }
  const settings: Settings = Object.assign(
    {},
    ...[...keys, 'probe'].map((key) => loaded.settings[key]),
  )
  return { target, settings, services: keys, embedded }
}

/** The probed services as reports name them. */
export function describeTarget(target: Target, isEmbedded: boolean): RunReport['target'] {
  const place = isEmbedded && { embedded: true }
  return Object.fromEntries(
    servicesOf(target).map((key) => [key, { baseUrl: target[key]?.baseUrl ?? '', ...place }]),
  )
}

/** By what the probed services are judged. */
export function describeDocuments(target: Target): NonNullable<RunReport['documents']> {
  return Object.fromEntries(
    servicesOf(target).map((key) => {
      const { service, document: title } = catalogueOf(key)
      const url = target[key]?.documentUrl
      return [service, { title, ...(url !== undefined && { url }) }]
    }),
  )
}

/** Unique, and sorted by time: it begins with the minute. */
export function newRunId(now: Date): string {
  const stamp = now.toISOString().slice(0, 16).replace(/[-:]/g, '').toLowerCase()
  return `${stamp}-${randomBytes(3).toString('hex')}`
}
