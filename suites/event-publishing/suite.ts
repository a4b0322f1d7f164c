/** The requirements of event publishing, in the order of the document. */
import { randomUUID } from 'node:crypto'
import { type Need, skipFor, writing } from '../../lib/conformance/catalogue.ts'
import { expect } from '../../lib/conformance/matchers.ts'
import { requireService } from '../../lib/conformance/preflight.ts'
import type { Run } from '../../lib/conformance/probe-run.ts'
import {
  catalogueOfSuite,
  type SuiteObservation,
  type SuiteRequirement,
  statusOf,
} from '../../lib/conformance/requirements.ts'
import type { Suite } from '../../lib/conformance/suite.ts'
import type { Exchange } from '../../lib/probe/exchange.ts'
import {
  accepted,
  cross,
  describe,
  type Endpoint,
  idOf,
  type KeyedCase,
  KeyedRequests,
  successOf,
  withKeyElsewhere,
  withoutKey,
  withWrongKey,
} from '../keyed.ts'
import { serviceIn } from '../service.ts'
import { Events } from './events.ts'
import {
  type EventPublishingTarget,
  eventPublishingAddress,
  eventPublishingVariables,
  otherKeyFields,
} from './variables.ts'

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

interface Context {
  target: EventPublishingTarget
  events: Events
  sender: KeyedRequests<Context>
}

type EventRequirement = SuiteRequirement<KeyedCase, Context, object, Context>

const contentOf = (item: KeyedCase['item'] = 'unknown') =>
  item === 'unknown' ? 'configured' : item

export function createContext(run: Run): Context {
  const target = serviceIn(run.settings.target, 'eventPublishing')
  const apiKey = () => target.apiKey ?? skipFor(needs, 'event publishing key')
  const events = new Events(run, target, apiKey)
  /** Longer than a UUID. Sent with a wrong key, then with the right one (a rejected request creates no event), then with others. */
  const idempotencyKeyOfSequence = `plumbline-${randomUUID()}`
  /** Returns the ID of the event of a case, or of the one that was published before it on its connection. */
  const idFor = async ({ after }: KeyedCase): Promise<string> =>
    after?.endpoint === 'publish' ? events.idIn(await sender.send(after)) : events.existingId()
  const sender: KeyedRequests<Context> = new KeyedRequests({
    run,
    variable: eventPublishingVariables.table.apiKey.name,
    place: ['X-Events-Key', ''],
    otherFields: otherKeyFields,
    getKey: apiKey,
    view: () => ({ target, events, sender }),
    endpoints: {
      publish: {
        right: (item) => events.publishedAs(contentOf(item)),
        send: (options) => {
          const idempotencyKey = options.connection ? idempotencyKeyOfSequence : randomUUID()
          return events.send(options, idempotencyKey)
        },
        unlimited: () => events.publish(),
      },
      status: {
        right: (item) => (item === 'unknown' ? events.unknown() : events.status(contentOf(item))),
        send: async (options, one) => events.readStatus(await idFor(one), options),
        // Then the event is not the latest, and was replayed.
        beforeSecond: () =>
          Promise.allSettled([events.publishedAs('free-form'), events.replay('configured')]),
      },
      replay: {
        right: (item) => events.replay(contentOf(item)),
        send: async (options, one) => events.sendReplay(await idFor(one), options),
      },
    },
  })
  return { target, events, sender }
}

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
const elsewhere = ['Bearer', 'no scheme', 'Basic', 'query and fields'] as const

const writingWithKey = ['event publishing key', 'write requests'] as const

/** An event with another payload, after one with the configured payload. */
const payloads = (endpoint: Endpoint) => cross(endpoint, { item: ['free-form', 'empty'] })
const given = [{ item: undefined }]

async function expectAccepted(
  response: Exchange,
  { sender }: Context,
  one: KeyedCase,
): Promise<void> {
  await sender.requireUnlimited(response, one)
  expect(response).toBeAccepted()
}

