import type { ResponseParts } from '../../http/response-parts.ts'
import type { Deployment } from '../deployment.ts'
import type { Fault } from '../fault.ts'
import { type RuleChange, replaceRule } from '../rules.ts'

const section = 'event-publishing/publish'

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
  return replaceRule('payloadRefused', (documented) => (payload, context) => {
    const refusal = documented(payload, context)
    return refusal === undefined && holds(payload, isFound) ? { status, message } : refusal
  })
}

/** Refuses each `Idempotency-Key` that matches. */
function idempotencyKeysRefused(refused: RegExp, status: number): RuleChange {
  return replaceRule('idempotencyKeyRefused', (documented) => (key, context) => {
    if (key === undefined || !refused.test(key)) return documented(key, context)
    return { status, message: 'the idempotency key is not valid' }
  })
}

/** Answers otherwise to what it accepts. */
function published(parts: (deployment: Deployment) => ResponseParts): RuleChange {
  return replaceRule(
    'publishedParts',
    () =>
      (_event, { deployment }) =>
        parts(deployment),
  )
}

const isContainer = (part: unknown) => typeof part === 'object' && part !== null
const isRecord = (part: unknown) => isContainer(part) && !Array.isArray(part)
const isNull = (part: unknown) => part === null
const isBeyondAscii = (part: unknown) => typeof part === 'string' && /\P{ASCII}/u.test(part)

/** Faults in what is published. */
export const publishingFaults: readonly Fault[] = [
  {
    name: 'event-publish-refused',
    requirements: [`${section}/accepted`],
    change: replaceRule('payloadRefused', () => () => ({
      status: 422,
      message: 'events of this type are not taken',
    })),
  },
  {
    name: 'event-publish-answered-with-500',
    requirements: [`${section}/accepted`],
    change: published(() => ({ status: 500, headers: new Headers() })),
  },
  {
    name: 'event-publish-answered-with-a-redirect',
    requirements: [`${section}/accepted`],
    change: published(({ baseUrl }) => ({
      status: 303,
      headers: new Headers({ Location: `${baseUrl}/v1/events` }),
    })),
  },
  {
    name: 'event-type-with-dots-refused',
    requirements: [`${section}/accepted`],
    change: replaceRule('typeRefused', () => (type) => {
      if (/^[a-z]+$/.test(String(type))) return undefined
      return { status: 422, message: 'type must be a single word' }
    }),
  },
  {
    name: 'event-publish-refused-with-idempotency-key',
    requirements: [`${section}/idempotency-key`],
    change: idempotencyKeysRefused(/^/, 400),
  },
  {
    name: 'event-idempotency-key-answered-with-500',
    requirements: [`${section}/idempotency-key`],
    change: idempotencyKeysRefused(/^/, 500),
  },
  {
    name: 'event-idempotency-key-must-be-a-number',
    requirements: [`${section}/idempotency-key`],
    change: idempotencyKeysRefused(/\D/, 422),
  },
  {
    name: 'event-nested-payload-answered-with-500',
    requirements: [`${section}/free-form-payload`],
    change: payloadsRefused(isRecord, 500, 'internal error'),
  },
  {
    name: 'event-payload-must-be-flat',
    requirements: [`${section}/free-form-payload`],
    change: payloadsRefused(isContainer, 422, 'payload must be flat'),
  },
  {
    name: 'event-payload-with-null-refused',
    requirements: [`${section}/free-form-payload`],
    change: payloadsRefused(isNull, 422, 'payload must not hold null'),
  },
  {
    name: 'event-payload-must-be-ascii',
    requirements: [`${section}/free-form-payload`],
    change: payloadsRefused(isBeyondAscii, 400, 'payload must be ASCII'),
  },
]
