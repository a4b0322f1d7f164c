import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { httpApplication, type IncomingRequest } from './http.ts'
import { intermediaryVariants, type MakeIntermediary } from './intermediaries.ts'
import {
  applyChange,
  applyEnvironmentChange,
  type Environment,
  type ReferenceService,
  type ServerAddress,
  type ServiceFault,
  type ServiceVariation,
  type VariantTraits,
} from './rule-tables.ts'
import * as services from './services.ts'

export type { MakeIntermediary } from './intermediaries.ts'

type Services = typeof services
type Key = keyof Services
// biome-ignore lint/suspicious/noExplicitAny: each service has its own rules and servers
type Any = any
type UntypedService = ReferenceService<ServiceName, Any, Any, Any>

const entries = Object.entries(services) as unknown as readonly (readonly [Key, UntypedService])[]

export type ServiceName = Services[Key]['name']

const serviceNames: readonly ServiceName[] = entries.map(([, { name }]) => name)

export interface Fault extends ServiceFault<object> {
  readonly service: ServiceName
}

type Variations = {
  readonly [Service in Key]?: Omit<Services[Service]['variants'][number], keyof VariantTraits>
}

export interface Variant extends VariantTraits, Variations {
  readonly intermediary?: MakeIntermediary
}

export const faults: readonly Fault[] = entries.flatMap(([, service]) =>
  service.faults.map((fault) => ({ ...fault, service: service.name })),
)

export const variants: readonly Variant[] = [
  ...entries.flatMap(([key, service]) =>
    service.variants.map(
      ({ name, verdict, basePath, tolerances, unjudged, expectedVerdicts, ...variation }) => ({
        ...{ name, verdict, basePath, tolerances, unjudged, expectedVerdicts },
        [key]: variation,
      }),
    ),
  ),
  ...intermediaryVariants,
]

const changesAllServices = ({ basePath, intermediary }: Variant) =>
  basePath !== undefined || intermediary !== undefined

/** Returns the services that a variant changes. The small ones run together, so that every run judges something. */
export function servicesOfVariant(variant: Variant): readonly ServiceName[] {
  if (changesAllServices(variant)) return serviceNames
  const [first, ...others] = entries.map(([key]) => key in variant)
  if (!others.includes(true)) return serviceNames.slice(0, 1)
  return first ? serviceNames : serviceNames.slice(1)
}

/** Returns the services whose rules a variant changes; none if it changes anything else. */
export function changedRulesOf(variant: Variant): readonly ServiceName[] {
  const changed = entries.filter(([key]) => variant[key])
  const isOnly = changed.every(([key]) => Object.keys(variant[key] ?? {}).join() === 'change')
  return isOnly && !changesAllServices(variant) ? changed.map(([, { name }]) => name) : []
}

/** Returns the variant of a server with the changed rules of all. */
export function combineVariants(parts: readonly Variant[]): Variant {
  const name = parts.map((variant) => variant.name).join(' + ')
  const combined = entries
    .filter(([key]) => parts.some((variant) => variant[key]))
    .map(([key]) => ({ [key]: { change: parts.map((variant) => variant[key]?.change ?? {}) } }))
  return Object.assign({ name }, ...combined)
}

/** Returns the unmodified server with the variables of the variant; undefined unless the variant changes both. */
export function unmodifiedVariant(variant: Variant): Variant | undefined {
  const configured: Record<string, object> = {}
  let changed = changesAllServices(variant)
  for (const [key] of entries) {
    const { environment, ...changes } = variant[key] ?? {}
    if (environment) configured[key] = { environment }
    changed ||= Object.keys(changes).length > 0
  }
  const { name } = variant
  return changed && Object.keys(configured).length > 0 ? { name, ...configured } : undefined
}

export function environmentVariant(
  name: string,
  environment: (environment: Environment) => Environment,
): Variant {
  return Object.assign({ name }, ...entries.map(([key]) => ({ [key]: { environment } })))
}

