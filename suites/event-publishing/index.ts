/** The requirements of event publishing, in the order of the document, and the service. */
import { expect } from '../../lib/conformance/matchers.ts'
import { requireService } from '../../lib/conformance/preflight.ts'
import type { SuiteObservation, SuiteRequirement } from '../../lib/conformance/requirements.ts'
import {
  accepted,
  cross,
  type Endpoint,
  type KeyedCase,
  keyedSuite,
  observationsOf,
  type Place,
  versioning,
  withKeyElsewhere,
  withoutKey,
  withWrongKey,
} from '../keyed.ts'
import { defineService } from '../service.ts'
import { type Context, createContext } from './events.ts'
import { eventPublishingAddress, eventPublishingVariables, needs } from './variables.ts'

type EventRequirement = SuiteRequirement<KeyedCase, object, Context>

const anySuccess = {
  'any-success-status': 'The server may return any 2xx status code.',
  'any-body-or-none': 'The response may have any body or none.',
}
const limited = { limited: 'The server may reject a second request with 409 or 429.' }
const anyEventId = {
  'any-event-id-form': 'The event ID may have any format.',
  'any-event-id-place': 'The publish response may contain the event ID anywhere or not at all.',
  'found-later': 'The server may need a moment before it finds or replays a newly published event.',
}

/** Places of the key that every endpoint gets. */
const elsewhere = ['Bearer', 'no scheme', 'Basic', 'token and query', 'ApiKey and fields'] as const

const writingWithKey = ['event publishing key', 'write requests'] as const

/** An event with another payload, after an event with the configured payload. */
const payloads = (endpoint: Endpoint) => cross(endpoint, { item: ['free-form', 'empty'] })
const given = [{ item: undefined }]

/** Returns the requirements of an endpoint about its key. @param other endpoint whose success precedes too */
function ofKey(
  endpoint: Endpoint,
  request: string,
  need: keyof typeof needs,
  other: Endpoint,
  ...places: readonly Place[]
): Record<string, EventRequirement> {
  const key = 'event publishing key'
  const rejected = (text: string, parts: Partial<EventRequirement>): EventRequirement => ({
    statement: `The server rejects ${request} ${text}.`,
    section: 'Authentication',
    because: 'the section Authentication requires X-Events-Key on {endpoint}',
    needs: [need],
    controlNeeds: [key],
    ...parts,
  })
  const inOthers = 'with the API key anywhere but in X-Events-Key, or after a scheme in it'
  const several = { key: 'after a scheme', place: 'several' } as const
  return {
    [`${endpoint}/key-required`]: rejected('without X-Events-Key', withoutKey(endpoint, other)),
    [`${endpoint}/key-checked`]: rejected(
      'with an API key that was never issued',
      withWrongKey(endpoint, 'before a word'),
    ),
    [`${endpoint}/key-in-header`]: rejected(inOthers, {
      ...{ needs: [key, need], controlNeeds: [] },
      ...withKeyElsewhere(endpoint, several, ...elsewhere, ...places),
    }),
  }
}

