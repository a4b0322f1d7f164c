import { urlAboveVersion, type Variable, type VariableGroup } from './variable.ts'

export const incidentStatusVariables = {
  INCIDENT_STATUS_BASE_URL: {
    schema: urlAboveVersion,
    meaning: 'Where the service is, without /v1; it may have a path.',
    example: 'https://status.example.com',
    secret: false,
  },
  INCIDENT_STATUS_API_KEY: {
    schema: { type: 'string', format: 'api-key' },
    meaning: 'The API key that requests carry as a bearer token.',
    secret: true,
  },
  INCIDENT_STATUS_INCIDENT_ID: {
    schema: { type: 'string', format: 'path-segment' },
    meaning: 'Id of an incident that is kept for tests: its timeline gets updates.',
    example: 'inc_123',
    secret: false,
  },
  INCIDENT_STATUS_UPDATE_BODY: {
    schema: { type: 'string', format: 'json' },
    meaning: 'JSON that the service accepts as an update of that incident.',
    example: '{"message":"A test, please ignore."}',
    secret: false,
  },
} as const satisfies Record<string, Variable>

export const incidentStatusGroup: VariableGroup = {
  title: 'Incident status',
  prefix: 'INCIDENT_STATUS_',
  variables: incidentStatusVariables,
  baseUrl: 'INCIDENT_STATUS_BASE_URL',
  needs: {},
  needsOneOf: {},
  distinct: [],
}
