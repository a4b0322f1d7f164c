import { codeHosting } from '../../suites/code-hosting/requirements.ts'
import { eventPublishing } from '../../suites/event-publishing/requirements.ts'
import { incidentStatus } from '../../suites/incident-status/requirements.ts'
import type { Catalogue } from '../conformance/requirement.ts'
import type { Target } from '../target/target.ts'

/** The catalogues of all services, by the name of the service in the target. */
export const catalogues = {
  codeHosting,
  eventPublishing,
  incidentStatus,
} as const satisfies Record<string, Catalogue>

export type ServiceKey = keyof typeof catalogues

/** The services that a target has. */
export function servicesOf(target: Target): ServiceKey[] {
  return (Object.keys(catalogues) as ServiceKey[]).filter((key) => target[key] !== undefined)
}