const requirements: Readonly<Record<string, EventRequirement>> = {
  'publish/accepted': {
    statement: 'The server accepts a publish request that has a type and a payload.',
    section: 'Endpoints',
    needs: writingWithKey,
    tolerances: {
      ...anySuccess,
      'some-types-only':
        'The server may accept only some event types; unless the operator specifies one, a rejection proves nothing.',
      'no-such-path':
        'The server may have nothing at this path; unless the operator specifies an event type, the base URL may be wrong.',
    },
    cases: [{ endpoint: 'publish', key: 'right' }],
    async shows(response, { events }) {
      await events.requireConclusivePublish()
      expect(response).toBeAccepted()
    },
  },
  'publish/free-form-payload': {
    statement: 'The server accepts any JSON object as the payload of an event.',
    section: 'Event (publish request)',
    needs: writingWithKey,
    tolerances: anySuccess,
    cases: payloads('publish'),
    given,
    shows: (response, { sender }, one) => sender.expectAccepted(response, one),
  },
  'publish/idempotency-key': {
    statement: 'The server accepts a publish request with an Idempotency-Key header field.',
    section: 'Idempotency header',
    needs: writingWithKey,
    tolerances: {
      ...anySuccess,
      'mandatory-header': 'The server may require the header field.',
      'any-answer-to-repetition':
        'The server may return any response to the idempotency key of an accepted event.',
      ...limited,
    },
    cases: accepted('publish'),
    async shows(response, { events, sender }, one) {
      await events.needsPublishing()
      // The configured event may have been accepted without the header field.
      const own = one.after ? response : await events.published('with key')
      await sender.expectAccepted(own, one)
    },
  },
  ...ofKey('publish', 'a publish request', 'write requests', 'status', 'body'),
  'publish/dotted-type': {
    since: '0.2.0',
    statement: 'The type of an event consists of lowercase words separated by dots.',
    section: 'Event (publish request)',
    untestable:
      'This requirement applies to clients; the document does not state how the server responds to other types.',
  },
  'status/readable': {
    statement: 'GET /v1/events/{eventId} returns the delivery status of a published event.',
    section: 'Endpoints',
    needs: ['event publishing key', 'published event'],
    tolerances: {
      'any-success-status': 'The server may return any 2xx status code.',
      'any-body': 'The response may have any body.',
      ...anyEventId,
    },
    cases: [...accepted('status'), ...payloads('status')],
    given,
    async shows(response, { events, sender }, one) {
      await events.requireConclusiveStatus()
      await sender.expectAccepted(response, one)
      expect(response).toHaveBody()
    },
  },
  ...ofKey('status', 'a delivery status request', 'published event', 'publish'),
  'replay/accepted': {
    statement: 'POST /v1/events/{eventId}/replay delivers a published event again.',
    section: 'Endpoints',
    needs: writingWithKey,
    tolerances: {
      ...anySuccess,
      ...anyEventId,
      'body-needed':
        'The server may require a request body; unless the operator specifies one, a rejection other than 404 or 405 proves nothing.',
      ...limited,
    },
    cases: [...accepted('replay'), ...payloads('replay')],
    given,
    async shows(response, { events, sender }, one) {
      await events.requireConclusiveReplay()
      await sender.expectAccepted(response, one)
    },
  },
  ...ofKey('replay', 'a replay request', 'write requests', 'publish'),
  ...versioning,
}

const repeated = (body: string, item?: 'free-form'): SuiteObservation<Context> => ({
  of: ['publish/idempotency-key'],
  description: `Status code of a publish request that repeats an Idempotency-Key with ${body} body.`,
  value: async ({ events }) => (await events.repeat(item)).status,
})

const observations: Record<string, SuiteObservation<Context>> = {
  ...observationsOf('publish', 'a publish request', ['accepted', 'key-required'], {
    'undotted-type': ['accepted', 'undotted type', 'with a type that is not words joined by dots'],
    'missing-payload': ['free-form-payload', 'no payload', 'without a payload'],
    'empty-payload': ['free-form-payload', 'empty', 'with an empty payload'],
  }),
  'publish/event-id': {
    of: ['publish/accepted', 'status/readable'],
    description: 'Place of the event ID in the response to an accepted publish request.',
    value: async ({ events }) => (await events.found()).place,
  },
  'publish/repeated-idempotency-key/same-body': repeated('the same'),
  'publish/repeated-idempotency-key/other-body': repeated('a different', 'free-form'),
  'publish/without-idempotency-key': {
    of: ['publish/idempotency-key'],
    description: 'Status code of a publish request without an Idempotency-Key.',
    async value({ events }) {
      await events.needsPublishing()
      return (await events.published('without key')).status
    },
  },
  ...observationsOf('status', 'a delivery status request', ['readable', 'key-required'], {
    'unknown-event': ['readable', 'unknown', 'for an event that was never published'],
  }),
  ...observationsOf('replay', 'a replay request', ['accepted', 'key-required']),
}

export const service = defineService({
  about: 'publishing an event, its status, replaying it',
  suite: keyedSuite(
    'eventPublishing',
    { service: 'event-publishing', document: 'Event Publishing Service HTTP API', needs },
    { requirements, observations },
    {
      createContext,
      preflight({ target, events, sender }) {
        const withoutKey = () => sender.send({ endpoint: 'publish', key: 'none' })
        const request = target.apiKey === undefined ? withoutKey : () => events.status('unknown')
        const address = { ...eventPublishingAddress, baseUrl: target.baseUrl }
        return requireService(address, request, events.accepted)
      },
    },
  ),
  variables: eventPublishingVariables,
  firstPath: '/v1/events/plumbline',
  doctor: async () => (await import('./doctor.ts')).eventPublishingDoctor,
})
