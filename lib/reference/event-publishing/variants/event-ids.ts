import { randomUUID } from 'node:crypto'
import { jsonParts } from '../../http/response-parts.ts'
import { tolerance } from '../../tolerance-ids.ts'
import { publishBeforehand } from '../deployment.ts'
import { type RuleChange, replaceRule } from '../rules.ts'
import type { Variant } from '../variant.ts'

const TIMES_MISSED = 2

const rows = ['event-publishing/status/readable', 'event-publishing/replay/accepted']
const anyForm = tolerance('any-event-id-form', rows)
const anyPlace = tolerance('any-event-id-place', rows)

/** Publish requests are answered with the record that is made of the event id. */
function publishedRecord(record: (id: string) => unknown): RuleChange {
  return replaceRule(
    'publishedParts',
    () =>
      ({ id }) =>
        jsonParts(202, record(id), 'application/json'),
  )
}

const eventIdHidden = publishedRecord(() => ({ status: 'accepted' }))

/** Events are there a moment after they were published: who asks at once does not find them. */
const foundLater: RuleChange = (rules) => {
  const askedFor = new Map<string, number>()
  return {
    ...rules,
    eventWithId: (id, context) => {
      const times = (askedFor.get(id) ?? 0) + 1
      askedFor.set(id, times)
      return times <= TIMES_MISSED ? undefined : rules.eventWithId(id, context)
    },
  }
}

function withIds(newEventId: (number: number) => string): RuleChange {
  return replaceRule('newEventId', () => newEventId)
}

/** Event ids of other forms, at other places or at none. */
export const eventIdVariants: readonly Variant[] = [
  {
    name: 'event-id-in-location',
    tolerances: anyPlace,
    change: replaceRule('publishedParts', () => ({ id }, { deployment }) => {
      const parts = jsonParts(202, { status: 'accepted' }, 'application/json')
      parts.headers.set('Location', `${deployment.baseUrl}/v1/events/${id}`)
      return parts
    }),
  },
  {
    name: 'event-id-in-event-id-field',
    tolerances: anyPlace,
    change: publishedRecord((id) => ({ eventId: id, status: 'accepted' })),
  },
  {
    name: 'event-id-nested',
    tolerances: anyPlace,
    change: publishedRecord((id) => ({ data: { id } })),
  },
  {
    name: 'event-id-as-number',
    tolerances: anyForm,
    change: (rules) => ({
      ...publishedRecord((id) => ({ id: Number(id) }))(rules),
      newEventId: (number) => String(70_000 + number),
    }),
  },
  {
    name: 'event-id-as-uuid',
    tolerances: anyForm,
    change: withIds(() => randomUUID()),
  },
  {
    name: 'event-id-very-long',
    tolerances: anyForm,
    change: withIds((number) => `${'0123456789abcdef'.repeat(32)}-${number}`),
  },
  {
    name: 'event-id-with-reserved-characters',
    tolerances: anyForm,
    change: withIds((number) => `prüfung/${number}?a=50% b#c`),
  },
  {
    name: 'event-id-like-a-url',
    tolerances: anyForm,
    change: withIds((number) => `https://events.example/v1/events/${number}`),
  },
  {
    name: 'event-id-at-unusual-place',
    tolerances: anyPlace,
    change: publishedRecord((id) => ({ receipts: [{ 'event/number': id }] })),
    environment: (environment) => ({
      ...environment,
      EVENT_PUBLISHING_EVENT_ID_POINTER: '/receipts/0/event~1number',
    }),
  },
  {
    name: 'event-id-beside-another-id',
    tolerances: anyPlace,
    change: publishedRecord((id) => ({ id: 'req-17', event_id: id })),
  },
  {
    name: 'event-id-nested-beside-another-id',
    tolerances: anyPlace,
    change: publishedRecord((id) => ({ id: 'req-17', event: { id } })),
  },
  {
    name: 'event-location-of-another-resource',
    tolerances: anyPlace,
    change: replaceRule('publishedParts', () => ({ id }) => {
      const parts = jsonParts(202, { id }, 'application/json')
      parts.headers.set('Location', '/v1/deliveries/77')
      return parts
    }),
  },
  {
    name: 'event-id-of-something-else-inconclusive',
    verdict: 'inconclusive',
    tolerances: anyPlace,
    unjudged: rows,
    change: publishedRecord(() => ({ id: 'req-17' })),
  },
  {
    name: 'event-id-given',
    tolerances: anyPlace,
    change: eventIdHidden,
    environment: (environment, deployment) => ({
      ...environment,
      EVENT_PUBLISHING_EVENT_ID: publishBeforehand(deployment).id,
    }),
  },
  { name: 'event-id-nowhere', tolerances: anyPlace, unjudged: rows, change: eventIdHidden },
  { name: 'event-found-later', tolerances: tolerance('found-later', rows), change: foundLater },
]
