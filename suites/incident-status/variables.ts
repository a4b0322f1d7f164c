import {
  apiKey,
  baseUrl,
  documentUrl,
  json,
  pathSegment,
  type TargetOf,
  type VariableGroup,
  type VariableTable,
} from '../../lib/environment/variable.ts'

const table = {
  baseUrl: {
    name: 'INCIDENT_STATUS_BASE_URL',
    format: baseUrl('/v1', 'version'),
    meaning: 'Where the service is, without /v1; it may have a path.',
    example: 'https://status.example.com',
  },
  apiKey: {
    name: 'INCIDENT_STATUS_API_KEY',
    format: apiKey,
    meaning: 'The API key that requests carry as a bearer token.',
    secret: true,
  },
  /** Not percent-encoded. */
  incidentId: {
    name: 'INCIDENT_STATUS_INCIDENT_ID',
    format: pathSegment,
    meaning: 'Id of an incident that is kept for tests: its timeline gets updates.',
    example: 'inc_123',
    identifies: true,
  },
  updateBody: {
    name: 'INCIDENT_STATUS_UPDATE_BODY',
    format: json,
    meaning: 'JSON that the service accepts as an update of that incident.',
    example: '{"message":"A test, please ignore."}',
  },
  documentUrl: {
    name: 'INCIDENT_STATUS_DOCUMENT_URL',
    format: documentUrl,
    meaning: 'Your copy of the document by which the service is judged: reports link its sections.',
    example: 'https://wiki.example.com/incident-status-api.md',
  },
} as const satisfies VariableTable

type IncidentStatusTarget = TargetOf<typeof table>

declare module '../../lib/environment/target.ts' {
  interface Target {
    incidentStatus?: IncidentStatusTarget
  }
}

export const incidentStatusVariables = {
  key: 'incidentStatus',
  prefix: 'INCIDENT_STATUS_',
  table,
} as const satisfies VariableGroup
