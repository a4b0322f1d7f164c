import { randomBytes } from 'node:crypto'
import picomatch from 'picomatch'
import type { Catalogue, Requirement } from '../conformance/requirement.ts'
import type { RunReport } from '../conformance/result.ts'
import type { ConfiguredTarget, Settings } from '../environment/environment.ts'
import { didYouMean } from '../environment/nearest.ts'
import { formatProblems, type Problem, systemReason } from '../environment/problems.ts'
import type { EnvironmentOptions } from '../environment/read-environment.ts'
import type { Target } from '../environment/target.ts'
import type { RunningReference, Variant } from '../reference/index.ts'
import { type CliContext, UsageError } from './context.ts'
import {
  catalogueOf,
  loadTarget,
  type ServiceKey,
  secretsOf,
  serviceKeys,
  services,
  servicesOf,
} from './services.ts'

/**
 * What the environment describes.
 *
 * @throws UsageError that tells every problem
 */
export function loadOrExplain<Loaded extends object>(
  load: (options: EnvironmentOptions) => Loaded | { problems: Problem[] },
  { environment, directory }: Pick<CliContext, 'environment' | 'directory'>,
  envFile?: string,
): Loaded {
  const loaded = load({ environment, envFile, directory })
  if ('problems' in loaded) throw new UsageError(formatProblems(loaded.problems))
  return loaded
}

/** Whether a pattern names something: by its name or id, by the beginning of an id, or by a glob. */
function isNamed(name: string, pattern: string): boolean {
  if (pattern.startsWith('!')) return picomatch.isMatch(name, pattern)
  return (
    pattern.trim() !== '' && picomatch.isMatch(name, [pattern, `${pattern.replace(/\/$/, '')}/**`])
  )
}

/**
 * What the patterns name, in its order; without a pattern, everything.
 *
 * @param refusal what to say of a pattern that names nothing
 * @throws UsageError
 */
export function selectNamed<Item>(
  all: readonly Item[],
  nameOf: (item: Item) => string,
  patterns: readonly string[],
  refusal: (pattern: string) => string,
): readonly Item[] {
  const matches = (pattern: string) => all.filter((item) => isNamed(nameOf(item), pattern))
  const nothing = patterns.find((pattern) => matches(pattern).length === 0)
  if (nothing !== undefined) throw new UsageError(refusal(nothing))
  const chosen = new Set(patterns.flatMap(matches))
  return patterns.length === 0 ? all : all.filter((item) => chosen.has(item))
}

/**
 * The requirements that patterns name; without a pattern, all of them.
 *
 * @throws UsageError for a pattern that names nothing
 */
export function selectRequirements(
  catalogues: readonly Catalogue[],
  patterns: readonly string[],
): readonly Requirement[] {
  const requirements = catalogues.flatMap(
    (catalogue): readonly Requirement[] => catalogue.requirements,
  )
  const parts = requirements.map(({ id }) => id.split('/'))
  const names = [1, 2, 3].flatMap((count) => parts.map((all) => all.slice(0, count).join('/')))
  return selectNamed(
    requirements,
    ({ id }) => id,
    patterns,
    (pattern) =>
      `--requirement ${pattern} matches no requirement of the chosen services.` +
      `${didYouMean(pattern, names)} "plumbline requirements" lists all of them.`,
  )
}

export interface EmbeddedOptions {
  port?: number
  latency?: number
  fault?: string
  /** Its name, or one that has none. */
  variant?: string | Variant
}

/** What to say of a name, or a glob, that names none of a kind; it tells what was meant. */
export function unknownName(kind: string, name: string, names: readonly string[]): string {
  const all =
    kind === 'need' ? `There is ${names.join(', ')}.` : '"plumbline reference --list" lists all.'
  return `--${kind} ${name} names no ${kind}.${didYouMean(name, names)} ${all}`
}

