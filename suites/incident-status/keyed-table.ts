import type { KeyedTable } from '../../lib/conformance/keyed-table.ts'
import { incidentStatusVariables } from './variables.ts'

const { table, requestFields } = incidentStatusVariables

export const incidentTable = {
  variable: table.apiKey.name,
  place: ['Authorization', 'Bearer '],
  otherFields: requestFields,
  endpoints: { update: 'POST /v1/incidents/{incidentId}/updates' },
  payloads: ['a third update'],
  only: {
    // A server may read one word after the scheme.
    'the key and another word': [],
    'the key after a scheme': [],
    'the key with the scheme Bearer': [],
    'the key with the scheme ApiKey': [],
    'the key after Bearer in other header fields': ['update'],
  },
  after: {},
  withBody: ['update'],
  rules: {
    'incident-status/updates/accepted': ['update', ['first', 'second', 'payload'], 'a success'],
    'incident-status/updates/no-response-body': [
      'update',
      ['first', 'second', 'payload'],
      'no body',
    ],
    'incident-status/updates/credentials-required': ['update', ['none'], 'a rejection'],
    'incident-status/updates/key-checked': ['update', ['wrong'], 'a rejection'],
    'incident-status/updates/bearer-only': ['update', ['elsewhere'], 'a rejection'],
  },
} satisfies KeyedTable<'update'>

export const ruleIds = Object.keys(incidentTable.rules) as (keyof typeof incidentTable.rules)[]
