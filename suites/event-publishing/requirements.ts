import {
  type Catalogue,
  defineObservations,
  defineRequirements,
  type Need,
  skipFor,
  writing,
} from '../../lib/conformance/catalogue.ts'

const needs = {
  'event publishing key': {
    variables: ['EVENT_PUBLISHING_API_KEY'],
    advice: 'Set the API key of the event publishing service.',
    cases: 'with the key',
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
  'found-later': 'The server may need a moment before it finds or replays a newly published event.',
}

/** Returns the requirements of an endpoint about its key. */
function ofKey<Endpoint extends string>(
  endpoint: Endpoint,
  request: string,
  need: EventPublishingNeed = 'write requests',
) {
  const [rejects, key] = [`The server rejects ${request}`, 'event publishing key'] as const
  const texts = {
    'key-required': `${rejects} without X-Events-Key.`,
    'key-checked': `${rejects} with an API key that was never issued.`,
    'key-in-header': `For ${request}, the server rejects the API key in Authorization, X-Api-Key, or the query instead of X-Events-Key.`,
  }
  const entries = Object.entries(texts).map(([name, statement]) => {
    const isSent = name === 'key-in-header'
    const needs = isSent ? { needs: [key, need] } : { needs: [need], controlNeeds: [key] }
    const because = 'the section Authentication requires X-Events-Key on {endpoint}'
    return [`event-publishing/${endpoint}/${name}`, { statement, because, ...needs }]
  })
  type Ids = `event-publishing/${Endpoint}/${keyof typeof texts}`
  return Object.fromEntries(entries) as Record<Ids, { statement: string }>
}

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
    ...ofKey('publish', 'a publish request'),
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
    ...ofKey('status', 'a delivery status request', 'published event'),
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
    ...ofKey('replay', 'a replay request'),
    'event-publishing/versioning/prefix': {
      since: '0.2.0',
      statement: 'The server exposes the API under /v1.',
      section: 'Versioning',
      reason: 'Every request of a run uses the prefix, so the other requirements cover it.',
    },
  },
)

type Id = (typeof requirements)[number]['id']

const observations = defineObservations('event-publishing', {
  'publish/accepted': {
    'publish/status': 'Status code of an accepted publish request.',
    'publish/event-id':
      'Place and format of the event ID in the response to an accepted publish request.',
    'publish/undotted-type':
      'Status code of a publish request with an event type that is not words joined by dots.',
  },
  'status/readable': {
    'publish/event-id':
      'Place and format of the event ID in the response to an accepted publish request.',
    'status/status': 'Status code of an accepted delivery status request.',
    'status/unknown-event':
      'Status code of a delivery status request for an event that was never published.',
  },
  'publish/key-required': {
    'publish/missing-key': 'Status code of a publish request without an API key.',
  },
  'publish/key-checked': {
    'publish/wrong-key': 'Status code of a publish request with an API key that was never issued.',
  },
  'publish/idempotency-key': {
    'publish/repeated-idempotency-key/same-body':
      'Status code of a publish request that repeats an Idempotency-Key with the same body.',
    'publish/repeated-idempotency-key/other-body':
      'Status code of a publish request that repeats an Idempotency-Key with a different body.',
    'publish/without-idempotency-key':
      'Status code of a publish request without an Idempotency-Key.',
  },
  'publish/free-form-payload': {
    'publish/missing-payload': 'Status code of a publish request without a payload.',
    'publish/empty-payload': 'Status code of a publish request with an empty payload.',
  },
  'status/key-required': {
    'status/missing-key': 'Status code of a delivery status request without an API key.',
  },
  'status/key-checked': {
    'status/wrong-key':
      'Status code of a delivery status request with an API key that was never issued.',
  },
  'replay/accepted': {
    'replay/status': 'Status code of an accepted replay request.',
  },
  'replay/key-required': {
    'replay/missing-key': 'Status code of a replay request without an API key.',
  },
  'replay/key-checked': {
    'replay/wrong-key': 'Status code of a replay request with an API key that was never issued.',
  },
})

export const eventPublishing: Catalogue<Id, keyof typeof observations> = {
  service: 'event-publishing',
  document: 'Event Publishing Service HTTP API',
  requirements,
  needs,
  observations,
}
