import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { httpApplication } from './http.ts'
import type { MakeIntermediary } from './intermediaries.ts'
import {
  deployServices,
  faults,
  type ServiceName,
  serviceNames,
  type Variant,
  variants,
} from './registry.ts'

export type { MakeIntermediary } from './intermediaries.ts'
export {
  configuredOtherwise,
  type Fault,
  faults,
  plainAsConfigured,
  type ServiceName,
  servicesOfVariant,
  type Variant,
  variants,
} from './registry.ts'

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
const keepAliveTimeout = 600_000

function named<Entry extends { readonly name: string }>(
  kind: string,
  entries: readonly Entry[],
  name: string | undefined,
): Entry | undefined {
  const found = entries.find((entry) => entry.name === name)
  if (name !== undefined && found === undefined) {
    throw new Error(`There is no ${kind} named '${name}'.`)
  }
  return found
}

/**
 * Serves the reference deployment: three services at one address.
 *
 * @throws Error when no fault or variant has that name, or the address is taken.
 */
export async function startReference(options: ReferenceOptions = {}): Promise<RunningReference> {
  const fault = named('fault', faults, options.fault)
  const chosen = options.variant ?? fault?.variant
  const variant = typeof chosen === 'object' ? chosen : named('variant', variants, chosen)
  const basePath = options.basePath ?? variant?.basePath ?? ''
  const { hostname = '127.0.0.1', port = 0 } = options

  const server = createServer({ keepAliveTimeout })
  let requests = 0
  server.on('request', () => {
    requests += 1
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, hostname, resolve)
  })
  const host = hostname.includes(':') ? `[${hostname}]` : hostname
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`
  const baseUrl = origin + basePath
  const services = deployServices({ baseUrl, basePath }, fault, variant)
  const application = httpApplication({
    routes: services.flatMap(({ routes }) => routes),
    missing: services.find(({ missing }) => missing !== undefined)?.missing,
    basePath,
    latencyMs: options.latencyMs ?? 0,
    intermediary: (options.intermediary ?? variant?.intermediary)?.(),
  })
  server.on('request', getRequestListener(application.fetch, { overrideGlobalObjects: false }))
  const asked = services.filter(({ name }) => (options.services ?? serviceNames).includes(name))
  return {
    origin,
    baseUrl,
    environment: Object.assign({}, ...asked.map(({ environment }) => environment)),
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
