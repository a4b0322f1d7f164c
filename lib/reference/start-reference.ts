import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Fault } from './fault.ts'
import { httpApplication } from './http/application.ts'
import { documentedRules, type ReferenceRules } from './reference-rules.ts'
import { referenceServices, type ServiceName } from './services.ts'
import type { MakeIntermediary, Variant } from './variant.ts'

export interface ReferenceOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number
  /** `127.0.0.1` by default. */
  readonly hostname?: string
  /** Empty by default; otherwise like `/git`. It goes before that of the variant. */
  readonly basePath?: string
  /** How long each response is held back, in milliseconds; 0 by default. */
  readonly latencyMs?: number
  /** Name of a fault: see `faults`. */
  readonly fault?: string
  /** Name of a variant (see `variants`) or one of another's. By default that of the fault, if any. */
  readonly variant?: string | Variant
  /** Those whose variables are in the environment; all of them by default. All are served. */
  readonly services?: readonly ServiceName[]
  /** Stands before all services in place of what the variant puts there. */
  readonly intermediary?: MakeIntermediary
}

/** The services that the environment tells of unless it is asked for others. */
const toldServices: readonly ServiceName[] = ['code-hosting', 'event-publishing', 'incident-status']

/** A deployment on this machine, to be closed by whoever started it. */
export interface RunningReference {
  /** Scheme, host and port. */
  readonly origin: string
  /** The origin and the base path, without a slash at the end. */
  readonly baseUrl: string
  /** The variables for a run that judges everything the deployment offers. */
  readonly environment: Record<string, string>
  /** How many requests have arrived. */
  requests(): number
  /** Ends all connections at once, those with a request under way too. */
  close(): Promise<void>
}

// Longer than any client keeps an idle connection: a close that crosses a request fails it.
const keepAliveMs = 600_000

async function listen(server: Server, port: number, hostname: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, hostname, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const host = hostname.includes(':') ? `[${hostname}]` : hostname
  return `http://${host}:${(server.address() as AddressInfo).port}`
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

// The registries are loaded when they are asked for: a plain start is quicker without them.
async function chosenFault(name: string | undefined): Promise<Fault | undefined> {
  return name === undefined ? undefined : (await import('./faults.ts')).faultNamed(name)
}

async function chosenVariant(named: string | Variant | undefined): Promise<Variant | undefined> {
  return typeof named === 'string' ? (await import('./variants.ts')).variantNamed(named) : named
}

function changedRules(fault: Fault | undefined, variant: Variant | undefined): ReferenceRules {
  const { codeHosting, eventPublishing, incidentStatus } = documentedRules
  const varied: ReferenceRules = {
    codeHosting: variant?.codeHosting?.change?.(codeHosting) ?? codeHosting,
    eventPublishing: variant?.eventPublishing?.change?.(eventPublishing) ?? eventPublishing,
    incidentStatus: variant?.incidentStatus?.change?.(incidentStatus) ?? incidentStatus,
  }
  return fault?.change(varied) ?? varied
}

/**
 * Serves the reference deployment: three services at one address.
 *
 * @throws Error when no fault or variant has that name, or the address is taken.
 */
export async function startReference(options: ReferenceOptions = {}): Promise<RunningReference> {
  const fault = await chosenFault(options.fault)
  const variant = await chosenVariant(options.variant ?? fault?.variant)
  const basePath = options.basePath ?? variant?.basePath ?? ''
  const rules = changedRules(fault, variant)

  const server = createServer({ keepAliveTimeout: keepAliveMs })
  let requests = 0
  server.on('request', () => {
    requests += 1
  })
  const origin = await listen(server, options.port ?? 0, options.hostname ?? '127.0.0.1')
  const baseUrl = origin + basePath
  const { services, missing } = referenceServices({ baseUrl, basePath }, rules, variant)
  const application = httpApplication({
    routes: services.flatMap(({ routes }) => routes),
    missing,
    basePath,
    latencyMs: options.latencyMs ?? 0,
    intermediary: (options.intermediary ?? variant?.intermediary)?.(),
  })
  server.on('request', getRequestListener(application.fetch, { overrideGlobalObjects: false }))
  const told = services.filter(({ name }) => (options.services ?? toldServices).includes(name))
  return {
    origin,
    baseUrl,
    environment: Object.assign({}, ...told.map(({ environment }) => environment)),
    requests: () => requests,
    close: () => close(server),
  }
}
