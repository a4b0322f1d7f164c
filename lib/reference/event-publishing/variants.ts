import { jsonParts, noContentParts, type ResponseParts } from '../http.ts'
import { keyedRefusalVariants } from '../keyed-variants.ts'
import {
  tolerance,
  type VariantTable,
  variantsOf,
  withoutVariables,
  withVariables,
} from '../service.ts'
import type { Deployment, PublishedEvent, RequestContext } from './deployment.ts'
import { eventIdVariants } from './event-id-variants.ts'
import { type RuleChange, type Rules, refused } from './rules.ts'

type Table = VariantTable<Rules, Deployment>

const publish = 'event-publishing/publish'
const idempotencyKey = `${publish}/idempotency-key`
const published = [`${publish}/accepted`, `${publish}/free-form-payload`, idempotencyKey]
const replay = 'event-publishing/replay/accepted'
const status = 'event-publishing/status/readable'
const ofEvents = [status, replay]

const publishedWithAnyStatus = tolerance('any-success-status', published)
const publishedWithAnyBody = tolerance('any-body-or-none', published)
const anyIdPlace = tolerance('any-event-id-place', ofEvents)

function text(code: number, type: string, body: string): ResponseParts {
  return { status: code, headers: new Headers({ 'Content-Type': type }), body }
}

/** The answer of that rule with another status. */
function answeredWith(
  rule: 'publishedParts' | 'replayedParts' | 'statusParts',
  code: number,
): RuleChange {
  return (rules) => ({
    [rule]: (event: PublishedEvent, context: RequestContext) => ({
      ...rules[rule](event, context),
      status: code,
    }),
  })
}

/** Publish and replay answered with other statuses and bodies, and other delivery statuses. */
const answers: Table = {
  'event-publish-answered-with-200': {
    tolerances: publishedWithAnyStatus,
    change: answeredWith('publishedParts', 200),
  },
  'event-publish-answered-with-201': {
    tolerances: publishedWithAnyStatus,
    change: answeredWith('publishedParts', 201),
  },
  'event-publish-answered-with-203': {
    tolerances: publishedWithAnyStatus,
    change: answeredWith('publishedParts', 203),
  },
  'event-publish-answered-with-204-and-location': {
    tolerances: [...publishedWithAnyStatus, ...publishedWithAnyBody, ...anyIdPlace],
    change: {
      publishedParts: ({ id }, { deployment }) => ({
        status: 204,
        headers: new Headers({ Location: `${deployment.basePath}/v1/events/${id}` }),
      }),
    },
  },
  'event-publish-answered-without-a-word': {
    tolerances: [...publishedWithAnyBody, ...anyIdPlace],
    unjudged: ofEvents,
    change: { publishedParts: () => ({ status: 202, headers: new Headers() }) },
  },
  'event-publish-answered-with-a-web-page': {
    tolerances: publishedWithAnyBody,
    change: {
      publishedParts: ({ id }, { deployment }) => ({
        status: 201,
        headers: new Headers({
          'Content-Type': 'text/html',
          Location: `${deployment.baseUrl}/v1/events/${id}`,
        }),
        body: '<p>Published</p>',
      }),
    },
  },
  'event-replay-answered-with-200': {
    tolerances: [`${replay}/any-success-status`],
    change: answeredWith('replayedParts', 200),
  },
  'event-replay-answered-with-201': {
    tolerances: [`${replay}/any-success-status`],
    change: answeredWith('replayedParts', 201),
  },
  'event-replay-answered-with-204': {
    tolerances: [`${replay}/any-success-status`, `${replay}/any-body-or-none`],
    change: { replayedParts: noContentParts },
  },
  'event-replay-answered-with-a-list': {
    tolerances: [`${replay}/any-body-or-none`],
    change: { replayedParts: ({ attempts }) => jsonParts(202, [attempts, null, 'again']) },
  },
  'event-status-answered-with-202': {
    tolerances: [`${status}/any-success-status`],
    change: answeredWith('statusParts', 202),
  },
  'event-status-in-plain-text': {
    tolerances: [`${status}/any-body`],
    change: {
      statusParts: ({ attempts }) => text(200, 'text/plain', `delivered, ${attempts} attempts`),
    },
  },
  'event-status-in-xml': {
    tolerances: [`${status}/any-body`],
    change: {
      statusParts: ({ attempts }) =>
        text(200, 'application/xml', `<delivery attempts="${attempts}"/>`),
    },
  },
  'event-status-as-a-list': {
    tolerances: [`${status}/any-body`],
    change: {
      statusParts: ({ attempts }) =>
        jsonParts(
          200,
          Array.from({ length: attempts }, () => ({ delivered: true })),
        ),
    },
  },
}

const repetition = tolerance('any-answer-to-repetition', [idempotencyKey])
const someTypesOnly = [`${publish}/accepted/some-types-only`]
const allowedType = 'invoice.paid'

const typesLimited: Partial<Rules> = {
  typeRefused: (type) =>
    type === allowedType ? undefined : { status: 422, message: 'the type is not allowed' },
}

const replayNeedsBody: Partial<Rules> = {
  replayRefused: (content) =>
    content.includes('"destination"')
      ? undefined
      : { status: 400, message: 'a destination is required' },
  replayedParts: ({ id }) => jsonParts(202, { id, destination: 'all' }),
}

