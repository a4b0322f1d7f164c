import { jsonParts } from '../../http/response-parts.ts'
import { publishBeforehand } from '../deployment.ts'
import { type RuleChange, replaceRule } from '../rules.ts'
import type { Variant } from '../variant.ts'

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

/** Event ids of other forms, at other places or at none. */
export const eventIdVariants: readonly Variant[] = [
  {
    name: 'event-id-in-location',
    change: replaceRule('publishedParts', () => ({ id }, { deployment }) => {
      const parts = jsonParts(202, { status: 'accepted' }, 'application/json')
      parts.headers.set('Location', `${deployment.baseUrl}/v1/events/${id}`)
      return parts
    }),
  },
  {
    name: 'event-id-in-event-id-field',
    change: publishedRecord((id) => ({ eventId: id, status: 'accepted' })),
  },
  {
    name: 'event-id-nested',
    change: publishedRecord((id) => ({ data: { id } })),
  },
  {
    name: 'event-id-as-number',
    change: (rules) => ({
      ...publishedRecord((id) => ({ id: Number(id) }))(rules),
      newEventId: (number) => String(70_000 + number),
    }),
  },
  {
    name: 'event-id-with-reserved-characters',
    change: replaceRule('newEventId', () => (number) => `prüfung/${number}?a=50% b#c`),
  },
  {
    name: 'event-id-at-unusual-place',
    change: publishedRecord((id) => ({ receipts: [{ 'event/number': id }] })),
    environment: (environment) => ({
      ...environment,
      EVENT_PUBLISHING_EVENT_ID_POINTER: '/receipts/0/event~1number',
    }),
  },
  {
    name: 'event-id-given',
    change: eventIdHidden,
    environment: (environment, deployment) => ({
      ...environment,
      EVENT_PUBLISHING_EVENT_ID: publishBeforehand(deployment).id,
    }),
  },
  { name: 'event-id-nowhere', change: eventIdHidden },
]
