import { HttpError, jsonParts, responseParts } from '../http.ts'
import { fromSecondOn, keyedRejectionVariants } from '../keyed-changes.ts'
import { tolerance } from '../rule-tables.ts'
import { addEvent, alter, type Rules, uses } from './rules.ts'

const idempotencyKey = 'publish/idempotency-key'
const publishRequirements = ['publish/accepted', 'publish/free-form-payload', idempotencyKey]
const ofEvents = ['status/readable', 'replay/accepted']
const publishedWithAnyStatus = tolerance('any-success-status', ...publishRequirements)
const publishedWithAnyBody = tolerance('any-body-or-none', ...publishRequirements)
const anyIdPlace = tolerance('any-event-id-place', ...ofEvents)

const published = (publishedParts: Rules['publishedParts']) => [{ publishedParts }]

const publishedRecord = (record: (id: string) => unknown) =>
  published(({ id }) => jsonParts(202, record(id)))

const idsMade = (newEventId: (number: number) => string) => [{ newEventId }]

const idHidden = publishedRecord(() => ({ status: 'accepted' }))

const json = 'application/json'

function located(status: number, address: string, id: string, type?: string, body?: string) {
  const Location = `${address}/v1/events/${id}`
  return responseParts(status, { ...(type && { 'Content-Type': type }), Location }, body)
}

const MISSED_READS = 2

/** Finds an event only after the first reads of it. */
const findLater = (rules: Rules) => {
  const reads = new Map<string, number>()
  return alter('eventWithId', (event, id) => {
    const count = (reads.get(id) ?? 0) + 1
    reads.set(id, count)
    return count <= MISSED_READS ? undefined : event
  })(rules)
}

const requireKey = alter('idempotencyKeyError', (_result, key) =>
  key ? undefined : new HttpError(400, 'a key is required'),
)

const allowedType = 'invoice.paid'

const typesLimited: Partial<Rules> = {
  typeError: (type) =>
    type === allowedType ? undefined : new HttpError(422, 'the type is not allowed'),
}

const replayNeedsBody: Partial<Rules> = {
  replayError: (content) =>
    content.includes('"destination"') ? undefined : new HttpError(400, 'a destination is required'),
  replayedParts: ({ id }) => jsonParts(202, { id, destination: 'all' }),
}

const replayLimited = (status: number) => (rules: Rules) => ({
  replayError: fromSecondOn(rules.replayError, () => new HttpError(status, 'one replay a minute')),
})

/** Replays an event only after a moment. */
const replayLater = (rules: Rules) => {
  let count = 0
  return alter('replayError', (error) => {
    count += 1
    return count <= MISSED_READS ? new HttpError(409, 'the event is not delivered yet') : error
  })(rules)
}

/** Rejects an event with the content of an earlier one, unless it repeats that one's idempotency key. */
const publishedOnce = (rules: Rules): Partial<Rules> => {
  const keys = new Map<string, string | undefined>()
  return {
    payloadError: (payload, context) => {
      const content = JSON.stringify(payload)
      const key = context.headers.get('Idempotency-Key') ?? undefined
      const error = rules.payloadError(payload, context)
      if (error !== undefined) return error
      if (!keys.has(content)) keys.set(content, key)
      return keys.get(content) === key ? undefined : new HttpError(409, 'the event is known')
    },
  }
}

const rejectRepetition = (status: number) => [
  { repetitionError: () => new HttpError(status, 'the idempotency key was used before') },
]

const respondToRepetition =
  (make: (rules: Rules) => Rules['publishedParts']) =>
  (rules: Rules): Partial<Rules> => {
    const seenIds = new Set<string>()
    const repeated = make(rules)
    return {
      repetitionError: () => undefined,
      publishedParts: (event, context) => {
        const isNew = seenIds.size < seenIds.add(event.id).size
        return (isNew ? rules.publishedParts : repeated)(event, context)
      },
    }
  }

const repetitionPublished = respondToRepetition((rules) => ({ type, payload }, context) => {
  const { server } = context
  const id = rules.newEventId(server.events.size + 1, context)
  const added = addEvent(server, { id, type, payload, idempotencyKey: undefined })
  return rules.publishedParts(added, context)
})

const keyRequirements = ['publish', 'status', 'replay'].flatMap((endpoint) =>
  ['key-required', 'key-checked', 'key-in-header'].map((name) => `${endpoint}/${name}`),
)