export interface ReferenceOptions {
  /** A free port by default. */
  readonly port?: number
  readonly hostname?: string
  /** Path such as `/git`, which replaces the base path of the variant; empty by default. */
  readonly basePath?: string
  readonly latencyMs?: number
  readonly fault?: string | readonly string[] | undefined
  /** Variant, or the name of a registered one; by default the variant that the faults need, if any. */
  readonly variant?: string | Variant
  /** Services whose variables are in the environment; by default all. The server serves all in any case. */
  readonly services?: readonly ServiceName[]
  readonly intermediary?: MakeIntermediary
}

export interface ReferenceServer {
  readonly origin: string
  /** Origin and base path, without a trailing slash. */
  readonly baseUrl: string
  readonly environment: Record<string, string>
  requests(): number
  /** Closes the server and all its connections, including active ones. */
  close(): Promise<void>
}

// Longer than any client keeps an idle connection: a request that crosses a close fails.
const keepAliveTimeout = 600_000

function findByName<Entry extends { name: string }>(
  kind: string,
  all: readonly Entry[],
  name: string,
) {
  const found = all.find((entry) => entry.name === name)
  if (found !== undefined) return found
  throw new Error(`There is no ${kind} ${name}.`)
}

export class ConflictingFaultsError extends Error {}

/** @throws ConflictingFaultsError if a fault needs another variant */
function checkFaults(faults: readonly Fault[], variant: Variant | undefined): void {
  for (const { name, variant: needed } of faults) {
    if (needed !== undefined && needed !== variant?.name) {
      throw new ConflictingFaultsError(
        `the fault ${name} needs the variant ${needed}, not ${variant?.name}`,
      )
    }
  }
}

function startServices(
  address: ServerAddress,
  faults: readonly Fault[],
  variant: Variant | undefined,
) {
  return entries.map(([key, service]) => {
    const variation: ServiceVariation<Any, Any> = variant?.[key] ?? {}
    const faulty = faults.filter((fault) => fault.service === service.name)
    const changes = faulty.map(({ change }) => change)
    const rules = applyChange(service.rules, [variation.change ?? {}, ...changes])
    const server = service.deploy(address, variation)
    const environment = service.environment(server)
    return {
      name: service.name,
      routes: Object.entries(service.endpoints).map(([endpoint, [route, handle]]) => ({
        route,
        respond: (request: IncomingRequest) =>
          service.respond({ ...request, server, endpoint, rules }, handle),
      })),
      environment: applyEnvironmentChange(variation.environment ?? {}, environment, server),
    }
  })
}

/** @throws Error for an unknown fault or variant, conflicting faults, and an address in use */
export async function startReference(options: ReferenceOptions = {}): Promise<ReferenceServer> {
  const faulty = [...new Set([options.fault ?? []].flat())].map((name) =>
    findByName('fault', faults, name),
  )
  const chosen = options.variant ?? faulty.find((fault) => fault.variant !== undefined)?.variant
  const variant = typeof chosen === 'string' ? findByName('variant', variants, chosen) : chosen
  checkFaults(faulty, variant)
  const basePath = options.basePath ?? variant?.basePath ?? ''
  const { hostname = '127.0.0.1', port = 0, latencyMs = 0 } = options

  const server = createServer({ keepAliveTimeout })
  let requests = 0
  server.on('request', () => {
    requests += 1
  })
  await once(server.listen(port, hostname), 'listening')
  const host = hostname.includes(':') ? `[${hostname}]` : hostname
  const origin = `http://${host}:${(server.address() as AddressInfo).port}`
  const baseUrl = origin + basePath
  const started = startServices({ baseUrl, basePath }, faulty, variant)
  const routes = started.flatMap((service) => service.routes)
  const intermediary = (options.intermediary ?? variant?.intermediary)?.()
  const { fetch } = httpApplication(routes, basePath, latencyMs, intermediary)
  server.on('request', getRequestListener(fetch, { overrideGlobalObjects: false }))
  const requested = started.filter(({ name }) => (options.services ?? serviceNames).includes(name))
  return {
    origin,
    baseUrl,
    environment: Object.assign({}, ...requested.map(({ environment }) => environment)),
    requests: () => requests,
    close: async () => {
      const closed = once(server.close(), 'close')
      server.closeAllConnections()
      await closed
    },
  }
}
