import { type RuleChange, replaceRule } from '../rules.ts'
import type { Environment, Variant } from '../variant.ts'

const allowedType = 'invoice.paid'

const replayNeedsBody = replaceRule('replayRefused', () => (content) => {
  if (content.includes('"destination"')) return undefined
  return { status: 400, message: 'a destination is required' }
})

const typesLimited: RuleChange = replaceRule('typeRefused', () => (type) => {
  return type === allowedType ? undefined : { status: 422, message: 'the type is not allowed' }
})

function without(environment: Environment, pattern: RegExp): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !pattern.test(name)))
}

/** Other requests that are taken, and less that the operator tells. */
export const requestVariants: readonly Variant[] = [
  {
    name: 'event-base-url-and-key-alone',
    environment: (environment) => without(environment, /_(EVENT_\w+|REPLAY_BODY)$/),
  },
  {
    name: 'event-idempotency-key-mandatory',
    change: replaceRule('idempotencyKeyRefused', () => (key) => {
      return key === undefined
        ? { status: 400, message: 'an Idempotency-Key is required' }
        : undefined
    }),
  },
  {
    name: 'event-idempotency-key-once',
    change: replaceRule('repetitionRefused', () => () => ({
      status: 409,
      message: 'the idempotency key was used before',
    })),
  },
  {
    name: 'event-replay-needs-body',
    change: replayNeedsBody,
    environment: (environment) => ({
      ...environment,
      EVENT_PUBLISHING_REPLAY_BODY: JSON.stringify({ destination: 'all' }),
    }),
  },
  {
    name: 'event-replay-body-untold-inconclusive',
    verdict: 'inconclusive',
    change: replayNeedsBody,
    environment: (environment) => without(environment, /_REPLAY_BODY$/),
  },
  {
    name: 'event-types-limited',
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
    change: typesLimited,
    environment: (environment) => without(environment, /_EVENT_(TYPE|PAYLOAD)$/),
  },
]
