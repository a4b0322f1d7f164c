import type { ResponseParts } from '../../http/response-parts.ts'
import { tolerance } from '../../tolerance-ids.ts'
import { type RuleChange, replaceRule } from '../rules.ts'
import type { Variant } from '../variant.ts'

const rows = ['publish', 'status', 'replay'].flatMap((endpoint) =>
  ['key-required', 'key-checked', 'key-in-header'].map(
    (name) => `event-publishing/${endpoint}/${name}`,
  ),
)
const anyStatus = tolerance('any-refusal-status', rows)
const anyBody = tolerance('any-refusal-body', rows)

function keyRefusedWith(status: number): RuleChange {
  return (rules) => ({
    ...rules,
    missingKey: (context) => ({ ...rules.missingKey(context), status }),
    wrongKey: (context) => ({ ...rules.wrongKey(context), status }),
  })
}

/** Whoever has no key is sent to a page where people sign in. */
const sentToSignIn: RuleChange = (rules) => ({
  ...keyRefusedWith(401)(rules),
  errorParts: (refusal, context) => {
    if (refusal.status !== 401) return rules.errorParts(refusal, context)
    const headers = new Headers({ Location: '/login?then=%2F', 'Content-Type': 'text/html' })
    return { status: 302, headers, body: '<a href="/login?then=%2F">Found</a>' }
  },
})

function errorsAs(contentType: string, body: (message: string) => string): RuleChange {
  return replaceRule('errorParts', () => ({ status, message }): ResponseParts => {
    const headers = new Headers({ 'Content-Type': contentType })
    return { status, headers, body: body(message) }
  })
}

/** Unknown events have a delivery status too. */
const statusOfUnknownEvents = replaceRule('eventWithId', (documented) => (id, context) => {
  const nothing = { id, type: 'unknown', payload: {}, idempotencyKey: undefined, attempts: 0 }
  return documented(id, context) ?? nothing
})

/** Other statuses and bodies of refusals. */
export const refusalVariants: readonly Variant[] = [
  ...[400, 403, 404, 500, 503].map((status) => ({
    name: `event-key-refused-with-${status}`,
    tolerances: anyStatus,
    change: keyRefusedWith(status),
  })),
  {
    name: 'event-key-refused-with-a-redirect',
    tolerances: [...anyStatus, ...anyBody],
    change: sentToSignIn,
  },
  {
    name: 'event-missing-key-answered-with-500',
    tolerances: anyStatus,
    change: replaceRule('missingKey', (documented) => (context) => ({
      ...documented(context),
      status: 500,
    })),
  },
  {
    name: 'event-errors-in-plain-text',
    tolerances: anyBody,
    change: errorsAs('text/plain', (message) => message),
  },
  {
    name: 'event-errors-as-web-pages',
    tolerances: anyBody,
    change: errorsAs('text/html', (message) => `<!doctype html><title>${message}</title>`),
  },
  {
    name: 'event-errors-as-problems',
    tolerances: anyBody,
    change: errorsAs('application/problem+json', (title) =>
      JSON.stringify({ type: 'about:blank', title, errors: [null] }),
    ),
  },
  {
    name: 'event-errors-without-body',
    tolerances: anyBody,
    change: replaceRule('errorParts', () => ({ status }) => ({ status, headers: new Headers() })),
  },
  {
    name: 'event-unknown-answered-with-410',
    change: replaceRule('missingEvent', (documented) => (context) => ({
      ...documented(context),
      status: 410,
    })),
  },
  { name: 'event-unknown-answered-with-200', change: statusOfUnknownEvents },
]
