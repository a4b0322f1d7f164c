import { intermediaryVariants, type MakeIntermediary } from './intermediaries.ts'
import {
  type Place,
  type ReferenceService,
  type ServiceFault,
  type ServiceVariation,
  toldEnvironment,
  type VariantTraits,
} from './service.ts'
import * as services from './services.ts'

type Services = typeof services
type Key = keyof Services
type AnyService = ReferenceService<ServiceName, object, object, object>

const entries = Object.entries(services) as unknown as readonly (readonly [Key, AnyService])[]

export type ServiceName = Services[Key]['name']

export const serviceNames: readonly ServiceName[] = entries.map(([, { name }]) => name)

/** A deviation from the document of a service. */
export interface Fault extends ServiceFault<object> {
  readonly service: ServiceName
}

type Variations = {
  readonly [Service in Key]?: Omit<Services[Service]['variants'][number], keyof VariantTraits>
}

/** A deployment that conforms and yet differs from the plain one. */
export interface Variant extends VariantTraits, Variations {
  readonly intermediary?: MakeIntermediary
}

/** Every fault that the reference deployment can be started with. */
export const faults: readonly Fault[] = entries.flatMap(([, service]) =>
  service.faults.map((fault) => ({ ...fault, service: service.name })),
)

const environment = toldEnvironment<never>(/(?<!_BASE_URL)$/)

/** Every conforming deployment that the reference can be started as. */
export const variants: readonly Variant[] = [
  ...entries.flatMap(([key, service]) =>
    service.variants.map(
      ({ name, verdict, basePath, tolerances, unjudged, becoming, ...variation }) => ({
        ...{ name, verdict, basePath, tolerances, unjudged, becoming },
        [key]: variation,
      }),
    ),
  ),
  ...intermediaryVariants,
  {
    name: 'event-and-incident-base-urls-alone',
    // In these two alone nothing would be judged.
    codeHosting: {},
    eventPublishing: { environment },
    incidentStatus: { environment },
  },
]

/** All services as they are served, changed by the variant and then by the fault, with variables. */
export function deployServices(
  place: Place,
  fault: Fault | undefined,
  variant: Variant | undefined,
) {
  return entries.map(([key, service]) => {
    const variation: ServiceVariation<object, object> | undefined = variant?.[key]
    const varied = variation?.change?.(service.rules) ?? service.rules
    const rules = fault?.service === service.name ? fault.change(varied) : varied
    const deployment = service.deploy(place, variation ?? {})
    const environment = service.environment(deployment)
    return {
      name: service.name,
      routes: service.routes(deployment, rules),
      missing: service.missing?.(deployment, rules),
      environment: variation?.environment?.(environment, deployment) ?? environment,
    }
  })
}

/**
 * The services that a variant changes. Those after the first are small, and are judged together: then
 * something is judged where the operator tells nothing of one of them.
 */
export function servicesOfVariant(variant: Variant): readonly ServiceName[] {
  if (variant.basePath !== undefined || variant.intermediary !== undefined) return serviceNames
  const [first, ...others] = entries.map(([key]) => key in variant)
  if (!others.includes(true)) return serviceNames.slice(0, 1)
  return first ? serviceNames : serviceNames.slice(1)
}

/**
 * The plain deployment with what is configured for the variant: without it, a change of the server
 * would hide behind it. `undefined` where the configuration is all there is, or nothing.
 */
export function plainAsConfigured(variant: Variant): Variant | undefined {
  const configured: Record<string, object> = {}
  let changed = variant.basePath !== undefined || variant.intermediary !== undefined
  for (const [key] of entries) {
    const { environment, ...changes } = variant[key] ?? {}
    if (environment !== undefined) configured[key] = { environment }
    changed ||= Object.keys(changes).length > 0
  }
  const any = Object.keys(configured).length > 0
  return any && changed ? { name: variant.name, ...configured } : undefined
}

/** The plain deployment with another configuration: what `tell` makes of it. */
export function configuredOtherwise(
  name: string,
  tell: (environment: Readonly<Record<string, string>>) => Readonly<Record<string, string>>,
): Variant {
  return Object.assign({ name }, ...entries.map(([key]) => ({ [key]: { environment: tell } })))
}
