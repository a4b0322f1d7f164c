import { randomUUID } from 'node:crypto'
import { jsonParts, type ResponseParts } from '../http.ts'
import { tolerance, variantsOf, withVariables } from '../service.ts'
import type { Deployment } from './deployment.ts'
import type { RuleChange, Rules } from './rules.ts'

const rows = ['event-publishing/status/readable', 'event-publishing/replay/accepted']
const anyIdForm = tolerance('any-event-id-form', rows)
const anyIdPlace = tolerance('any-event-id-place', rows)

function withLocation(parts: ResponseParts, location: string): ResponseParts {
  parts.headers.set('Location', location)
  return parts
}

/** Publish requests are answered with the record that is made of the event id. */
function publishedRecord(record: (id: string) => unknown): Partial<Rules> {
  return { publishedParts: ({ id }) => jsonParts(202, record(id)) }
}

const idHidden = publishedRecord(() => ({ status: 'accepted' }))

const TIMES_MISSED = 2

/** Events are there a moment after they were published: who asks at once does not find them. */
const foundLater: RuleChange = (rules) => {
  const askedFor = new Map<string, number>()
  return {
    eventWithId: (id, context) => {
      const times = (askedFor.get(id) ?? 0) + 1
      askedFor.set(id, times)
      return times <= TIMES_MISSED ? undefined : rules.eventWithId(id, context)
    },
  }
}

/** Event ids of other forms, at other places or at none. */
export const eventIdVariants = variantsOf<Rules, Deployment>({
  'event-id-in-location': {
    tolerances: anyIdPlace,
    change: {
      publishedParts: ({ id }, { deployment }) =>
        withLocation(
          jsonParts(202, { status: 'accepted' }),
          `${deployment.baseUrl}/v1/events/${id}`,
        ),
    },
  },
  'event-id-in-event-id-field': {
    tolerances: anyIdPlace,
    change: publishedRecord((id) => ({ eventId: id, status: 'accepted' })),
  },
  'event-id-nested': {
    tolerances: anyIdPlace,
    change: publishedRecord((id) => ({ data: { id } })),
  },
  'event-id-as-number': {
    tolerances: anyIdForm,
    change: {
      ...publishedRecord((id) => ({ id: Number(id) })),
      newEventId: (number) => String(70_000 + number),
    },
  },
  'event-id-as-uuid': { tolerances: anyIdForm, change: { newEventId: () => randomUUID() } },
  'event-id-very-long': {
    tolerances: anyIdForm,
    change: { newEventId: (number) => `${'0123456789abcdef'.repeat(32)}-${number}` },
  },
  'event-id-with-reserved-characters': {
    tolerances: anyIdForm,
    change: { newEventId: (number) => `prüfung/${number}?a=50% b#c` },
  },
  'event-id-like-a-url': {
    tolerances: anyIdForm,
    change: { newEventId: (number) => `https://events.example/v1/events/${number}` },
  },
  'event-id-at-unusual-place': {
    tolerances: anyIdPlace,
    change: publishedRecord((id) => ({ receipts: [{ 'event/number': id }] })),
    environment: withVariables({ EVENT_PUBLISHING_EVENT_ID_POINTER: '/receipts/0/event~1number' }),
  },
  'event-id-beside-another-id': {
    tolerances: anyIdPlace,
    change: publishedRecord((id) => ({ id: 'req-17', event_id: id })),
  },
  'event-id-nested-beside-another-id': {
    tolerances: anyIdPlace,
    change: publishedRecord((id) => ({ id: 'req-17', event: { id } })),
  },
  'event-location-of-another-resource': {
    tolerances: anyIdPlace,
    change: {
      publishedParts: ({ id }) => withLocation(jsonParts(202, { id }), '/v1/deliveries/77'),
    },
  },
  'event-id-of-something-else-inconclusive': {
    verdict: 'inconclusive',
    tolerances: anyIdPlace,
    unjudged: rows,
    change: publishedRecord(() => ({ id: 'req-17' })),
  },
  'event-id-given': {
    tolerances: anyIdPlace,
    change: idHidden,
    environment: (environment, { store }) => {
      const event = { type: 'operator.prepared', payload: {}, idempotencyKey: undefined }
      return {
        ...environment,
        EVENT_PUBLISHING_EVENT_ID: store.add({ id: 'event-1', ...event }).id,
      }
    },
  },
  'event-id-nowhere': { tolerances: anyIdPlace, unjudged: rows, change: idHidden },
  'event-found-later': { tolerances: tolerance('found-later', rows), change: foundLater },
})
