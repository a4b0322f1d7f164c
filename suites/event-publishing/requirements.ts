import {
  type Catalogue,
  defineRequirements,
  type Need,
  skipFor,
  writing,
} from '../../lib/conformance/requirement.ts'

const needs = {
  'event publishing key': {
    variables: ['EVENT_PUBLISHING_API_KEY'],
    advice: 'Set the API key of the event publishing service.',
    isMet: ({ eventPublishing }) => eventPublishing?.apiKey !== undefined,
  },
  'write requests': writing,
  'published event': {
    ...writing,
    isMet: ({ eventPublishing, probe }) =>
      eventPublishing?.eventId !== undefined || !probe.readOnly,
  },
} as const satisfies Readonly<Record<string, Need>>

type EventPublishingNeed = keyof typeof needs

/** @throws Skip with the variables of the unmet need */
export const skipUnmetNeed = (name: EventPublishingNeed): never => skipFor(needs, name)

const rejection = {
  'any-refusal-status': 'The server may reject the request with any status code other than 2xx.',
  'any-refusal-body': 'The rejection may have any body or none.',
}
const anySuccess = {
  'any-success-status': 'The server may return any 2xx status code.',
  'any-body-or-none': 'The response may have any body or none.',
}
const limited = {
  limited: 'The server may reject a second request with 409 or 429.',
}
const anyEventId = {
  'any-event-id-form': 'The event ID may have any format.',
  'any-event-id-place': 'The publish response may contain the event ID anywhere or not at all.',
  'found-later': 'The server may need a moment before it finds a newly published event.',
}

const keyInHeader = (request: string) =>
  `${request}, the server rejects the API key in Authorization, X-Api-Key, or the query instead of X-Events-Key.`

const keyedWrite = { needs: ['write requests'], controlNeeds: ['event publishing key'] } as const
const keyedRead = { needs: ['published event'], controlNeeds: ['event publishing key'] } as const

const requirements = defineRequirements<EventPublishingNeed>()(
  {
    section: 'Authentication',
    needs: ['event publishing key', 'write requests'],
    tolerances: rejection,
  },
  {
    'event-publishing/publish/accepted': {
      statement: 'The server accepts a publish request that has a type and a payload.',
      section: 'Endpoints',
      tolerances: {
        ...anySuccess,
        'some-types-only':
          'The server may accept only some event types; unless the operator specifies one, a rejection proves nothing.',
        'no-such-path':
          'The server may have nothing at this path; unless the operator specifies an event type, the base URL may be wrong.',
      },
    },
    'event-publishing/publish/free-form-payload': {
      statement: 'The server accepts any JSON object as the payload of an event.',
      section: 'Event (publish request)',
      tolerances: anySuccess,
    },
    'event-publishing/publish/idempotency-key': {
      statement: 'The server accepts a publish request with an Idempotency-Key header field.',
      section: 'Idempotency header',
      tolerances: {
        ...anySuccess,
        'mandatory-header': 'The server may require the header field.',
        'any-answer-to-repetition':
          'The server may return any response to the idempotency key of an accepted event.',
        ...limited,
      },
    },
    'event-publishing/publish/key-required': {
      statement: 'The server rejects a publish request without X-Events-Key.',
      ...keyedWrite,
    },
    'event-publishing/publish/key-checked': {
      statement: 'The server rejects a publish request with an API key that was never issued.',
      ...keyedWrite,
    },
    'event-publishing/publish/key-in-header': {
      statement: keyInHeader('For a publish request'),
    },
    'event-publishing/publish/dotted-type': {
      since: '0.2.0',
      statement: 'The type of an event consists of lowercase words separated by dots.',
      section: 'Event (publish request)',
      reason:
        'This requirement applies to clients; the document does not state how the server responds to other types.',
    },
    'event-publishing/status/readable': {
      statement: 'GET /v1/events/{eventId} returns the delivery status of a published event.',
      section: 'Endpoints',
      needs: ['event publishing key', 'published event'],
      tolerances: {
        'any-success-status': 'The server may return any 2xx status code.',
        'any-body': 'The response may have any body.',
        ...anyEventId,
      },
    },
    'event-publishing/status/key-required': {
      statement: 'The server rejects a delivery status request without X-Events-Key.',
      ...keyedRead,
    },
    'event-publishing/status/key-checked': {
      statement:
        'The server rejects a delivery status request with an API key that was never issued.',
      ...keyedRead,
    },
    'event-publishing/status/key-in-header': {
      statement: keyInHeader('For a delivery status request'),
      needs: ['event publishing key', 'published event'],
    },
    'event-publishing/replay/accepted': {
      statement: 'POST /v1/events/{eventId}/replay delivers a published event again.',
      section: 'Endpoints',
      tolerances: {
        ...anySuccess,
        ...anyEventId,
        'body-needed':
          'The server may require a request body; unless the operator specifies one, a rejection other than 404 or 405 proves nothing.',
        ...limited,
      },
    },
    'event-publishing/replay/key-required': {
      statement: 'The server rejects a replay request without X-Events-Key.',
      ...keyedWrite,
    },
    'event-publishing/replay/key-checked': {
      statement: 'The server rejects a replay request with an API key that was never issued.',
      ...keyedWrite,
    },
    'event-publishing/replay/key-in-header': {
      statement: keyInHeader('For a replay request'),
    },
    'event-publishing/versioning/prefix': {
      since: '0.2.0',
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
  'event-publishing/publish/status': 'Status code of an accepted publish request.',
  'event-publishing/publish/body': 'Structure of the response body of an accepted publish request.',
  'event-publishing/publish/event-id':
    'Place and format of the event ID in the response to an accepted publish request.',
  'event-publishing/publish/missing-key': 'Response to a publish request without an API key.',
  'event-publishing/publish/wrong-key':
    'Response to a publish request with an API key that was never issued.',
  'event-publishing/publish/repeated-idempotency-key/same-body':
    'Response to a publish request that repeats an Idempotency-Key with the same body.',
  'event-publishing/publish/repeated-idempotency-key/other-body':
    'Response to a publish request that repeats an Idempotency-Key with a different body.',
  'event-publishing/publish/without-idempotency-key':
    'Status code of a publish request without an Idempotency-Key.',
  'event-publishing/publish/undotted-type':
    'Status code of a publish request with an event type that is not words joined by dots.',
  'event-publishing/publish/missing-payload': 'Status code of a publish request without a payload.',
  'event-publishing/publish/empty-payload':
    'Status code of a publish request with an empty payload.',
  'event-publishing/status/status': 'Status code of an accepted delivery status request.',
  'event-publishing/status/body':
    'Structure of the response body of an accepted delivery status request.',
  'event-publishing/status/missing-key':
    'Response to a delivery status request without an API key.',
  'event-publishing/status/wrong-key':
    'Response to a delivery status request with an API key that was never issued.',
  'event-publishing/status/unknown-event':
    'Response to a delivery status request for an event that was never published.',
  'event-publishing/replay/status': 'Status code of an accepted replay request.',
  'event-publishing/replay/body': 'Structure of the response body of an accepted replay request.',
  'event-publishing/replay/missing-key': 'Response to a replay request without an API key.',
  'event-publishing/replay/wrong-key':
    'Response to a replay request with an API key that was never issued.',
}

export const eventPublishing: Catalogue<Id, keyof typeof observations> = {
  service: 'event-publishing',
  document: 'Event Publishing Service HTTP API',
  requirements,
  needs,
  observations,
  descriptions,
}
