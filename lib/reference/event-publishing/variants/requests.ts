import { jsonParts } from '../../http/response-parts.ts'
import { tolerance } from '../../tolerance-ids.ts'
import { type RuleChange, type Rules, replaceRule } from '../rules.ts'
import type { Environment, Variant } from '../variant.ts'

const publish = 'event-publishing/publish'
const idempotencyKey = `${publish}/idempotency-key`
const repetition = tolerance('any-answer-to-repetition', [idempotencyKey])
const typesTolerated = [`${publish}/accepted/some-types-only`]
const replay = 'event-publishing/replay/accepted'

const allowedType = 'invoice.paid'

const replayNeedsBody: RuleChange = (rules) => ({
  ...rules,
  replayRefused: (content) => {
    if (content.includes('"destination"')) return undefined
    return { status: 400, message: 'a destination is required' }
  },
  replayedParts: ({ id }) => jsonParts(202, { id, destination: 'all' }, 'application/json'),
})

const typesLimited: RuleChange = replaceRule('typeRefused', () => (type) => {
  return type === allowedType ? undefined : { status: 422, message: 'the type is not allowed' }
})

function without(environment: Environment, pattern: RegExp): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !pattern.test(name)))
}

function repetitionRefusedWith(status: number): RuleChange {
  return replaceRule('repetitionRefused', () => () => ({
    status,
    message: 'the idempotency key was used before',
  }))
}

/** Another answer to an event that was published before. */
function repetitionAnswered(make: (rules: Rules) => Rules['publishedParts']): RuleChange {
  return (rules) => {
    const published = new Set<string>()
    const repeated = make(rules)
    return {
      ...rules,
      repetitionRefused: () => undefined,
      publishedParts: (event, context) => {
        const isNew = published.size < published.add(event.id).size
        return (isNew ? rules.publishedParts : repeated)(event, context)
      },
    }
  }
}

const repetitionAnsweredWith200 = repetitionAnswered(() => ({ id }) => {
  return jsonParts(200, { id, status: 'accepted before' }, 'application/json')
})

/** The same key publishes one event after the other. */
const repetitionPublished = repetitionAnswered((rules) => (event, context) => {
  const { store } = context.deployment
  const id = rules.newEventId(store.size + 1, context)
  const { type, payload } = event
  return rules.publishedParts(store.add({ id, type, payload, idempotencyKey: undefined }), context)
})

const anythingPublished: RuleChange = (rules) => ({
  ...rules,
  typeRefused: () => undefined,
  payloadRefused: () => undefined,
})

/** Other requests that are taken, and less that the operator tells. */
export const requestVariants: readonly Variant[] = [
  {
    name: 'event-key-mistold-inconclusive',
    verdict: 'inconclusive',
    environment: (environment) => ({
      ...environment,
      EVENT_PUBLISHING_API_KEY: 'key-of-last-year',
    }),
  },
  {
    name: 'event-base-url-and-key-alone',
    environment: (environment) => without(environment, /_(EVENT_\w+|REPLAY_BODY)$/),
  },
  {
    name: 'event-idempotency-key-mandatory',
    tolerances: [`${idempotencyKey}/mandatory-header`],
    change: replaceRule('idempotencyKeyRefused', () => (key) => {
      return key === undefined
        ? { status: 400, message: 'an Idempotency-Key is required' }
        : undefined
    }),
  },
  {
    name: 'event-idempotency-key-once',
    tolerances: repetition,
    change: repetitionRefusedWith(409),
  },
  {
    name: 'event-idempotency-key-once-422',
    tolerances: repetition,
    change: repetitionRefusedWith(422),
  },
  {
    name: 'event-idempotency-key-repeated-200',
    tolerances: repetition,
    change: repetitionAnsweredWith200,
  },
  {
    name: 'event-idempotency-key-ignored',
    tolerances: repetition,
    change: repetitionPublished,
  },
  { name: 'event-of-any-form-published', change: anythingPublished },
  {
    name: 'event-replay-needs-body',
    tolerances: [`${replay}/body-needed`],
    change: replayNeedsBody,
    environment: (environment) => ({
      ...environment,
      EVENT_PUBLISHING_REPLAY_BODY: JSON.stringify({ destination: 'all' }),
    }),
  },
  {
    name: 'event-replay-body-untold-inconclusive',
    verdict: 'inconclusive',
    tolerances: [`${replay}/body-needed`],
    unjudged: [replay],
    change: replayNeedsBody,
    environment: (environment) => without(environment, /_REPLAY_BODY$/),
  },
  {
    name: 'event-types-limited',
    tolerances: typesTolerated,
    change: typesLimited,
    environment: (environment) => ({
      ...environment,
      EVENT_PUBLISHING_EVENT_TYPE: allowedType,
      EVENT_PUBLISHING_EVENT_PAYLOAD: JSON.stringify({ invoice: 'F-17', lines: [{ amount: 1 }] }),
    }),
  },
  {
    name: 'event-types-limited-untold-inconclusive',
    verdict: 'inconclusive',
    tolerances: typesTolerated,
    unjudged: [`${publish}/accepted`],
    change: typesLimited,
    environment: (environment) => without(environment, /_EVENT_(TYPE|PAYLOAD)$/),
  },
]
