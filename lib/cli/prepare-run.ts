import type { RunningReference } from '../reference/index.ts'
import type { ConfiguredTarget } from '../target/load-target.ts'
import type { Settings } from '../target/settings.ts'
import type { Target } from '../target/target.ts'
import { catalogues, type ServiceKey, servicesOf } from './catalogues.ts'
import { type EmbeddedOptions, startEmbedded } from './embedded.ts'
import { loadTargetOrExplain } from './load.ts'
import type { Surroundings } from './surroundings.ts'
import { UsageError } from './usage-error.ts'

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
  return `${catalogues[key].service.toUpperCase().replaceAll('-', '_')}_`
}

/** `CODE_HOSTING_BASE_URL` for `codeHosting`. */
export function baseUrlVariable(key: ServiceKey): string {
  return `${variablePrefix(key)}BASE_URL`
}

function setABaseUrl(): string {
  const names = (Object.keys(catalogues) as ServiceKey[]).map(baseUrlVariable)
  return `set one of ${names.join(', ')}.`
}

function chosenServices(target: Target, names: readonly string[] | undefined): ServiceKey[] {
  const configured = servicesOf(target)
  if (names === undefined) return configured
  return names.map((name) => {
    const key = configured.find((candidate) => catalogues[candidate].service === name)
    if (key !== undefined) return key
    const known = (Object.keys(catalogues) as ServiceKey[]).find(
      (candidate) => catalogues[candidate].service === name,
    )
    if (known !== undefined) {
      throw new UsageError(`--service ${name}: ${baseUrlVariable(known)} is not set.`)
    }
    const all = Object.values(catalogues).map(({ service }) => service)
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
  { environment, directory, errors }: Pick<Surroundings, 'environment' | 'directory' | 'errors'>,
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
    const services = chosenServices(configured, options.service)
    return chosen(loaded, services)
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
  services: ServiceKey[],
  embedded?: RunningReference,
): PreparedTarget {
  const { probe } = target
  const kept = Object.fromEntries(services.map((key) => [key, target[key]]))
  const prefixes = ['PROBE_', ...services.map(variablePrefix)]
  const told = Object.entries(settings).filter(([name]) =>
    prefixes.some((prefix) => name.startsWith(prefix)),
  )
  return {
    target: { probe, ...kept },
    settings: Object.fromEntries(told),
    services,
    embedded,
  }
}
