import { codeHostingDoctor } from '../../suites/code-hosting/doctor/examine.ts'
import { eventPublishingDoctor } from '../../suites/event-publishing/doctor.ts'
import { incidentStatusDoctor } from '../../suites/incident-status/doctor.ts'
import type { ServiceDoctor } from '../doctor/examine.ts'
import type { ServiceKey } from './catalogues.ts'

/** What looks at each service before a run, by the name of the service in the target. */
export const doctors = {
  codeHosting: codeHostingDoctor,
  eventPublishing: eventPublishingDoctor,
  incidentStatus: incidentStatusDoctor,
} as const satisfies Record<ServiceKey, ServiceDoctor>
