import type { ObservationEntry } from '../../lib/conformance/requirement.ts'

/** What the document of the event publishing service leaves open and Plumbline records. */
export const observations = [
  {
    id: 'event-publishing/publish/status',
    description: 'Status of a successful publish.',
    with: ['event-publishing/publish/accepted'],
  },
  {
    id: 'event-publishing/publish/body',
    description: 'Shape of the body of a successful publish.',
    with: ['event-publishing/publish/accepted'],
  },
  {
    id: 'event-publishing/publish/event-id',
    description: 'Where the publish response shows the id of the event, and of what form it is.',
    with: ['event-publishing/publish/accepted', 'event-publishing/status/readable'],
  },
  {
    id: 'event-publishing/publish/missing-key',
    description: 'Status and body shape for a publish without a key.',
    with: ['event-publishing/publish/key-required'],
  },
  {
    id: 'event-publishing/publish/wrong-key',
    description: 'Status and body shape for a publish with a wrong key.',
    with: ['event-publishing/publish/key-checked'],
  },
  {
    id: 'event-publishing/publish/repeated-idempotency-key/same-body',
    description: 'Answer to the same event with an Idempotency-Key that was used for it before.',
    with: ['event-publishing/publish/idempotency-key'],
  },
  {
    id: 'event-publishing/publish/repeated-idempotency-key/other-body',
    description: 'Answer to another event with an Idempotency-Key that was used before.',
    with: ['event-publishing/publish/idempotency-key'],
  },
  {
    id: 'event-publishing/publish/without-idempotency-key',
    description: 'Status of a publish without an Idempotency-Key.',
    with: ['event-publishing/publish/idempotency-key'],
  },
  {
    id: 'event-publishing/publish/undotted-type',
    description: 'Status for an event whose type is not a dotted form of lower-case words.',
    with: ['event-publishing/publish/accepted'],
  },
  {
    id: 'event-publishing/publish/missing-payload',
    description: 'Status for an event without a payload.',
    with: ['event-publishing/publish/free-form-payload'],
  },
  {
    id: 'event-publishing/publish/empty-payload',
    description: 'Status for an event whose payload is an empty object.',
    with: ['event-publishing/publish/free-form-payload'],
  },
  {
    id: 'event-publishing/status/status',
    description: 'Status with which the delivery status of an event is told.',
    with: ['event-publishing/status/readable'],
  },
  {
    id: 'event-publishing/status/body',
    description: 'Shape of a delivery status.',
    with: ['event-publishing/status/readable'],
  },
  {
    id: 'event-publishing/status/missing-key',
    description: 'Status and body shape for a status that is asked for without a key.',
    with: ['event-publishing/status/key-required'],
  },
  {
    id: 'event-publishing/status/wrong-key',
    description: 'Status and body shape for a status that is asked for with a wrong key.',
    with: ['event-publishing/status/key-checked'],
  },
  {
    id: 'event-publishing/status/unknown-event',
    description: 'Status and body shape for an event that nobody has published.',
    with: ['event-publishing/status/readable'],
  },
  {
    id: 'event-publishing/replay/status',
    description: 'Status of a successful replay.',
    with: ['event-publishing/replay/accepted'],
  },
  {
    id: 'event-publishing/replay/body',
    description: 'Shape of the body of a successful replay.',
    with: ['event-publishing/replay/accepted'],
  },
  {
    id: 'event-publishing/replay/missing-key',
    description: 'Status and body shape for a replay without a key.',
    with: ['event-publishing/replay/key-required'],
  },
  {
    id: 'event-publishing/replay/wrong-key',
    description: 'Status and body shape for a replay with a wrong key.',
    with: ['event-publishing/replay/key-checked'],
  },
] as const satisfies readonly ObservationEntry[]
