import type { Catalogue, Requirement } from '../../lib/conformance/requirement.ts'
import { observations } from './observations.ts'

const anyRefusal = ['Any status but success.']
const anySuccess = ['Any status of success (2xx).', 'Any body or none.']

const publish = [
  {
    id: 'event-publishing/publish/accepted',
    statement: 'A client can publish an event that has a type and a payload.',
    section: 'Endpoints',
    level: 'contract',
    judged: ['probe'],
    tolerances: [...anySuccess, 'Some event types only, as long as the operator names none.'],
  },
  {
    id: 'event-publishing/publish/free-form-payload',
    statement: 'The payload may be any JSON object.',
    section: 'Event (publish request)',
    level: 'contract',
    judged: ['probe'],
    tolerances: anySuccess,
  },
  {
    id: 'event-publishing/publish/idempotency-key',
    statement: 'An event may be published with an Idempotency-Key.',
    section: 'Idempotency header',
    level: 'contract',
    judged: ['probe'],
    tolerances: ['The header may be mandatory.', 'Any answer to a key that was used before.'],
  },
  {
    id: 'event-publishing/publish/key-required',
    statement: 'Nothing is published without X-Events-Key.',
    section: 'Authentication',
    level: 'contract',
    judged: ['probe'],
    tolerances: anyRefusal,
  },
  {
    id: 'event-publishing/publish/key-checked',
    statement: 'Nothing is published with an API key that was never issued.',
    section: 'Authentication',
    level: 'contract',
    judged: ['probe'],
    tolerances: anyRefusal,
  },
  {
    id: 'event-publishing/publish/key-in-header',
    statement: 'To publish, the API key must be in X-Events-Key and in no other place.',
    section: 'Authentication',
    level: 'contract',
    judged: ['probe'],
    tolerances: anyRefusal,
  },
] as const satisfies readonly Requirement[]

const status = [
  {
    id: 'event-publishing/status/readable',
    statement: 'GET /v1/events/{eventId} tells how the delivery of a published event stands.',
    section: 'Endpoints',
    level: 'contract',
    judged: ['probe'],
    tolerances: ['Any status of success (2xx) and any body.'],
  },
  {
    id: 'event-publishing/status/key-required',
    statement: 'No delivery status is told without X-Events-Key.',
    section: 'Authentication',
    level: 'contract',
    judged: ['probe'],
    tolerances: anyRefusal,
  },
  {
    id: 'event-publishing/status/key-checked',
    statement: 'No delivery status is told for an API key that was never issued.',
    section: 'Authentication',
    level: 'contract',
    judged: ['probe'],
    tolerances: anyRefusal,
  },
  {
    id: 'event-publishing/status/key-in-header',
    statement: 'To read a status, the API key must be in X-Events-Key and in no other place.',
    section: 'Authentication',
    level: 'contract',
    judged: ['probe'],
    tolerances: anyRefusal,
  },
] as const satisfies readonly Requirement[]

const replay = [
  {
    id: 'event-publishing/replay/accepted',
    statement: 'POST /v1/events/{eventId}/replay delivers a published event once more.',
    section: 'Endpoints',
    level: 'contract',
    judged: ['probe'],
    tolerances: [...anySuccess, 'A body may be needed, as long as the operator names none.'],
  },
  {
    id: 'event-publishing/replay/key-required',
    statement: 'Nothing is replayed without X-Events-Key.',
    section: 'Authentication',
    level: 'contract',
    judged: ['probe'],
    tolerances: anyRefusal,
  },
  {
    id: 'event-publishing/replay/key-checked',
    statement: 'Nothing is replayed with an API key that was never issued.',
    section: 'Authentication',
    level: 'contract',
    judged: ['probe'],
    tolerances: anyRefusal,
  },
  {
    id: 'event-publishing/replay/key-in-header',
    statement: 'To replay, the API key must be in X-Events-Key and in no other place.',
    section: 'Authentication',
    level: 'contract',
    judged: ['probe'],
    tolerances: anyRefusal,
  },
] as const satisfies readonly Requirement[]

const requirements = [...publish, ...status, ...replay] as const

export type EventPublishingRequirement = (typeof requirements)[number]['id']
export type EventPublishingObservation = (typeof observations)[number]['id']

/** Every statement of the event publishing document that Plumbline knows. */
export const eventPublishing: Catalogue<EventPublishingRequirement, EventPublishingObservation> = {
  service: 'event-publishing',
  document: 'Event Publishing Service HTTP API',
  requirements,
  observations,
}
