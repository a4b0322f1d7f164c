import { refusalChanges } from '../../keyed-service/refusal-changes.ts'
import { tolerance } from '../../tolerance-ids.ts'
import type { RequestContext } from '../request-context.ts'
import { type Rules, replaceRule } from '../rules.ts'
import type { Variant } from '../variant.ts'

const section = 'incident-status/updates'
const rows = ['credentials-required', 'key-checked', 'bearer-only'].map(
  (name) => `${section}/${name}`,
)
const anyStatus = tolerance('any-refusal-status', rows)
const anyBody = tolerance('any-refusal-body', rows)

const { keyRefusedWith, sentToSignIn, errorsAs, errorsWithoutBody } = refusalChanges<
  RequestContext,
  Rules
>()

/** Other statuses and bodies of refusals. */
export const refusalVariants: readonly Variant[] = [
  ...[400, 403, 404, 500, 503].map((status) => ({
    name: `incident-key-refused-with-${status}`,
    tolerances: anyStatus,
    change: keyRefusedWith(status),
  })),
  {
    name: 'incident-key-refused-with-a-redirect',
    tolerances: [...anyStatus, ...anyBody],
    change: sentToSignIn({ status: 303, location: '/login', text: 'See other' }),
  },
  {
    name: 'incident-errors-in-plain-text',
    tolerances: anyBody,
    change: errorsAs('text/plain', (message) => message),
  },
  {
    name: 'incident-errors-as-web-pages',
    tolerances: anyBody,
    change: errorsAs('text/html', (message) => `<!doctype html><title>${message}</title>`),
  },
  {
    name: 'incident-errors-without-body',
    tolerances: anyBody,
    change: errorsWithoutBody,
  },
  {
    name: 'incident-lower-case-bearer-refused',
    tolerances: [`${section}/bearer-only/case-sensitive-scheme`],
    change: replaceRule(
      'accepts',
      (documented) => (presented, context) =>
        presented.name === 'Bearer' && documented(presented, context),
    ),
  },
  {
    name: 'incident-unknown-answered-with-410',
    change: replaceRule('missingIncident', (documented) => (context) => ({
      ...documented(context),
      status: 410,
    })),
  },
  {
    name: 'incident-made-by-its-first-update',
    change: replaceRule('timelineOf', (documented) => (incidentId, context) => {
      return documented(incidentId, context) ?? []
    }),
  },
]
