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

const apiKeyAccepted = acceptedAt<RequestContext>('header x-api-key')
const keyNotNeeded = { keyNeeded: () => false }

function faultsAt(endpoint: Endpoint) {
  const faults = faultsOf(endpoint)
  const at = (change: RuleChange | Partial<Rules>) => on(endpoint, change)
  return [
    // A request with the key at another place has no key either.
    faults(['key-required', 'key-in-header'], {
      [`event-missing-key-accepted-on-${endpoint}`]: at(keyNotNeeded),
      [`event-missing-key-error-sent-with-200-for-${endpoint}`]: at(reject('missingKey', 200)),
      [`event-key-needed-once-per-connection-for-${endpoint}`]: at(keyedOnce('unkeyed')),
    }),
    faults('key-checked', {
      [`event-wrong-key-accepted-on-${endpoint}`]: at(acceptedKeys.any),
      [`event-shortened-key-accepted-on-${endpoint}`]: at(acceptedKeys.shortened),
      [`event-lengthened-key-accepted-on-${endpoint}`]: at(acceptedKeys.lengthened),
      [`event-key-accepted-in-another-case-on-${endpoint}`]: at(acceptedKeys.inAnyCase),
      [`event-key-before-another-word-accepted-on-${endpoint}`]: at(acceptedKeys.beforeAnotherWord),
      [`event-empty-key-accepted-on-${endpoint}`]: at(acceptedKeys.orEmpty),
      [`event-key-checked-by-its-last-eight-on-${endpoint}`]: at(acceptedKeys.withSameEnd),
      [`event-key-checked-without-its-first-four-on-${endpoint}`]: at(acceptedKeys.exceptFirst),
      [`event-key-checked-without-its-last-four-on-${endpoint}`]: at(acceptedKeys.exceptLast),
      [`event-key-checked-once-per-connection-on-${endpoint}`]: at(keyedOnce('unchecked')),
    }),
    faults('key-in-header', {
      [`event-key-accepted-in-query-on-${endpoint}`]: at(acceptedAt('query')),
      [`event-key-accepted-as-bearer-on-${endpoint}`]: at(acceptedAt('bearer')),
      [`event-key-accepted-as-basic-username-on-${endpoint}`]: at(acceptedAt('basic-username')),
      [`event-key-accepted-as-basic-password-on-${endpoint}`]: at(acceptedAt('basic-password')),
      [`event-bare-key-accepted-in-authorization-on-${endpoint}`]: at(acceptedAt('bare')),
      [`event-key-accepted-as-api-key-header-on-${endpoint}`]: at(apiKeyAccepted),
    }),
  ].flat()
}

const publish = faultsOf('publish')
const status = faultsOf('status')
const replay = faultsOf('replay')

export const keyFaults = [
  publish('key-required', {
    'event-user-named-by-a-proxy-needs-no-key': unkeyedOfProxy,
    'event-missing-key-accepted-without-key in small-services-base-urls-only': on(
      'publish',
      keyNotNeeded,
    ),
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
  status('key-checked', {
    'event-key-accepted-behind-a-scheme': on('status', acceptedKeys.behindScheme),
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
    // X-Events-Key must hold the key; no other header field replaces a wrong one.
    'event-bearer-key-mends-wrong-header': alter('presentedKey', (key, { headers, server }) => {
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
      (isValid, key, { server }) => isValid || key.split(/, */).includes(server.key),
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
  ...(['publish', 'status', 'replay'] as const).map(faultsAt),
].flat()
