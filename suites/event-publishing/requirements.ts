import { type Catalogue, rowsFor } from '../../lib/conformance/requirement.ts'
import { type EventPublishingNeed, eventPublishingNeeds } from './needs.ts'

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

const keyInHeader = (request: string) =>
  `${request}, the server rejects the API key in Authorization, X-Api-Key, or the query instead of X-Events-Key.`

const refusedWrite = { needs: ['writing'], controlNeeds: ['event publishing key'] } as const
const refusedRead = { needs: ['event'], controlNeeds: ['event publishing key'] } as const

const requirements = rowsFor<EventPublishingNeed>()(
  { section: 'Authentication', needs: ['event publishing key', 'writing'], tolerances: anyRefusal },
  {
    'event-publishing/publish/accepted': {
      statement: 'A client can publish an event that has a type and a payload.',
      section: 'Endpoints',
      tolerances: {
        ...anySuccess,
        'some-types-only':
          'Some event types only: the operator names one, or a refusal proves nothing.',
        'no-such-path': 'Nothing at the path: the base URL may be wrong.',
      },
    },
    'event-publishing/publish/free-form-payload': {
      statement: 'The server accepts any JSON object as the payload of an event.',
      section: 'Event (publish request)',
      tolerances: anySuccess,
    },
    'event-publishing/publish/idempotency-key': {
      statement: 'An event may be published with an Idempotency-Key.',
      section: 'Idempotency header',
      tolerances: {
        ...anySuccess,
        'mandatory-header': 'The header may be mandatory.',
        'any-answer-to-repetition': 'Any answer to a key that was used before.',
      },
    },
    'event-publishing/publish/key-required': {
      statement: 'Nothing is published without X-Events-Key.',
      ...refusedWrite,
    },
    'event-publishing/publish/key-checked': {
      statement: 'Nothing is published with an API key that was never issued.',
      ...refusedWrite,
    },
    'event-publishing/publish/key-in-header': {
      statement: keyInHeader('For a publish request'),
    },
    'event-publishing/publish/dotted-type': {
      statement: 'The type of an event consists of lowercase words separated by dots.',
      section: 'Event (publish request)',
      reason:
        'This requirement applies to clients; the document does not state how the server responds to other types.',
    },
    'event-publishing/status/readable': {
      statement: 'GET /v1/events/{eventId} tells how the delivery of a published event stands.',
      section: 'Endpoints',
      needs: ['event publishing key', 'event'],
      tolerances: {
        'any-success-status': 'Any status of success (2xx).',
        'any-body': 'Any body.',
        ...anyEventId,
      },
    },
    'event-publishing/status/key-required': {
      statement: 'No delivery status is told without X-Events-Key.',
      ...refusedRead,
    },
    'event-publishing/status/key-checked': {
      statement: 'No delivery status is told for an API key that was never issued.',
      ...refusedRead,
    },
    'event-publishing/status/key-in-header': {
      statement: keyInHeader('For a delivery status request'),
      needs: ['event publishing key', 'event'],
    },
    'event-publishing/replay/accepted': {
      statement: 'POST /v1/events/{eventId}/replay delivers a published event once more.',
      section: 'Endpoints',
      tolerances: {
        ...anySuccess,
        ...anyEventId,
        'body-needed':
          'A body may be needed: the operator names it, or a refusal but 404 and 405 proves nothing.',
      },
    },
    'event-publishing/replay/key-required': {
      statement: 'Nothing is replayed without X-Events-Key.',
      ...refusedWrite,
    },
    'event-publishing/replay/key-checked': {
      statement: 'Nothing is replayed with an API key that was never issued.',
      ...refusedWrite,
    },
    'event-publishing/replay/key-in-header': {
      statement: keyInHeader('For a replay request'),
    },
    'event-publishing/versioning/prefix': {
      statement: 'The server exposes the API under /v1.',
      section: 'Versioning',
      reason: 'Every request of a run uses the prefix, so the other requirements cover it.',
    },
  },
)

