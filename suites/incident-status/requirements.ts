import {
  type Catalogue,
  defineObservations,
  defineRequirements,
  type Need,
  skipFor,
  writing,
} from '../../lib/conformance/catalogue.ts'
import { incidentStatusVariables } from './variables.ts'

const settingNeed = (
  key: 'apiKey' | 'incidentId' | 'updateBody',
  advice: string,
  cases: string,
): Need => ({
  variables: [incidentStatusVariables.table[key].name],
  advice,
  cases,
  isMet: ({ incidentStatus }) => incidentStatus?.[key] !== undefined,
})

const needs = {
  'incident status key': settingNeed(
    'apiKey',
    'Set the API key of the incident status service.',
    'with the key',
  ),
  'test incident': settingNeed(
    'incidentId',
    'Set the ID of an incident that is reserved for tests.',
    'with an incident',
  ),
  'update body': settingNeed(
    'updateBody',
    'Set the JSON of an update that the server accepts.',
    'with an accepted update',
  ),
  'write requests': writing,
} as const satisfies Readonly<Record<string, Need>>

type IncidentStatusNeed = keyof typeof needs

/** @throws Skip with the variables of the unmet need */
export const skipUnmetNeed = (name: IncidentStatusNeed): never => skipFor(needs, name)

const rejection = {
  'any-refusal-status': 'The server may reject the request with any status code other than 2xx.',
  'any-refusal-body': 'The rejection may have any body or none.',
}
const anySuccess = { 'any-success-status': 'The server may return any 2xx status code.' }

const requirements = defineRequirements<IncidentStatusNeed>()(
  { section: 'Authentication', needs: ['test incident', 'write requests'], tolerances: rejection },
  {
    'incident-status/updates/accepted': {
      statement:
        "An update request with an API key as a bearer token adds an update to the incident's timeline.",
      section: 'Endpoints',
      needs: ['incident status key', 'test incident', 'update body', 'write requests'],
      tolerances: {
        ...anySuccess,
        limited: 'The server may reject a second update with 409 or 429.',
        'any-update-form': 'The server may expect updates of any form; the operator supplies one.',
        'no-such-path':
          'The server may have nothing at this path; the base URL or the incident may be wrong.',
      },
    },
    'incident-status/updates/no-response-body': {
      statement: 'The response to an accepted update request has no body.',
      because: 'the table of endpoints has no response body, whatever the status',
      section: 'Endpoints',
      needs: ['incident status key', 'test incident', 'update body', 'write requests'],
      tolerances: {
        ...anySuccess,
        'announced-emptiness':
          'The response may include Content-Length: 0 or an empty chunked body.',
      },
    },
    'incident-status/updates/credentials-required': {
      statement: 'The server rejects an update request without an API key.',
      controlNeeds: ['incident status key', 'update body'],
    },
    'incident-status/updates/key-checked': {
      statement: 'The server rejects an update request with an API key that was never issued.',
      controlNeeds: ['incident status key', 'update body'],
    },
    'incident-status/updates/bearer-only': {
      statement: 'The server accepts the API key only as a bearer token.',
      because: 'the section Authentication has the bearer token as the only scheme',
      needs: ['incident status key', 'test incident', 'write requests'],
      controlNeeds: ['update body'],
      tolerances: {
        ...rejection,
        'case-sensitive-scheme':
          'The server may accept or reject the lowercase scheme name bearer.',
      },
    },
    'incident-status/updates/no-scopes': {
      statement: 'The API key needs no scopes.',
      reason: 'The document defines no scopes for API keys, so there is none to omit.',
    },
    'incident-status/updates/incident-id-required': {
      since: '0.2.0',
      statement: 'An update request names its incident in the path.',
      section: 'Resources and their fields',
      reason:
        'Without an incident ID the request has another path, for which the document states nothing.',
    },
    'incident-status/versioning/prefix': {
      since: '0.2.0',
      statement: 'The server exposes the API under /v1.',
      section: 'Versioning',
      reason: 'Every request of a run uses the prefix, so the other requirements cover it.',
    },
  },
)

type Id = (typeof requirements)[number]['id']

const observations = defineObservations('incident-status', {
  'updates/accepted': {
    'updates/status': 'Status code of an accepted update request.',
    'updates/unknown-incident':
      'Status code of an update request for an incident that does not exist.',
  },
  'updates/credentials-required': {
    'updates/missing-credentials': 'Status code of an update request without credentials.',
  },
  'updates/key-checked': {
    'updates/wrong-key': 'Status code of an update request with an API key that was never issued.',
  },
  'updates/bearer-only': {
    'updates/lower-case-bearer':
      'Status code of an update request with the lowercase scheme name bearer.',
  },
})

export const incidentStatus: Catalogue<Id, keyof typeof observations> = {
  service: 'incident-status',
  document: 'Incident Status Service HTTP API',
  requirements,
  needs,
  observations,
}
