import { HttpError, jsonParts, responseParts } from '../http.ts'
import { fromSecondOn } from '../keyed-changes.ts'
import { inVariant } from '../rule-tables.ts'
import { keyFaults } from './key-faults.ts'
import { after, alter, type Endpoint, faultsOf, on, type RuleChange } from './rules.ts'

/** Returns true if a part of the value, or a field name in it, matches. */
function contains(value: unknown, isFound: (part: unknown) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false
  const parts = Object.entries(value).flat()
  return parts.some((part) => isFound(part) || contains(part, isFound))
}

const rejectPayloads = (
  isFound: (part: unknown) => boolean,
  ...details: ConstructorParameters<typeof HttpError>
): RuleChange =>
  alter(
    'payloadError',
    (error, payload) =>
      error ?? (contains(payload, isFound) ? new HttpError(...details) : undefined),
  )

const rejectIdempotencyKeys = (pattern: RegExp, status: number) => ({
  idempotencyKeyError: (key: string | undefined) =>
    key !== undefined && pattern.test(key)
      ? new HttpError(status, 'the idempotency key is not valid')
      : undefined,
})

const isContainer = (part: unknown) => typeof part === 'object' && part !== null
const isNull = (part: unknown) => part === null

const requireOtherHeader = (endpoint: Endpoint) =>
  on(endpoint, { presentedKey: ({ headers }) => headers.get(`X-${endpoint}-Key`) ?? undefined })

const redirected = (status: number, baseUrl: string, path: string) =>
  responseParts(status, { Location: `${baseUrl}${path}` })

const latestEventKnown = alter('eventWithId', (event, _id, { server }) =>
  event === [...server.events.values()].at(-1) ? event : undefined,
)

/** Rejects the Idempotency-Key of requests with a wrong key from then on. */
const knowRejected = (status: number) =>
  after(['wrongKey'], ({ headers }) => headers.get('Idempotency-Key'), {
    idempotencyKeyError: () => new HttpError(status, 'the request was rejected'),
  })

const publish = faultsOf('publish')
const status = faultsOf('status')
const replay = faultsOf('replay')

export const faults = [
  publish('accepted', {
    'event-publish-fails-with-500': { publishedParts: () => responseParts(500) },
    'event-type-with-dots-rejected': {
      typeError: (type) =>
        /^[a-z]+$/.test(String(type)) ? undefined : new HttpError(422, 'type must be one word'),
    },
    'event-publish-wants-another-header': requireOtherHeader('publish'),
  }),
  publish('idempotency-key', {
    'event-idempotency-key-fails-with-500': rejectIdempotencyKeys(/^/, 500),
    'event-idempotency-key-must-be-a-number': rejectIdempotencyKeys(/\D/, 422),
    'event-rejected-idempotency-key-known-afterwards': knowRejected(409),
    'event-rejection-repeated-for-idempotency-key': knowRejected(401),
    // The key is a string that the client generates, not only a UUID.
    'event-idempotency-key-longer-than-a-uuid-rejected': alter(
      'idempotencyKeyError',
      (error, key) =>
        (key?.length ?? 0) > 36 ? new HttpError(400, 'the idempotency key is too long') : error,
    ),
  }),
  publish('free-form-payload', {
    'event-payload-must-be-flat-with-a-request-id': [
      rejectPayloads(isContainer, 422, 'payload must be flat'),
      { errorParts: ({ status, message: error }) => jsonParts(status, { id: 'req-17', error }) },
    ],
    'event-payload-with-null-rejected': rejectPayloads(isNull, 422, 'payload must not hold null'),
    'event-payload-must-not-be-empty': alter(
      'payloadError',
      (error, payload) =>
        error ??
        (Object.keys(Object(payload)).length === 0
          ? new HttpError(422, 'payload must not be empty')
          : undefined),
    ),
    // The payload is a free-form object, so its members may have any name.
    'event-payload-member-with-a-dot': alter('payloadError', (error, payload) =>
      Object.keys(Object(payload)).some((name) => name.includes('.'))
        ? new HttpError(400, 'a name has a dot')
        : error,
    ),
    'event-payload-member-with-a-dollar-sign': rejectPayloads(
      (part) => typeof part === 'string' && part.startsWith('$'),
      ...([500, 'internal error'] as const),
    ),
  }),
  status('readable', {
    'event-status-is-an-empty-record': { statusParts: () => jsonParts(200, {}) },
    'event-status-redirected': {
      statusParts: ({ id }, { server }) => redirected(302, server.baseUrl, `/status/${id}`),
    },
    'event-status-only-of-the-latest-event': on('status', latestEventKnown),
    'event-status-lost-by-a-replay': on(
      'status',
      alter('eventWithId', (event) => (event && event.attempts > 1 ? undefined : event)),
    ),
    // The same, of an event whose free-form payload is empty.
    'event-no-status-with-empty-payload': on(
      'status',
      alter('eventWithId', (event) =>
        event && Object.keys(event.payload).length > 0 ? event : undefined,
      ),
    ),
  }),
  replay('accepted', {
    'event-second-replay-fails-with-500': ({ replayError }) => ({
      replayError: fromSecondOn(replayError, () => new HttpError(500, 'internal error')),
    }),
    'event-replay-wants-another-header': requireOtherHeader('replay'),
    // A rejected replay proves only that the endpoint is missing.
    ...inVariant('event-replay-body-unset-inconclusive', {
      'event-replay-not-allowed-without-body': {
        replayError: () => new HttpError(405, 'the method is not allowed'),
      },
    }),
  }),
  keyFaults,
].flat()
