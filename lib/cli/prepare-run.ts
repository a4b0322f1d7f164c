import type { ConfiguredTarget, Settings } from '../environment/environment.ts'
import { formatProblems, type Problem, systemReason } from '../environment/problems.ts'
import { type EnvironmentOptions, readEnvironment } from '../environment/read-environment.ts'
import type { Target } from '../environment/target.ts'
import type { RunningReference, Variant } from '../reference/index.ts'
import type { ProgressStream } from '../reports/progress.ts'
import { type CliContext, UsageError } from './context.ts'
import {
  catalogueOf,
  loadTarget,
  type ServiceKey,
  serviceKeys,
  services,
  servicesOf,
} from './services.ts'

/** Node.js reads it when it starts, and an environment file is read later. */
const READ_AT_START = 'NODE_EXTRA_CA_CERTS'

/** Tells of a variable that does nothing where it stands. */
export function tellOfLateVariable(
  options: EnvironmentOptions,
  errors: Pick<ProgressStream, 'write'>,
): void {
  const source = readEnvironment(options).settings.get(READ_AT_START)?.source
  if (source === undefined || source === 'process') return
  const place = source === '.env' ? '.env' : 'the file of --env-file'
  errors.write(
    `plumbline: ${READ_AT_START} in ${place} does nothing: Node.js reads it when it starts. ` +
      'Set it in the environment of the process.\n',
  )
}

/** What tells every problem of the configuration. */
export function usageErrorOf(problems: readonly Problem[]): UsageError {
  return new UsageError(formatProblems(problems))
}

/**
 * The target that the environment describes.
 *
 * @param errors where variables that do nothing are told of
 * @throws UsageError that tells every problem
 */
export function loadTargetOrExplain(
  options: EnvironmentOptions,
  errors?: Pick<ProgressStream, 'write'>,
): ConfiguredTarget {
  const loaded = loadTarget(options)
  if ('problems' in loaded) throw usageErrorOf(loaded.problems)
  if (errors !== undefined) tellOfLateVariable(options, errors)
  return loaded
}

export interface EmbeddedOptions {
  port?: number
  latency?: number
  fault?: string
  /** Its name, or one that has none. */
  variant?: string | Variant
}

/** The registries are large: a start without a fault or variant is quicker without them. */
async function requireKnown({ fault, variant }: EmbeddedOptions): Promise<void> {
  if (fault === undefined && variant === undefined) return
  const { requireKnownName } = await import('./reference-names.ts')
  if (fault !== undefined) requireKnownName('fault', fault)
  if (typeof variant === 'string') requireKnownName('variant', variant)
}

/**
 * Starts the reference deployment on loopback.
 *
 * @throws UsageError when it has no such fault or variant, or cannot listen at the port
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<RunningReference> {
  await requireKnown(options)
  const { startReference } = await import('../reference/index.ts')
  try {
    return await startReference({
      port: options.port,
      latencyMs: options.latency,
      fault: options.fault,
      variant: options.variant,
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== 'listen') throw error
    const port = options.port === undefined ? '' : `--port ${options.port}: `
    throw new UsageError(
      `${port}the embedded deployment cannot listen at 127.0.0.1: ${systemReason(error)}.`,
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

function variablePrefix(key: ServiceKey): string {
  return services[key].variables.prefix
}

/** Without it, the service is not probed. */
export function baseUrlVariable(key: ServiceKey): string {
  return `${variablePrefix(key)}BASE_URL`
}

function setABaseUrl(): string {
  const names = serviceKeys.map(baseUrlVariable)
  return `set one of ${names.join(', ')}.`
}

function chosenServices(target: Target, names: readonly string[] | undefined): ServiceKey[] {
  const configured = servicesOf(target)
  if (names === undefined) return configured
  return [...new Set(names)].map((name) => {
    const key = configured.find((candidate) => catalogueOf(candidate).service === name)
    if (key !== undefined) return key
    const known = serviceKeys.find((candidate) => catalogueOf(candidate).service === name)
    if (known !== undefined) {
      throw new UsageError(`--service ${name}: ${baseUrlVariable(known)} is not set.`)
    }
    const all = serviceKeys.map((key) => catalogueOf(key).service)
    throw new UsageError(`--service ${name} is not known; there is ${all.join(', ')}.`)
  })
}

function refuseChanges({ fault, variant }: EmbeddedOptions): void {
  if (fault === undefined && variant === undefined) return
  throw new UsageError(
    '--no-embedded and --fault or --variant contradict each other: ' +
      'these two change the embedded deployment.',
  )
}

/**
 * Reads the target, and starts the embedded deployment when it names no service.
 *
 * @throws UsageError
 */
export async function prepareTarget(
  options: PreparationOptions,
  { environment, directory, errors }: Pick<CliContext, 'environment' | 'directory' | 'errors'>,
): Promise<PreparedTarget> {
  if (options.embedded === false) refuseChanges(options)
  const loaded = loadTargetOrExplain({ environment, envFile: options.envFile, directory }, errors)
  const configured = loaded.target
  if (servicesOf(configured).length > 0) {
    if (options.fault !== undefined || options.variant !== undefined) {
      throw new UsageError(
        '--fault and --variant change the embedded reference deployment, and a deployment is configured.',
      )
    }
    return chosen(loaded, chosenServices(configured, options.service))
  }
  if (options.envFile !== undefined) {
    throw new UsageError(`--env-file ${options.envFile} names no deployment: ${setABaseUrl()}`)
  }
  if (options.embedded === false) {
    throw new UsageError(
      `No deployment is configured, and --no-embedded asks for one: ${setABaseUrl()}`,
    )
  }
  const embedded = await startEmbedded(options)
  const started = loadTargetOrExplain({
    environment: { ...environment, ...embedded.environment },
    envFile: options.envFile,
    directory,
  })
  return chosen(started, chosenServices(started.target, options.service), embedded)
}

function chosen(
  { target, settings }: ConfiguredTarget,
  keys: ServiceKey[],
  embedded?: RunningReference,
): PreparedTarget {
  const { probe } = target
  const kept = Object.fromEntries(keys.map((key) => [key, target[key]]))
  const prefixes = ['PROBE_', ...keys.map(variablePrefix)]
  const told = Object.entries(settings).filter(([name]) =>
    prefixes.some((prefix) => name.startsWith(prefix)),
  )
  return {
    target: { probe, ...kept },
    settings: Object.fromEntries(told),
    services: keys,
    embedded,
  }
}
