import { codeHostingEnvironment } from './code-hosting/environment.ts'
import { defaultPopulation, populate } from './code-hosting/population.ts'
import { codeHostingMissing, codeHostingRoutes } from './code-hosting/routes.ts'
import { defaultSettings } from './code-hosting/settings.ts'
import { newDeployment as newEventPublishing } from './event-publishing/deployment.ts'
import { eventPublishingEndpoints } from './event-publishing/endpoints.ts'
import { eventPublishingEnvironment } from './event-publishing/environment.ts'
import type { Answer, Route } from './http/route.ts'
import { newDeployment as newIncidentStatus } from './incident-status/deployment.ts'
import { incidentStatusEndpoints } from './incident-status/endpoints.ts'
import { incidentStatusEnvironment } from './incident-status/environment.ts'
import { keyedRoutes } from './keyed-service/routes.ts'
import type { ReferenceRules } from './reference-rules.ts'
import type { Environment, ServiceVariation } from './service-variation.ts'
import type { Variant } from './variant.ts'

export type ServiceName = 'code-hosting' | 'event-publishing' | 'incident-status'

/** Where the services are reached. */
export interface Place {
  /** Scheme, host, port and base path, without a slash at the end. */
  readonly baseUrl: string
  /** Empty, or a path that begins with a slash and does not end with one. */
  readonly basePath: string
}

/** One service as it is served and as it is told to an operator. */
export interface Service {
  readonly name: ServiceName
  readonly routes: readonly Route[]
  readonly environment: Environment
}

function varied<Rules, Deployment>(
  environment: Environment,
  deployment: Deployment,
  variation: ServiceVariation<Rules, Deployment> | undefined,
): Environment {
  return variation?.environment?.(environment, deployment) ?? environment
}

/** The three services with these rules, and the answer to requests that are for none of them. */
export function referenceServices(
  place: Place,
  rules: ReferenceRules,
  variant: Variant | undefined,
): { readonly services: readonly Service[]; readonly missing: Answer } {
  const settings = { ...defaultSettings, ...variant?.codeHosting?.settings }
  const population = { ...defaultPopulation(settings), ...variant?.codeHosting?.population }
  const codeHosting = { ...place, settings, store: populate(population) }
  const events = newEventPublishing(place)
  const incidents = newIncidentStatus(place)
  return {
    services: [
      {
        name: 'code-hosting',
        routes: codeHostingRoutes(codeHosting, rules.codeHosting),
        environment: varied(codeHostingEnvironment(codeHosting), codeHosting, variant?.codeHosting),
      },
      {
        name: 'event-publishing',
        routes: keyedRoutes(eventPublishingEndpoints, events, rules.eventPublishing),
        environment: varied(eventPublishingEnvironment(events), events, variant?.eventPublishing),
      },
      {
        name: 'incident-status',
        routes: keyedRoutes(incidentStatusEndpoints, incidents, rules.incidentStatus),
        environment: varied(
          incidentStatusEnvironment(incidents),
          incidents,
          variant?.incidentStatus,
        ),
      },
    ],
    missing: codeHostingMissing(codeHosting, rules.codeHosting),
  }
}
