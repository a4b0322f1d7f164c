import { replaceRule } from './rules.ts'
import type { Environment, Variant } from './variant.ts'

function without(environment: Environment, name: string): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([key]) => key !== name))
}

/** Every conforming incident status service that the reference can be started with. */
export const incidentStatusVariants: readonly Variant[] = [
  ...[200, 201, 202].map((status) => ({
    name: `incident-update-answered-with-${status}`,
    change: replaceRule('updatedParts', () => () => ({ status, headers: new Headers() })),
  })),
  {
    name: 'incident-key-refused-with-403',
    change: (rules) => ({
      ...rules,
      missingKey: (context) => ({ ...rules.missingKey(context), status: 403 }),
      wrongKey: (context) => ({ ...rules.wrongKey(context), status: 403 }),
    }),
  },
  {
    name: 'incident-errors-in-plain-text',
    change: replaceRule('errorParts', () => ({ status, message }) => ({
      status,
      headers: new Headers({ 'Content-Type': 'text/plain' }),
      body: message,
    })),
  },
  {
    name: 'incident-lower-case-bearer-refused',
    change: replaceRule(
      'accepts',
      (documented) => (presented, context) =>
        presented.name === 'Bearer' && documented(presented, context),
    ),
  },
  {
    name: 'incident-update-of-another-form',
    change: replaceRule('updateIn', () => ({ phase, notes }) => {
      if (typeof phase !== 'string' || !Array.isArray(notes)) return undefined
      return { status: phase, message: notes.join(' ') }
    }),
    environment: (environment) => ({
      ...environment,
      INCIDENT_STATUS_UPDATE_BODY: JSON.stringify({ phase: 'watching', notes: ['Ein Prüflauf'] }),
    }),
  },
  {
    name: 'incident-id-untold',
    environment: (environment) => without(environment, 'INCIDENT_STATUS_INCIDENT_ID'),
  },
  {
    name: 'incident-update-body-untold',
    environment: (environment) => without(environment, 'INCIDENT_STATUS_UPDATE_BODY'),
  },
]
