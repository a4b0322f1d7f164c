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
    name: 'event-publish-refused-with-idempotency-key',
    requirements: [`${section}/idempotency-key`],
    change: replaceRule('idempotencyKeyRefused', () => (key) => {
      return key === undefined ? undefined : { status: 400, message: 'unknown header' }
    }),
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