type Id = (typeof requirements)[number]['id']

const observations = {
  'event-publishing/publish/status': ['event-publishing/publish/accepted'],
  'event-publishing/publish/body': ['event-publishing/publish/accepted'],
  'event-publishing/publish/event-id': [
    'event-publishing/publish/accepted',
    'event-publishing/status/readable',
  ],
  'event-publishing/publish/missing-key': ['event-publishing/publish/key-required'],
  'event-publishing/publish/wrong-key': ['event-publishing/publish/key-checked'],
  'event-publishing/publish/repeated-idempotency-key/same-body': [
    'event-publishing/publish/idempotency-key',
  ],
  'event-publishing/publish/repeated-idempotency-key/other-body': [
    'event-publishing/publish/idempotency-key',
  ],
  'event-publishing/publish/without-idempotency-key': ['event-publishing/publish/idempotency-key'],
  'event-publishing/publish/undotted-type': ['event-publishing/publish/accepted'],
  'event-publishing/publish/missing-payload': ['event-publishing/publish/free-form-payload'],
  'event-publishing/publish/empty-payload': ['event-publishing/publish/free-form-payload'],
  'event-publishing/status/status': ['event-publishing/status/readable'],
  'event-publishing/status/body': ['event-publishing/status/readable'],
  'event-publishing/status/missing-key': ['event-publishing/status/key-required'],
  'event-publishing/status/wrong-key': ['event-publishing/status/key-checked'],
  'event-publishing/status/unknown-event': ['event-publishing/status/readable'],
  'event-publishing/replay/status': ['event-publishing/replay/accepted'],
  'event-publishing/replay/body': ['event-publishing/replay/accepted'],
  'event-publishing/replay/missing-key': ['event-publishing/replay/key-required'],
  'event-publishing/replay/wrong-key': ['event-publishing/replay/key-checked'],
} as const satisfies Readonly<Record<string, readonly Id[]>>

const descriptions: Record<keyof typeof observations, string> = {
  'event-publishing/publish/status': 'Status of an accepted event.',
  'event-publishing/publish/body': 'Shape of the response to an accepted event.',
  'event-publishing/publish/event-id': 'Where that response has the id of the event, and its form.',
  'event-publishing/publish/missing-key': 'Response to an event without a key.',
  'event-publishing/publish/wrong-key': 'Response to an event with a wrong key.',
  'event-publishing/publish/repeated-idempotency-key/same-body':
    'Response to an event that is repeated with its Idempotency-Key.',
  'event-publishing/publish/repeated-idempotency-key/other-body':
    'Response to a different event with an Idempotency-Key that was used.',
  'event-publishing/publish/without-idempotency-key': 'Status without an Idempotency-Key.',
  'event-publishing/publish/undotted-type':
    'Status for an event type that is not words joined by dots.',
  'event-publishing/publish/missing-payload': 'Status for an event without a payload.',
  'event-publishing/publish/empty-payload': 'Status for an event with an empty payload.',
  'event-publishing/status/status': 'Status with which an event is shown.',
  'event-publishing/status/body': 'Shape of an event that is shown.',
  'event-publishing/status/missing-key': 'Response to a question without a key.',
  'event-publishing/status/wrong-key': 'Response to a question with a wrong key.',
  'event-publishing/status/unknown-event': 'Response for an event that nobody published.',
  'event-publishing/replay/status': 'Status of an accepted replay.',
  'event-publishing/replay/body': 'Shape of the response to an accepted replay.',
  'event-publishing/replay/missing-key': 'Response to a replay without a key.',
  'event-publishing/replay/wrong-key': 'Response to a replay with a wrong key.',
}

export const eventPublishing: Catalogue<Id, keyof typeof observations> = {
  service: 'event-publishing',
  document: 'Event Publishing Service HTTP API',
  requirements,
  needs: eventPublishingNeeds,
  observations,
  descriptions,
}
