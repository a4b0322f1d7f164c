import {
  apiKey,
  baseUrl,
  documentVariable,
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
    meaning: 'Base URL of the service, without /v1; it may have a path.',
    example: 'https://status.example.com',
  },
  apiKey: {
    name: 'INCIDENT_STATUS_API_KEY',
    format: apiKey,
    meaning: 'API key that requests send as a bearer token.',
    secret: true,
  },
  /** Not percent-encoded. */
  incidentId: {
    name: 'INCIDENT_STATUS_INCIDENT_ID',
    format: pathSegment,
    meaning: 'ID of an incident for tests; runs add updates to its timeline.',
    example: 'inc_123',
    identifies: true,
  },
  updateBody: {
    name: 'INCIDENT_STATUS_UPDATE_BODY',
    format: json,
    meaning: 'JSON that the service accepts as an update of that incident.',
    example: '{"message":"A test, please ignore."}',
  },
  documentUrl: documentVariable('INCIDENT_STATUS_'),
} as const satisfies VariableTable

export type IncidentStatusTarget = TargetOf<typeof table>

declare module '../../lib/environment/probe-variables.ts' {
  interface Target {
    incidentStatus?: IncidentStatusTarget
  }
}

/** Variable of the base URL, and the path of the API below it. */
export const incidentStatusAddress = { variable: table.baseUrl.name, path: '/v1' } as const

export const incidentStatusVariables = {
  key: 'incidentStatus',
  prefix: 'INCIDENT_STATUS_',
  table,
  requestFields: ['X-Api-Key', 'Api-Key', 'X-Events-Key', 'X-Authorization', 'X_Authorization'],
} as const satisfies VariableGroup
