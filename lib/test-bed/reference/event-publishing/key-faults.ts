import { acceptedAt, acceptedKeys, keyedOnce, unkeyedOfProxy } from '../keyed-changes.ts'
import {
  after,
  alter,
  type Endpoint,
  faultsOf,
  on,
  type RequestContext,
  type RuleChange,
  type Rules,
  reject,
} from './rules.ts'

const isKnownSubmission = ({ headers, server }: RequestContext) =>
  [...server.events.values()].some(
    ({ idempotencyKey = null }) =>
      idempotencyKey !== null && idempotencyKey === headers.get('Idempotency-Key'),
  )

const keyNotNeeded = { keyNeeded: () => false }

/** Defines faults at one endpoint by the middle of their names. */
const faultsAt = (
  endpoint: Endpoint,
  broken: readonly string[],
  table: Readonly<Record<string, RuleChange | Partial<Rules>>>,
) =>
  Object.entries(table).flatMap(([name, change]) =>
    faultsOf(endpoint)(broken, { [`event-${name}-on-${endpoint}`]: on(endpoint, change) }),
  )

// A request with the key at another place has no key either.
const missing = ['key-required', 'key-in-header']

const publish = faultsOf('publish')
const status = faultsOf('status')
const replay = faultsOf('replay')

export const keyFaults = [
  publish(['key-required', 'replay/key-required', 'status/key-required'], {
    'event-user-named-by-a-proxy-needs-no-key': unkeyedOfProxy,
  }),
  publish('key-required', {
    'event-missing-key-accepted-without-key in event-base-url-only': on('publish', keyNotNeeded),
    // Every request must carry the key, whatever its content type.
    'event-publish-as-text-needs-no-key': on(
      'publish',
      alter(
        'keyNeeded',
        (isNeeded, { headers }) => isNeeded && /json/.test(headers.get('Content-Type') ?? ''),
      ),
    ),
  }),
  publish('key-in-header', {
    'event-key-accepted-in-body': on('publish', acceptedAt('body')),
    'event-key-accepted-with-token-scheme': on('publish', acceptedAt('token')),
  }),
  replay('key-in-header', {
    'event-key-accepted-with-api-key-scheme': on('replay', acceptedAt('apikey')),
  }),
  replay('key-checked', {
    'event-wrong-key-error-sent-with-200-for-replay': reject('wrongKey', 200, 'replay'),
  }),
  status(['key-required', 'key-in-header'], {
    // Every request to every endpoint must carry the key, also for an event that was replayed.
    'event-status-of-replayed-event-open': after(
      ['replayedParts'],
      ({ parameters }) => parameters.eventId,
      on('status', keyNotNeeded),
    ),
  }),
  publish(['key-required', 'key-checked', 'key-in-header'], {
    // Every request must carry the key, also a repeated submission.
    'event-repeated-submission-before-key-check': on(
      'publish',
      alter('presentedKey', (key, context) =>
        isKnownSubmission(context) ? context.server.key : key,
      ),
    ),
  }),
  publish(['key-in-header', 'replay/key-in-header', 'status/key-in-header'], {
    'event-key-accepted-behind-a-scheme': acceptedKeys.behindScheme,
    // X-Events-Key must hold the key; no other header field replaces a wrong one.
    'event-bearer-key-replaces-wrong-header': alter('presentedKey', (key, { headers, server }) => {
      const other = headers.get('Authorization')?.replace(/^Bearer /i, '')
      return headers.has('X-Events-Key') && other === server.key ? other : key
    }),
    // The header name is the same on all endpoints; underscores make it another one.
    'event-key-accepted-with-underscores': alter(
      'presentedKey',
      async (key, { headers }) => (await key) ?? headers.get('X_Events_Key') ?? undefined,
    ),
  }),
  publish(['key-checked', 'replay/key-checked', 'status/key-checked'], {
    // The header must hold the API key, not a list with it.
    'event-key-accepted-in-a-list': alter(
      'isKeyValid',
      (isValid, key, { server }) => isValid || key.split(',')[0] === server.key,
    ),
  }),
  replay('key-required', {
    // Every request must carry the key, also after a publish request on its connection.
    'event-replay-open-on-the-publishing-connection': ({ newEventId, keyNeeded }) => {
      const connections = new Map<string, object>()
      return {
        newEventId: (number, context) => {
          const id = newEventId(number, context)
          connections.set(id, context.connection)
          return id
        },
        keyNeeded: (context) => {
          const { connection, endpoint, parameters } = context
          const isOwn = connections.get(parameters.eventId ?? '') === connection
          return keyNeeded(context) && !(endpoint === 'replay' && isOwn)
        },
      }
    },
  }),
  faultsAt('publish', missing, { 'missing-key-accepted': keyNotNeeded }),
  faultsAt('status', missing, { 'missing-key-error-sent-with-200': reject('missingKey', 200) }),
  faultsAt('replay', missing, { 'key-needed-once-per-connection': keyedOnce('unkeyed') }),
  faultsAt('publish', ['key-checked'], {
    'shortened-key-accepted': acceptedKeys.shortened,
    'key-before-another-word-accepted': acceptedKeys.beforeAnotherWord,
    'key-checked-without-its-first-four': acceptedKeys.exceptFirst,
  }),
  faultsAt('status', ['key-checked'], {
    'wrong-key-accepted': acceptedKeys.any,
    'key-accepted-in-another-case': acceptedKeys.inAnyCase,
    'key-checked-by-its-last-eight': acceptedKeys.withSameEnd,
    'key-checked-once-per-connection': keyedOnce('unchecked'),
  }),
  faultsAt('replay', ['key-checked'], {
    'lengthened-key-accepted': acceptedKeys.lengthened,
    'empty-key-accepted': acceptedKeys.orEmpty,
    'key-checked-without-its-last-four': acceptedKeys.exceptLast,
  }),
  faultsAt('publish', ['key-in-header'], {
    'key-accepted-in-query': acceptedAt('query'),
    'key-accepted-as-basic-password': acceptedAt('basic-password'),
  }),
  faultsAt('status', ['key-in-header'], {
    'key-accepted-as-bearer': acceptedAt('bearer'),
    'bare-key-accepted-in-authorization': acceptedAt('bare'),
  }),
  faultsAt('replay', ['key-in-header'], {
    'key-accepted-as-basic-username': acceptedAt('basic-username'),
    'key-accepted-as-api-key-header': acceptedAt('header x-api-key'),
  }),
].flat()