/** Returns the requirements of an endpoint about its key. */
function ofKey(
  endpoint: Endpoint,
  request: string,
  need: keyof typeof needs,
  [missing, wrong, inOthers]: readonly Pick<EventRequirement, 'cases'>[],
) {
  const rejects = `The server rejects ${request}`
  const parts = {
    section: 'Authentication',
    because: 'the section Authentication requires X-Events-Key on {endpoint}',
  }
  const withControl = { ...parts, needs: [need], controlNeeds: ['event publishing key'] }
  return {
    [`${endpoint}/key-required`]: {
      statement: `${rejects} without X-Events-Key.`,
      ...withControl,
      ...missing,
    },
    [`${endpoint}/key-checked`]: {
      statement: `${rejects} with an API key that was never issued.`,
      ...withControl,
      ...wrong,
    },
    [`${endpoint}/key-in-header`]: {
      statement: `For ${request}, the server rejects the API key in Authorization, X-Api-Key, or the query instead of X-Events-Key.`,
      ...parts,
      needs: ['event publishing key', need],
      ...inOthers,
    },
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
    shows: expectAccepted,
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
    async shows(response, context, one) {
      await context.events.needsPublishing()
      // The configured event may have been accepted without the header field.
      const own = one.after ? response : await context.events.published()
      await expectAccepted(own, context, one)
    },
  },
  ...ofKey('publish', 'a publish request', 'write requests', [
    withoutKey('publish', ['proxy', 'text', 'encoded'], ['status']),
    withWrongKey('publish', ['long', 'before a word']),
    withKeyElsewhere('publish', 'several', ...elsewhere, 'token', 'body'),
  ]),
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
    async shows(response, context, one) {
      await context.events.requireConclusiveStatus()
      await expectAccepted(response, context, one)
      expect(response).toHaveBody()
    },
  },
  ...ofKey('status', 'a delivery status request', 'published event', [
    withoutKey('status', [], ['publish']),
    withWrongKey('status', ['after a scheme', 'before a word'], ['encoded']),
    withKeyElsewhere('status', 'several', ...elsewhere),
  ]),
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
    async shows(response, context, one) {
      await context.events.requireConclusiveReplay()
      await expectAccepted(response, context, one)
    },
  },
  ...ofKey('replay', 'a replay request', 'write requests', [
    withoutKey('replay', ['encoded'], ['publish']),
    withWrongKey('replay', ['before a word']),
    withKeyElsewhere('replay', 'several', ...elsewhere, 'ApiKey'),
  ]),
  'versioning/prefix': {
    since: '0.2.0',
    statement: 'The server exposes the API under /v1.',
    section: 'Versioning',
    untestable: 'Every request of a run uses the prefix, so the other requirements cover it.',
  },
}

const ofEndpoint = (
  endpoint: Endpoint,
  request: string,
  success: string,
): Record<string, SuiteObservation<Context>> => {
  return {
    [`${endpoint}/status`]: {
      of: [`${endpoint}/${success}`],
      description: `Status code of an accepted ${request}.`,
      value: successOf(endpoint),
    },
    [`${endpoint}/missing-key`]: {
      of: [`${endpoint}/key-required`],
      description: `Status code of a ${request} without an API key.`,
      value: statusOf({ endpoint, key: 'none' }),
    },
    [`${endpoint}/wrong-key`]: {
      of: [`${endpoint}/key-checked`],
      description: `Status code of a ${request} with an API key that was never issued.`,
      value: statusOf({ endpoint, key: 'invented' }),
    },
  }
}

const statusIn =
  (send: (events: Events) => Promise<Exchange>) =>
  async ({ events }: Context) =>
    (await send(events)).status

const observations: Readonly<Record<string, SuiteObservation<Context>>> = {
  ...ofEndpoint('publish', 'publish request', 'accepted'),
  'publish/event-id': {
    of: ['publish/accepted', 'status/readable'],
    description: 'Place and format of the event ID in the response to an accepted publish request.',
    async value({ events }) {
      const { place, form } = await events.found()
      return [place, form]
    },
  },
  'publish/undotted-type': {
    of: ['publish/accepted'],
    description:
      'Status code of a publish request with an event type that is not words joined by dots.',
    value: statusIn((events) => events.publish('undotted type')),
  },
  'publish/repeated-idempotency-key/same-body': {
    of: ['publish/idempotency-key'],
    description:
      'Status code of a publish request that repeats an Idempotency-Key with the same body.',
    value: statusIn((events) => events.repeat()),
  },
  'publish/repeated-idempotency-key/other-body': {
    of: ['publish/idempotency-key'],
    description:
      'Status code of a publish request that repeats an Idempotency-Key with a different body.',
    value: statusIn((events) => events.repeat('free-form')),
  },
  'publish/without-idempotency-key': {
    of: ['publish/idempotency-key'],
    description: 'Status code of a publish request without an Idempotency-Key.',
    value: statusIn(async (events) => {
      await events.needsPublishing()
      return events.publishedWithoutIdempotencyKey()
    }),
  },
  'publish/missing-payload': {
    of: ['publish/free-form-payload'],
    description: 'Status code of a publish request without a payload.',
    value: statusIn((events) => events.publish('no payload')),
  },
  'publish/empty-payload': {
    of: ['publish/free-form-payload'],
    description: 'Status code of a publish request with an empty payload.',
    value: statusIn((events) => events.publishedAs('empty')),
  },
  ...ofEndpoint('status', 'delivery status request', 'readable'),
  'status/unknown-event': {
    of: ['status/readable'],
    description: 'Status code of a delivery status request for an event that was never published.',
    value: statusOf({ endpoint: 'status', key: 'right', item: 'unknown' }),
  },
  ...ofEndpoint('replay', 'replay request', 'accepted'),
}

export const suite: Suite<KeyedCase, Context, object, Context> = {
  catalogue: catalogueOfSuite(
    { service: 'event-publishing', document: 'Event Publishing Service HTTP API', needs },
    requirements,
    observations,
  ),
  requirements,
  observations,
  settingsOf: ({ eventPublishing }) => eventPublishing && {},
  idOf,
  describe,
  load: () => ({
    createContext,
    preflight({ target, events, sender }) {
      const withoutKey = () => sender.send({ endpoint: 'publish', key: 'none' })
      const request = target.apiKey === undefined ? withoutKey : events.unknown
      const address = { ...eventPublishingAddress, baseUrl: target.baseUrl }
      return requireService(address, request, events.accepted)
    },
  }),
}
