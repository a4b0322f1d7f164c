import { randomBytes } from 'node:crypto'
import type { ConfiguredTarget, EnvironmentOptions, Settings } from '../environment/environment.ts'
import type { Target } from '../environment/probe-variables.ts'
import { baseUrlOf } from '../environment/rules.ts'
import type { Problem } from '../environment/variable.ts'
import { proxyFor } from '../probe/proxy-for.ts'
import { publicTexts } from '../probe/redaction/redaction.ts'
import type { ReferenceServer, Variant } from '../test-bed/reference/index.ts'
import { counted } from '../text/quantities.ts'
import { systemReason } from '../text/system-reason.ts'
import { type CliContext, safeForTerminal, UsageError } from './context.ts'
import { describeUnknown } from './select.ts'
import {
  catalogueOf,
  loadTarget,
  type ServiceKey,
  serviceKeys,
  services,
  servicesOf,
} from './services.ts'

function formatProblems(problems: readonly Problem[]): string {
  const width = Math.max(0, ...problems.map(({ variable }) => variable.length))
  return [
    `The configuration has ${counted(problems.length, 'problem')}. Nothing was sent.`,
    '',
    ...problems.map(({ variable, message, source }) => {
      const place = source === 'process' ? 'the process environment' : source
      return `  ${variable.padEnd(width)}  ${message}${place ? ` (set in ${place})` : ''}`
    }),
  ].join('\n')
}

/**
 * Returns the configuration; its secrets are redacted from then on.
 *
 * @param required purposes of variables that must be set
 * @throws UsageError with all problems
 */
export function loadConfiguration(
  { environment, directory, redactor }: Pick<CliContext, 'environment' | 'directory' | 'redactor'>,
  envFile?: string,
  required?: EnvironmentOptions['required'],
): ConfiguredTarget {
  const loaded = loadTarget({ environment, envFile, directory, required })
  if ('problems' in loaded) {
    throw new UsageError(redactor.redactMessage(formatProblems(loaded.problems)))
  }
  // A secret may begin with a public text.
  redactor.addNames(publicTexts(loaded.target, loaded.secrets))
  for (const { name, value } of loaded.secrets) redactor.add(name, value)
  return loaded
}

export interface ServerOptions {
  port?: number
  latency?: number
  fault?: string | readonly string[]
  /** Name of a registered variant, or a variant that is not registered. */
  variant?: string | Variant
}

/** @throws UsageError for an unknown fault or variant, for conflicting faults, and for a port in use */
export async function startReferenceServer(options: ServerOptions, program?: string) {
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

export interface PreparedTarget extends Pick<ConfiguredTarget, 'target' | 'secrets'> {
  settings: Settings
  /** Reference server, if no target is configured. */
  embedded: ReferenceServer | undefined
}

/** Returns the target of a run, or starts the reference server. Says which service is behind a proxy. @throws UsageError */
export async function prepareTarget(
  options: PreparationOptions,
  context: Pick<CliContext, 'environment' | 'directory' | 'redactor' | 'errors' | 'program'>,
): Promise<PreparedTarget> {
  const { envFile, fault, variant } = options
  let loaded: ConfiguredTarget = loadConfiguration(context, envFile)
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
      throw new UsageError(`--no-embedded needs a configured target: ${missing}`)
    }
    embedded = await startReferenceServer(options, context.program)
    // Nothing of a job is sent to the reference server.
    const environment = { ...context.environment, ...embedded.environment, CI: '' }
    loaded = loadConfiguration({ ...context, environment })
  }
  const keys = selectServices(loaded.target, options.service)
  const selected = Object.fromEntries(keys.map((key) => [key, loaded.target[key]]))
  const target: Target = { probe: loaded.target.probe, ...selected }
  for (const key of embedded === undefined ? keys : []) {
    const proxy = proxyFor(new URL(target[key]?.baseUrl ?? ''), target.probe.proxy)
    if (proxy === undefined) continue
    const { protocol, host } = new URL(proxy)
    const line = `${catalogueOf(key).service}: through the proxy ${protocol}//${host}.\n`
    context.errors.write(safeForTerminal(line, context.redactor))
  }
  const settings: Settings = Object.assign(
    {},
    ...[...keys, 'probe'].map((key) => loaded.settings[key]),
  )
  return { target, secrets: loaded.secrets, settings, embedded }
}

/** Returns a unique id; ids sort by time because they start with the minute. */
export function newRunId(now: Date): string {
  const stamp = now.toISOString().slice(0, 16).replace(/[-:]/g, '').toLowerCase()
  return `${stamp}-${randomBytes(3).toString('hex')}`
}
