import {
  type Rules as CodeHostingRules,
  documentedRules as codeHosting,
} from './code-hosting/rules.ts'
import {
  type Rules as EventPublishingRules,
  documentedRules as eventPublishing,
} from './event-publishing/rules.ts'
import {
  type Rules as IncidentStatusRules,
  documentedRules as incidentStatus,
} from './incident-status/rules.ts'

/** The rules of all three services. */
export interface ReferenceRules {
  readonly codeHosting: CodeHostingRules
  readonly eventPublishing: EventPublishingRules
  readonly incidentStatus: IncidentStatusRules
}

/** The rules as the documents state them. */
export const documentedRules: ReferenceRules = { codeHosting, eventPublishing, incidentStatus }
