import { tolerance } from '../../tolerance-ids.ts'
import { type RuleChange, replaceRule } from '../rules.ts'
import type { Variant } from '../variant.ts'

const section = 'incident-status/updates'
const rows = ['credentials-required', 'key-checked', 'bearer-only'].map(
  (name) => `${section}/${name}`,
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
    const headers = new Headers({ Location: '/login', 'Content-Type': 'text/html' })
    return { status: 303, headers, body: '<a href="/login">See other</a>' }
  },
})

function errorsAs(contentType: string, body: (message: string) => string): RuleChange {
  return replaceRule('errorParts', () => ({ status, message }) => ({
    status,
    headers: new Headers({ 'Content-Type': contentType }),
    body: body(message),
  }))
}

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
    change: sentToSignIn,
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
    change: replaceRule('errorParts', () => ({ status }) => ({ status, headers: new Headers() })),
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