function repetitionRefusedWith(code: number): Partial<Rules> {
  const message = 'the idempotency key was used before'
  return { repetitionRefused: () => ({ status: code, message }) }
}

/** Another answer to an event that was published before. */
function repetitionAnswered(make: (rules: Rules) => Rules['publishedParts']): RuleChange {
  return (rules) => {
    const known = new Set<string>()
    const repeated = make(rules)
    return {
      repetitionRefused: () => undefined,
      publishedParts: (event, context) => {
        const isNew = known.size < known.add(event.id).size
        return (isNew ? rules.publishedParts : repeated)(event, context)
      },
    }
  }
}

/** The same key publishes one event after the other. */
const repetitionPublished = repetitionAnswered((rules) => (event, context) => {
  const { store } = context.deployment
  const id = rules.newEventId(store.size + 1, context)
  const { type, payload } = event
  return rules.publishedParts(store.add({ id, type, payload, idempotencyKey: undefined }), context)
})

/** Unknown events have a delivery status too. */
const anyEventFound: RuleChange = (rules) => ({
  eventWithId: (id, context): PublishedEvent =>
    rules.eventWithId(id, context) ?? {
      id,
      type: 'unknown',
      payload: {},
      idempotencyKey: undefined,
      attempts: 0,
    },
})

/** Other requests that are accepted, and other variables of the operator. */
const requests: Table = {
  'event-key-mistold-inconclusive': {
    verdict: 'inconclusive',
    environment: withVariables({ EVENT_PUBLISHING_API_KEY: 'key-of-last-year' }),
  },
  'event-base-url-and-key-alone': {
    environment: withoutVariables(/_(EVENT_\w+|REPLAY_BODY)$/),
  },
  'event-idempotency-key-mandatory': {
    tolerances: [`${idempotencyKey}/mandatory-header`],
    change: {
      idempotencyKeyRefused: (key) =>
        key === undefined ? { status: 400, message: 'an Idempotency-Key is required' } : undefined,
    },
  },
  'event-idempotency-key-once': { tolerances: repetition, change: repetitionRefusedWith(409) },
  'event-idempotency-key-once-422': { tolerances: repetition, change: repetitionRefusedWith(422) },
  'event-idempotency-key-repeated-200': {
    tolerances: repetition,
    change: repetitionAnswered(
      () =>
        ({ id }) =>
          jsonParts(200, { id, status: 'accepted before' }),
    ),
  },
  'event-idempotency-key-ignored': { tolerances: repetition, change: repetitionPublished },
  'event-of-any-form-published': {
    change: { typeRefused: () => undefined, payloadRefused: () => undefined },
  },
  'event-replay-needs-body': {
    tolerances: [`${replay}/body-needed`],
    change: replayNeedsBody,
    environment: withVariables({
      EVENT_PUBLISHING_REPLAY_BODY: JSON.stringify({ destination: 'all' }),
    }),
  },
  'event-replay-body-untold-inconclusive': {
    verdict: 'inconclusive',
    tolerances: [`${replay}/body-needed`],
    unjudged: [replay],
    change: replayNeedsBody,
    environment: withoutVariables(/_REPLAY_BODY$/),
  },
  'event-types-limited': {
    tolerances: someTypesOnly,
    change: typesLimited,
    environment: withVariables({
      EVENT_PUBLISHING_EVENT_TYPE: allowedType,
      EVENT_PUBLISHING_EVENT_PAYLOAD: JSON.stringify({ invoice: 'F-17', lines: [{ amount: 1 }] }),
    }),
  },
  'event-types-limited-untold-inconclusive': {
    verdict: 'inconclusive',
    tolerances: someTypesOnly,
    unjudged: [`${publish}/accepted`],
    change: typesLimited,
    environment: withoutVariables(/_EVENT_(TYPE|PAYLOAD)$/),
  },
}

const keyRows = ['publish', 'status', 'replay'].flatMap((endpoint) =>
  ['key-required', 'key-checked', 'key-in-header'].map(
    (name) => `event-publishing/${endpoint}/${name}`,
  ),
)

/** Other statuses and bodies of refusals. */
const refusals: Table = {
  ...keyedRefusalVariants<Rules, Deployment>('event', keyRows, {
    status: 302,
    location: '/login?then=%2F',
    text: 'Found',
  }),
  'event-missing-key-answered-with-500': {
    tolerances: tolerance('any-refusal-status', keyRows),
    change: refused('missingKey', { status: 500 }),
  },
  'event-errors-as-problems': {
    tolerances: tolerance('any-refusal-body', keyRows),
    change: {
      errorParts: ({ status: code, message: title }) =>
        jsonParts(code, { type: 'about:blank', title, errors: [null] }, 'application/problem+json'),
    },
  },
  'event-unknown-answered-with-410': { change: refused('missingEvent', { status: 410 }) },
  'event-unknown-answered-with-200': { change: anyEventFound },
}

/** Every conforming event publishing service that the reference can be started with. */
export const variants = [
  ...variantsOf<Rules, Deployment>({ ...answers, ...refusals, ...requests }),
  ...eventIdVariants,
]
