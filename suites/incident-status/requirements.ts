import { type Catalogue, rowsFor } from '../../lib/conformance/requirement.ts'
import { type IncidentStatusNeed, incidentStatusNeeds } from './needs.ts'

const anyRefusal = {
  'any-refusal-status': 'Any status but success.',
  'any-refusal-body': 'Any body of a refusal, or none.',
}
const anySuccess = { 'any-success-status': 'Any status of success (2xx).' }

const requirements = rowsFor<IncidentStatusNeed>()(
  { section: 'Authentication', needs: ['incident', 'writing'], tolerances: anyRefusal },
  {
    'incident-status/updates/accepted': {
      statement: 'With a bearer key a client adds an update to the timeline of an incident.',
      section: 'Endpoints',
      needs: ['incident status key', 'incident', 'update body', 'writing'],
      tolerances: {
        ...anySuccess,
        'any-update-form': 'An update of any form, which the operator supplies.',
        'no-such-path': 'Nothing at the path: the base URL or the incident may be wrong.',
      },
    },
    'incident-status/updates/no-response-body': {
      statement: 'The answer to an update has no body.',
      section: 'Endpoints',
      needs: ['incident status key', 'incident', 'update body', 'writing'],
      tolerances: {
        ...anySuccess,
        'announced-emptiness': 'A Content-Length of 0, or chunks that hold nothing.',
      },
    },
    'incident-status/updates/credentials-required': {
      statement: 'Nothing is added to an incident without the bearer key.',
      controlNeeds: ['incident status key', 'update body'],
    },
    'incident-status/updates/key-checked': {
      statement: 'Nothing is added to an incident with a bearer key that was never issued.',
      controlNeeds: ['incident status key', 'update body'],
    },
    'incident-status/updates/bearer-only': {
      statement: 'The key is accepted as a bearer token and in no other way.',
      needs: ['incident status key', 'incident', 'writing'],
      controlNeeds: ['update body'],
      tolerances: {
        ...anyRefusal,
        'case-sensitive-scheme': 'bearer in lower case may be accepted or refused.',
      },
    },
    'incident-status/updates/no-scopes': {
      statement: 'The key needs no scopes.',
      reason: 'Keys have no scopes in the document, so that there is none to leave out.',
    },
    'incident-status/updates/incident-id-required': {
      statement: 'An update request names its incident in the path.',
      section: 'Resources and their fields',
      reason:
        'Without an incident ID the request has another path, for which the document states nothing.',
    },
    'incident-status/versioning/prefix': {
      statement: 'The server exposes the API under /v1.',
      section: 'Versioning',
      reason: 'Every request of a run uses the prefix, so the other requirements cover it.',
    },
  },
)

type Id = (typeof requirements)[number]['id']

const observations = {
  'incident-status/updates/status': ['incident-status/updates/accepted'],
  'incident-status/updates/missing-credentials': ['incident-status/updates/credentials-required'],
  'incident-status/updates/wrong-key': ['incident-status/updates/key-checked'],
  'incident-status/updates/unknown-incident': ['incident-status/updates/accepted'],
  'incident-status/updates/lower-case-bearer': ['incident-status/updates/bearer-only'],
} as const satisfies Readonly<Record<string, readonly Id[]>>

const descriptions: Record<keyof typeof observations, string> = {
  'incident-status/updates/status': 'Status of an accepted update.',
  'incident-status/updates/missing-credentials': 'Response to an update without credentials.',
  'incident-status/updates/wrong-key': 'Response to an update with a wrong key.',
  'incident-status/updates/unknown-incident': 'Response to an update of an unknown incident.',
  'incident-status/updates/lower-case-bearer': 'Status for a key behind bearer in lower case.',
}

export const incidentStatus: Catalogue<Id, keyof typeof observations> = {
  service: 'incident-status',
  document: 'Incident Status Service HTTP API',
  requirements,
  needs: incidentStatusNeeds,
  observations,
  descriptions,
}
