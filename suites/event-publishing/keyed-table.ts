import type { KeyedTable } from '../../lib/conformance/keyed-table.ts'
import { eventPublishingVariables, otherKeyFields } from './variables.ts'

const right = ['first', 'second', 'payload'] as const

export const eventTable = {
  variable: eventPublishingVariables.table.apiKey.name,
  place: ['X-Events-Key', ''],
  otherFields: otherKeyFields,
  endpoints: {
    publish: 'POST /v1/events',
    status: 'GET /v1/events/{eventId}',
    replay: 'POST /v1/events/{eventId}/replay',
  },
  payloads: ['a free-form payload', 'an empty payload'],
  // Rare levels are sent to one endpoint.
  only: {
    'a wrong key of 300 characters': ['publish'],
    'the key after a scheme': ['status'],
    'the key with the scheme token': ['publish'],
    'the key with the scheme ApiKey': ['replay'],
    'the key with the scheme Bearer:': [],
    'the key with the scheme Bearerx': [],
    'the key in the body': ['publish'],
    'the key after Bearer in other header fields': [],
  },
  after: { publish: 'status', status: 'publish', replay: 'publish' },
  withBody: ['publish'],
  rules: {
    'event-publishing/publish/accepted': ['publish', ['first'], 'a success'],
    'event-publishing/publish/free-form-payload': ['publish', ['payload'], 'a success'],
    'event-publishing/publish/idempotency-key': ['publish', ['first', 'second'], 'a success'],
    'event-publishing/publish/key-required': ['publish', ['none'], 'a rejection'],
    'event-publishing/publish/key-checked': ['publish', ['wrong'], 'a rejection'],
    'event-publishing/publish/key-in-header': ['publish', ['elsewhere'], 'a rejection'],
    'event-publishing/status/readable': ['status', right, 'a success with a body'],
    'event-publishing/status/key-required': ['status', ['none'], 'a rejection'],
    'event-publishing/status/key-checked': ['status', ['wrong'], 'a rejection'],
    'event-publishing/status/key-in-header': ['status', ['elsewhere'], 'a rejection'],
    'event-publishing/replay/accepted': ['replay', right, 'a success'],
    'event-publishing/replay/key-required': ['replay', ['none'], 'a rejection'],
    'event-publishing/replay/key-checked': ['replay', ['wrong'], 'a rejection'],
    'event-publishing/replay/key-in-header': ['replay', ['elsewhere'], 'a rejection'],
  },
} satisfies KeyedTable<'publish' | 'status' | 'replay'>

export const ruleIds = Object.keys(eventTable.rules) as (keyof typeof eventTable.rules)[]