export const variants = [
  keyedRejectionVariants(uses, 'event', keyRequirements, 302, '/login?then=%2F'),
  uses([publishedWithAnyStatus, publishedWithAnyBody, anyIdPlace], {
    'event-publish-responds-with-204-and-location': published(({ id }, { server }) =>
      located(204, server.basePath, id),
    ),
  }),
  uses([publishedWithAnyBody, anyIdPlace], {
    'event-publish-responds-without-body': {
      unjudged: ofEvents,
      change: { publishedParts: () => responseParts(202) },
    },
  }),
  uses(
    [
      tolerance(['any-success-status', 'any-body-or-none'], 'replay/accepted'),
      tolerance(['any-success-status', 'any-body'], 'status/readable'),
    ],
    {
      'event-replay-with-204-and-status-in-plain-text': {
        change: {
          replayedParts: () => responseParts(204),
          statusParts: ({ attempts }) =>
            responseParts(203, { 'Content-Type': 'text/plain' }, `delivered, ${attempts} attempts`),
        },
      },
    },
  ),
  uses(tolerance('mandatory-header', idempotencyKey), {
    'event-idempotency-key-mandatory': requireKey,
  }),
  uses(tolerance('any-answer-to-repetition', idempotencyKey), {
    'event-idempotency-key-once': rejectRepetition(409),
    'event-idempotency-key-ignored': repetitionPublished,
  }),
  uses(tolerance('limited', idempotencyKey), { 'event-published-only-once': publishedOnce }),
  uses('replay/accepted/limited', {
    'event-replay-limited-with-409': replayLimited(409),
    'event-replay-limited-with-429': replayLimited(429),
  }),
  uses('replay/accepted/body-needed', {
    'event-replay-needs-body': {
      change: replayNeedsBody,
      environment: { EVENT_PUBLISHING_REPLAY_BODY: JSON.stringify({ destination: 'all' }) },
    },
    'event-replay-body-unset-inconclusive': {
      unjudged: ['replay/accepted'],
      change: replayNeedsBody,
      environment: /_REPLAY_BODY$/,
    },
  }),
  uses('publish/accepted/some-types-only', {
    'event-types-limited': {
      change: typesLimited,
      environment: {
        EVENT_PUBLISHING_EVENT_TYPE: allowedType,
        EVENT_PUBLISHING_EVENT_PAYLOAD: '{"invoice":"F-17","lines":[{"amount":1}]}',
      },
    },
    'event-types-limited-unset-inconclusive': {
      unjudged: ['publish/accepted'],
      change: typesLimited,
      environment: /_EVENT_(TYPE|PAYLOAD)$/,
    },
  }),
  uses('publish/accepted/no-such-path', {
    'event-publish-not-implemented-inconclusive': {
      unjudged: ['publish/accepted'],
      change: { typeError: () => new HttpError(501, 'not implemented') },
    },
  }),
  uses(anyIdPlace, {
    'event-id-in-location': published(({ id }, { server }) =>
      located(202, server.baseUrl, id, json, '{"status":"accepted"}'),
    ),
    'event-id-at-unusual-place': {
      change: publishedRecord((id) => ({ receipts: [{ 'event/number': id }] })),
      environment: { EVENT_PUBLISHING_EVENT_ID_POINTER: '/receipts/0/event~1number' },
    },
    'event-id-next-to-another-id': publishedRecord((id) => ({ id: 'req-17', event_id: id })),
    'event-id-nested-next-to-another-id': publishedRecord((id) => ({ id: 'r-17', event: { id } })),
    'event-location-of-another-resource': published(({ id }) =>
      responseParts(202, { 'Content-Type': json, Location: '/deliveries/7' }, `{"id":"${id}"}`),
    ),
    'event-id-of-something-else-inconclusive': {
      unjudged: ofEvents,
      change: publishedRecord(() => ({ id: 'req-17' })),
    },
    'event-id-given': {
      change: idHidden,
      environment: (environment, server) => {
        const event = { type: 'operator.prepared', payload: {}, idempotencyKey: undefined }
        const { id } = addEvent(server, { id: 'event-1', ...event })
        return { ...environment, EVENT_PUBLISHING_EVENT_ID: id }
      },
    },
    'event-id-missing': { unjudged: ofEvents, change: idHidden },
  }),
  uses(tolerance('any-event-id-form', ...ofEvents), {
    'event-id-as-number': [
      publishedRecord((id) => ({ id: Number(id) })),
      idsMade((number) => String(70_000 + number)),
    ],
    'event-id-as-number-of-19-digits': [
      ...published(({ id }) => responseParts(202, { 'Content-Type': json }, `{"id":${id}}`)),
      ...idsMade((number) => String(7_219_038_400_000_000_001n + BigInt(number))),
    ],
    'event-id-with-reserved-characters': idsMade((number) => `prüfung/${number}?a=50% b#c`),
    'event-id-in-no-url-inconclusive': {
      unjudged: ofEvents,
      change: publishedRecord(() => ({ id: 'evt_\ud800' })),
    },
  }),
  uses(tolerance('found-later', ...ofEvents), { 'event-found-later': findLater }),
  uses('replay/accepted/found-later', { 'event-replayed-later': replayLater }),
  uses([], {
    'event-key-wrong-inconclusive': {
      environment: { EVENT_PUBLISHING_API_KEY: 'key-of-last-year' },
    },
    'event-base-url-and-key-only': { environment: /_(EVENT_\w+|REPLAY_BODY)$/ },
    'event-base-url-only': { environment: /(?<!_BASE_URL)$/ },
    'event-unknown-responds-with-200': alter(
      'eventWithId',
      (event, id) =>
        event ?? { id, type: 'unknown', payload: {}, idempotencyKey: undefined, attempts: 0 },
    ),
  }),
].flat()
