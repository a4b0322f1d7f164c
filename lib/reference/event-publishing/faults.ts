import { responseParts } from '../http.ts'
import { acceptedAt } from '../keyed-service.ts'
import {
  altered,
  type Endpoint,
  faultsOf,
  on,
  type RuleChange,
  type Rules,
  refused,
  within,
} from './rules.ts'

/** Whether it is found anywhere below the value, names of fields included. */
function holds(value: unknown, isFound: (part: unknown) => boolean): boolean {
  if (typeof value !== 'object' || value === null) return false
  const parts = Object.entries(value).flat()
  return parts.some((part) => isFound(part) || holds(part, isFound))
}

/** Refuses each payload that holds such a part. */
function payloadsRefused(
  isFound: (part: unknown) => boolean,
  status: number,
  message: string,
): RuleChange {
  return altered(
    'payloadRefused',
    (refusal, payload) => refusal ?? (holds(payload, isFound) ? { status, message } : undefined),
  )
}

/** Refuses each `Idempotency-Key` that matches. */
function idempotencyKeysRefused(pattern: RegExp, status: number): Partial<Rules> {
  return {
    idempotencyKeyRefused: (key) =>
      key !== undefined && pattern.test(key)
        ? { status, message: 'the idempotency key is not valid' }
        : undefined,
  }
}

const isContainer = (part: unknown) => typeof part === 'object' && part !== null
const isRecord = (part: unknown) => isContainer(part) && !Array.isArray(part)
const isNull = (part: unknown) => part === null
const isBeyondAscii = (part: unknown) => typeof part === 'string' && /\P{ASCII}/u.test(part)

/** Takes another header than the documented one for that of the key. */
function anotherHeaderWanted(endpoint: Endpoint): RuleChange {
  return on(endpoint, {
    accepts: ({ place, name }) => place === 'header' && name === `x-${endpoint}-key`,
  })
}

/** Faults in how callers are identified, which every endpoint can have. */
function keyFaults(endpoint: Endpoint) {
  return faultsOf(endpoint, {
    // A key anywhere else is a missing one too.
    'key-required + key-in-header': {
      [`event-missing-key-accepted-on-${endpoint}`]: on(endpoint, { keyNeeded: () => false }),
      [`event-missing-key-error-sent-with-200-for-${endpoint}`]: on(
        endpoint,
        refused('missingKey', 200),
      ),
    },
    'key-checked': {
      [`event-wrong-key-accepted-on-${endpoint}`]: on(endpoint, { keyHolds: () => true }),
      [`event-shortened-key-accepted-on-${endpoint}`]: on(endpoint, {
        keyHolds: (key, { deployment }) => deployment.key.startsWith(key),
      }),
      [`event-lengthened-key-accepted-on-${endpoint}`]: on(endpoint, {
        keyHolds: (key, { deployment }) => key.startsWith(deployment.key),
      }),
    },
    'key-in-header': {
      [`event-key-accepted-in-query-on-${endpoint}`]: on(endpoint, acceptedAt('query')),
      [`event-key-accepted-as-bearer-on-${endpoint}`]: on(endpoint, acceptedAt('bearer')),
      [`event-key-accepted-as-api-key-header-on-${endpoint}`]: on(
        endpoint,
        acceptedAt('header', 'x-api-key'),
      ),
    },
  })
}

/** Every fault of the event publishing service. */
export const faults = [
  ...faultsOf('publish', {
    accepted: {
      'event-publish-refused': {
        payloadRefused: () => ({ status: 422, message: 'events of this type are not taken' }),
      },
      'event-publish-answered-with-500': { publishedParts: () => responseParts(500) },
      'event-publish-answered-with-a-redirect': {
        publishedParts: (_event, { deployment }) =>
          responseParts(303, { Location: `${deployment.baseUrl}/v1/events` }),
      },
      'event-type-with-dots-refused': {
        typeRefused: (type) =>
          /^[a-z]+$/.test(String(type))
            ? undefined
            : { status: 422, message: 'type must be a single word' },
      },
      'event-publish-wants-another-header': anotherHeaderWanted('publish'),
    },
    'key-required': {
      'event-missing-key-accepted-where-no-key-is-told': within(
        'event-and-incident-base-urls-alone',
        on('publish', { keyNeeded: () => false }),
      ),
    },
    'idempotency-key': {
      'event-publish-refused-with-idempotency-key': idempotencyKeysRefused(/^/, 400),
      'event-idempotency-key-answered-with-500': idempotencyKeysRefused(/^/, 500),
      'event-idempotency-key-must-be-a-number': idempotencyKeysRefused(/\D/, 422),
    },
    'free-form-payload': {
      'event-nested-payload-answered-with-500': payloadsRefused(isRecord, 500, 'internal error'),
      'event-payload-must-be-flat': payloadsRefused(isContainer, 422, 'payload must be flat'),
      'event-payload-with-null-refused': payloadsRefused(isNull, 422, 'payload must not hold null'),
      'event-payload-must-be-ascii': payloadsRefused(isBeyondAscii, 400, 'payload must be ASCII'),
    },
    'key-checked': {
      'event-key-checked-by-its-first-eight-on-publish': on('publish', {
        keyHolds: (key, { deployment }) => key.slice(0, 8) === deployment.key.slice(0, 8),
      }),
    },
  }),
  ...faultsOf('status', {
    readable: {
      'event-status-without-body': { statusParts: () => responseParts(200) },
      'event-status-answered-with-204': { statusParts: () => responseParts(204) },
      'event-status-answered-with-500': { statusParts: () => responseParts(500) },
      'event-status-answered-with-a-redirect': {
        statusParts: ({ id }, { deployment }) =>
          responseParts(302, { Location: `${deployment.baseUrl}/status/${id}` }),
      },
      'event-status-unknown-for-published-event': on('status', { eventWithId: () => undefined }),
      'event-status-wants-another-header': anotherHeaderWanted('status'),
    },
  }),
  ...faultsOf('replay', {
    accepted: {
      'event-replay-unknown-for-published-event': on('replay', { eventWithId: () => undefined }),
      'event-replay-refused': {
        replayRefused: () => ({ status: 409, message: 'the event was delivered already' }),
      },
      'event-replay-answered-with-500': {
        replayRefused: () => ({ status: 500, message: 'internal error' }),
      },
      'event-replay-wants-another-header': anotherHeaderWanted('replay'),
    },
    'key-checked': {
      'event-wrong-key-error-sent-with-200-for-replay': on('replay', refused('wrongKey', 200)),
    },
  }),
  ...(['publish', 'status', 'replay'] as const).flatMap(keyFaults),
]
