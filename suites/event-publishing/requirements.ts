import { type Catalogue, completed, type Row } from '../../lib/conformance/requirement.ts'
import { type EventPublishingNeed, eventPublishingNeeds } from './needs.ts'
import { observations } from './observations.ts'

const anyRefusal = {
  'any-refusal-status': 'Any status but success.',
  'any-refusal-body': 'Any body of a refusal, or none.',
}
const anySuccess = {
  'any-success-status': 'Any status of success (2xx).',
  'any-body-or-none': 'Any body or none.',
}
const anyEventId = {
  'any-event-id-form': 'An event id of any form.',
  'any-event-id-place': 'An event id at any place of the response, or at none.',
  'found-later': 'An event that is found only a moment after it was published.',
}

const publish = [
  {
    id: 'event-publishing/publish/accepted',
    statement: 'A client can publish an event that has a type and a payload.',
    section: 'Endpoints',
    needs: ['event publishing key', 'writing'],
    tolerances: {
      ...anySuccess,
      'some-types-only':
        'Some event types only: the operator names one, or a refusal proves nothing.',
    },
  },
  {
    id: 'event-publishing/publish/free-form-payload',
    statement: 'The payload may be any JSON object.',
    section: 'Event (publish request)',
    needs: ['event publishing key', 'writing'],
    tolerances: anySuccess,
  },
  {
    id: 'event-publishing/publish/idempotency-key',
    statement: 'An event may be published with an Idempotency-Key.',
    section: 'Idempotency header',
    needs: ['event publishing key', 'writing'],
    tolerances: {
      ...anySuccess,
      'mandatory-header': 'The header may be mandatory.',
      'any-answer-to-repetition': 'Any answer to a key that was used before.',
    },
  },
  {
    id: 'event-publishing/publish/key-required',
    statement: 'Nothing is published without X-Events-Key.',
    section: 'Authentication',
    needs: ['writing'],
    controlNeeds: ['event publishing key'],
    tolerances: anyRefusal,
  },
  {
    id: 'event-publishing/publish/key-checked',
    statement: 'Nothing is published with an API key that was never issued.',
    section: 'Authentication',
    needs: ['writing'],
    controlNeeds: ['event publishing key'],
    tolerances: anyRefusal,
  },
  {
    id: 'event-publishing/publish/key-in-header',
    statement: 'To publish, the API key must be in X-Events-Key and in no other place.',
    section: 'Authentication',
    needs: ['event publishing key', 'writing'],
    tolerances: anyRefusal,
  },
] as const satisfies readonly Row<EventPublishingNeed>[]

const status = [
  {
    id: 'event-publishing/status/readable',
    statement: 'GET /v1/events/{eventId} tells how the delivery of a published event stands.',
    section: 'Endpoints',
    needs: ['event publishing key', 'event'],
    tolerances: {
      'any-success-status': 'Any status of success (2xx).',
      'any-body': 'Any body.',
      ...anyEventId,
    },
  },
  {
    id: 'event-publishing/status/key-required',
    statement: 'No delivery status is told without X-Events-Key.',
    section: 'Authentication',
    needs: ['event'],
    controlNeeds: ['event publishing key'],
    tolerances: anyRefusal,
  },
  {
    id: 'event-publishing/status/key-checked',
    statement: 'No delivery status is told for an API key that was never issued.',
    section: 'Authentication',
    needs: ['event'],
    controlNeeds: ['event publishing key'],
    tolerances: anyRefusal,
  },
  {
    id: 'event-publishing/status/key-in-header',
    statement: 'To read a status, the API key must be in X-Events-Key and in no other place.',
    section: 'Authentication',
    needs: ['event publishing key', 'event'],
    tolerances: anyRefusal,
  },
] as const satisfies readonly Row<EventPublishingNeed>[]

const replay = [
  {
    id: 'event-publishing/replay/accepted',
    statement: 'POST /v1/events/{eventId}/replay delivers a published event once more.',
    section: 'Endpoints',
    needs: ['event publishing key', 'writing'],
    tolerances: {
      ...anySuccess,
      ...anyEventId,
      'body-needed': 'A body may be needed: the operator names it, or a refusal proves nothing.',
    },
  },
  {
    id: 'event-publishing/replay/key-required',
    statement: 'Nothing is replayed without X-Events-Key.',
    section: 'Authentication',
    needs: ['writing'],
    controlNeeds: ['event publishing key'],
    tolerances: anyRefusal,
  },
  {
    id: 'event-publishing/replay/key-checked',
    statement: 'Nothing is replayed with an API key that was never issued.',
    section: 'Authentication',
    needs: ['writing'],
    controlNeeds: ['event publishing key'],
    tolerances: anyRefusal,
  },
  {
    id: 'event-publishing/replay/key-in-header',
    statement: 'To replay, the API key must be in X-Events-Key and in no other place.',
    section: 'Authentication',
    needs: ['event publishing key', 'writing'],
    tolerances: anyRefusal,
  },
] as const satisfies readonly Row<EventPublishingNeed>[]

const requirements = [...publish, ...status, ...replay] as const

export type EventPublishingRequirement = (typeof requirements)[number]['id']
export type EventPublishingObservation = (typeof observations)[number]['id']

/** Every statement of the event publishing document that Plumbline knows. */
export const eventPublishing: Catalogue<EventPublishingRequirement, EventPublishingObservation> = {
  service: 'event-publishing',
  document: 'Event Publishing Service HTTP API',
  requirements: completed(requirements),
  needs: eventPublishingNeeds,
  observations,
}