/**
 * Starts the reference deployment on loopback.
 *
 * @throws UsageError when it has no such fault or variant, or cannot listen at the port
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<RunningReference> {
  const { port, latency, fault, variant } = options
  const { faults, startReference, variants } = await import('../reference/index.ts')
  for (const [kind, name, known] of [
    ['fault', fault, faults],
    ['variant', variant, variants],
  ] as const) {
    const names = known.map((one) => one.name)
    if (typeof name === 'string' && !names.includes(name)) {
      throw new UsageError(unknownName(kind, name, names))
    }
  }
  try {
    return await startReference({ port, latencyMs: latency, fault, variant })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== 'listen') throw error
    const given = port === undefined ? '' : `--port ${port}: `
    throw new UsageError(
      `${given}the embedded deployment cannot listen at 127.0.0.1: ${systemReason(error)}.`,
    )
  }
}

/** What a run probes. */
export interface PreparedTarget {
  target: Target
  settings: Settings
  services: ServiceKey[]
  /** The deployment that was started because none is configured. */
  embedded: RunningReference | undefined
}

export interface PreparationOptions extends EmbeddedOptions {
  envFile?: string
  service?: string[]
  /** False: the embedded deployment never stands in for one that is not configured. */
  embedded?: boolean
}

/** Without it, the service is not probed. */
export function baseUrlVariable(key: ServiceKey): string {
  return `${services[key].variables.prefix}BASE_URL`
}

function chosenServices(target: Target, names: readonly string[] | undefined): ServiceKey[] {
  if (names === undefined) return servicesOf(target)
  const all = serviceKeys.map((key) => catalogueOf(key).service)
  return [...new Set(names)].map((name) => {
    const key = serviceKeys.find((_, index) => all[index] === name)
    if (key === undefined) {
      throw new UsageError(`--service ${name} is not known; there is ${all.join(', ')}.`)
    }
    if (target[key] === undefined) {
      throw new UsageError(`--service ${name}: ${baseUrlVariable(key)} is not set.`)
    }
    return key
  })
}

/**
 * Reads the target, and starts the embedded deployment when it names no service.
 *
 * @throws UsageError
 */
export async function prepareTarget(
  options: PreparationOptions,
  context: Pick<CliContext, 'environment' | 'directory' | 'redactor'>,
): Promise<PreparedTarget> {
  const { envFile, fault, variant } = options
  const isChanged = fault !== undefined || variant !== undefined
  if (options.embedded === false && isChanged) {
    throw new UsageError(
      '--no-embedded and --fault or --variant contradict each other: ' +
        'these two change the embedded deployment.',
    )
  }
  let loaded: ConfiguredTarget = loadOrExplain(loadTarget, context, envFile)
  let embedded: RunningReference | undefined
  if (servicesOf(loaded.target).length > 0) {
    if (isChanged) {
      throw new UsageError(
        '--fault and --variant change the embedded reference deployment, and a deployment is configured.',
      )
    }
  } else {
    const missing = `set one of ${serviceKeys.map(baseUrlVariable).join(', ')}.`
    if (envFile !== undefined) {
      throw new UsageError(`--env-file ${envFile} names no deployment: ${missing}`)
    }
    if (options.embedded === false) {
      throw new UsageError(
        `No deployment is configured, and --no-embedded asks for one: ${missing}`,
      )
    }
    embedded = await startEmbedded(options)
    const environment = { ...context.environment, ...embedded.environment }
    loaded = loadOrExplain(loadTarget, { ...context, environment })
  }
  const keys = chosenServices(loaded.target, options.service)
  const kept = Object.fromEntries(keys.map((key) => [key, loaded.target[key]]))
  const target = { probe: loaded.target.probe, ...kept }
  for (const { name, value } of secretsOf(target)) context.redactor.add(name, value)
  const prefixes = ['PROBE_', ...keys.map((key) => services[key].variables.prefix)]
  const settings = Object.entries(loaded.settings).filter(([name]) =>
    prefixes.some((prefix) => name.startsWith(prefix)),
  )
  return { target, settings: Object.fromEntries(settings), services: keys, embedded }
}

/** The probed services as reports name them. */
export function describeTarget({
  target,
  services,
  embedded,
}: PreparedTarget): RunReport['target'] {
  const place = embedded === undefined ? {} : { embedded: true }
  return Object.fromEntries(
    services.map((key) => [key, { baseUrl: target[key]?.baseUrl ?? '', ...place }]),
  )
}

/** Unique, and sorted by time: it begins with the minute. */
export function newRunId(now: Date): string {
  const stamp = now.toISOString().slice(0, 16).replace(/[-:]/g, '').toLowerCase()
  return `${stamp}-${randomBytes(3).toString('hex')}`
}
