import { refusalChanges } from '../../keyed-service/refusal-changes.ts'
import { tolerance } from '../../tolerance-ids.ts'
import type { RequestContext } from '../request-context.ts'
import { type Rules, replaceRule } from '../rules.ts'
import type { Variant } from '../variant.ts'

const rows = ['publish', 'status', 'replay'].flatMap((endpoint) =>
  ['key-required', 'key-checked', 'key-in-header'].map(
    (name) => `event-publishing/${endpoint}/${name}`,
  ),
)
const anyStatus = tolerance('any-refusal-status', rows)
const anyBody = tolerance('any-refusal-body', rows)

const { keyRefusedWith, sentToSignIn, errorsAs, errorsWithoutBody } = refusalChanges<
  RequestContext,
  Rules
>()

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
    change: sentToSignIn({ status: 302, location: '/login?then=%2F', text: 'Found' }),
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
    change: errorsWithoutBody,
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
