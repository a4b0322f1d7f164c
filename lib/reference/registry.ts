import type { Answer, Route } from './http.ts'
import { intermediaryVariants, type MakeIntermediary } from './intermediaries.ts'
import {
  type Environment,
  type Place,
  type ReferenceService,
  type ServiceFault,
  type ServiceVariation,
  type VariantTraits,
  withoutVariables,
} from './service.ts'
import * as services from './services.ts'

type Services = typeof services
type Key = keyof Services
type AnyService = ReferenceService<ServiceName, object, object, object>

const entries = Object.entries(services) as unknown as readonly (readonly [Key, AnyService])[]

/** The key of each service in a variant, and its name. */
export const serviceKeys: readonly (readonly [Key, ServiceName])[] = entries.map(
  ([key, { name }]) => [key, name],
)

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

const baseUrlAlone = withoutVariables(/(?<!_BASE_URL)$/)

/** Every conforming deployment that the reference can be started as. */
export const variants: readonly Variant[] = [
  ...entries.flatMap(([key, service]) =>
    service.variants.map(
      ({ name, verdict, basePath, tolerances, unjudged, becoming, ...variation }) => ({
        name,
        verdict,
        basePath,
        tolerances,
        unjudged,
        becoming,
        [key]: variation,
      }),
    ),
  ),
  ...intermediaryVariants,
  {
    name: 'event-and-incident-base-urls-alone',
    // In these two alone nothing would be judged.
    codeHosting: {},
    eventPublishing: { environment: baseUrlAlone },
    incidentStatus: { environment: baseUrlAlone },
  },
]

/** One service as it is served, and the variables for its operator. */
export interface DeployedService {
  readonly name: ServiceName
  readonly routes: readonly Route[]
  readonly missing?: Answer
  readonly environment: Environment
}

/** All services, changed by the variant and then by the fault. */
export function deployServices(
  place: Place,
  fault: Fault | undefined,
  variant: Variant | undefined,
): readonly DeployedService[] {
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
