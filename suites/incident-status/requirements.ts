import {
  type Catalogue,
  completed,
  type ObservationEntry,
  type Row,
} from '../../lib/conformance/requirement.ts'
import { type IncidentStatusNeed, incidentStatusNeeds } from './needs.ts'

const anyRefusal = {
  'any-refusal-status': 'Any status but success.',
  'any-refusal-body': 'Any body of a refusal, or none.',
}
const anySuccess = { 'any-success-status': 'Any status of success (2xx).' }

const requirements = [
  {
    id: 'incident-status/updates/accepted',
    statement: 'With a bearer key a client adds an update to the timeline of an incident.',
    section: 'Endpoints',
    needs: ['incident status key', 'incident', 'update body', 'writing'],
    tolerances: {
      ...anySuccess,
      'any-update-form': 'An update of any form, which the operator supplies.',
    },
  },
  {
    id: 'incident-status/updates/no-response-body',
    statement: 'The answer to an update has no body.',
    section: 'Endpoints',
    needs: ['incident status key', 'incident', 'update body', 'writing'],
    tolerances: {
      ...anySuccess,
      'announced-emptiness': 'A Content-Length of 0, or chunks that hold nothing.',
    },
  },
  {
    id: 'incident-status/updates/credentials-required',
    statement: 'Nothing is added to an incident without the bearer key.',
    section: 'Authentication',
    needs: ['incident', 'writing'],
    controlNeeds: ['incident status key', 'update body'],
    tolerances: anyRefusal,
  },
  {
    id: 'incident-status/updates/key-checked',
    statement: 'Nothing is added to an incident with a bearer key that was never issued.',
    section: 'Authentication',
    needs: ['incident', 'writing'],
    controlNeeds: ['incident status key', 'update body'],
    tolerances: anyRefusal,
  },
  {
    id: 'incident-status/updates/bearer-only',
    statement: 'The key is accepted as a bearer token and in no other way.',
    section: 'Authentication',
    needs: ['incident status key', 'incident', 'writing'],
    controlNeeds: ['update body'],
    tolerances: {
      ...anyRefusal,
      'case-sensitive-scheme': 'bearer in lower case may be accepted or refused.',
    },
  },
  {
    id: 'incident-status/updates/no-scopes',
    statement: 'The key needs no scopes.',
    section: 'Authentication',
    judged: ['untestable'],
    reason: 'Keys have no scopes in the document, so that there is none to leave out.',
  },
] as const satisfies readonly Row<IncidentStatusNeed>[]

const observations = [
  {
    id: 'incident-status/updates/status',
    description: 'Status of a successful update.',
    with: ['incident-status/updates/accepted'],
  },
  {
    id: 'incident-status/updates/missing-credentials',
    description: 'Status and body shape for an update without credentials.',
    with: ['incident-status/updates/credentials-required'],
  },
  {
    id: 'incident-status/updates/wrong-key',
    description: 'Status and body shape for an update with a wrong key.',
    with: ['incident-status/updates/key-checked'],
  },
  {
    id: 'incident-status/updates/unknown-incident',
    description: 'Status and body shape for an update of an incident that is not there.',
    with: ['incident-status/updates/accepted'],
  },
  {
    id: 'incident-status/updates/lower-case-bearer',
    description: 'Status for the key behind a lower-case bearer.',
    with: ['incident-status/updates/bearer-only'],
  },
] as const satisfies readonly ObservationEntry[]

export type IncidentStatusRequirement = (typeof requirements)[number]['id']
export type IncidentStatusObservation = (typeof observations)[number]['id']

/** Every statement of the incident status document that Plumbline knows. */
export const incidentStatus: Catalogue<IncidentStatusRequirement, IncidentStatusObservation> = {
  service: 'incident-status',
  document: 'Incident Status Service HTTP API',
  requirements: completed(requirements),
  needs: incidentStatusNeeds,
  observations,
}
