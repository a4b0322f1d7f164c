import { tolerance } from '../../tolerance-ids.ts'
import type { IncidentUpdate } from '../deployment.ts'
import { type RuleChange, replaceRule } from '../rules.ts'
import type { Environment, Variant } from '../variant.ts'

const section = 'incident-status/updates'
const rows = [`${section}/accepted`, `${section}/no-response-body`]
const anyStatus = tolerance('any-success-status', rows)
const announcedEmptiness = [`${section}/no-response-body/announced-emptiness`]

function answeredWith(
  status: number,
  fields: Readonly<Record<string, string>> = {},
  body?: string,
): RuleChange {
  return replaceRule('updatedParts', () => () => ({ status, headers: new Headers(fields), body }))
}

function without(environment: Environment, name: string): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([key]) => key !== name))
}

/** Updates of another form, of which the operator tells one. */
function updatesOfForm(
  update: Readonly<Record<string, unknown>>,
  read: (content: Readonly<Record<string, unknown>>) => IncidentUpdate | undefined,
): Omit<Variant, 'name'> {
  return {
    tolerances: [`${section}/accepted/any-update-form`],
    change: replaceRule('updateIn', () => read),
    environment: (environment) => ({
      ...environment,
      INCIDENT_STATUS_UPDATE_BODY: JSON.stringify(update),
    }),
  }
}

/** Other answers to an update, other updates, and less that the operator tells. */
export const updateVariants: readonly Variant[] = [
  ...[200, 201, 202].map((status) => ({
    name: `incident-update-answered-with-${status}`,
    tolerances: [...anyStatus, ...announcedEmptiness],
    change: answeredWith(status),
  })),
  {
    name: 'incident-update-answered-with-204-and-length-zero',
    tolerances: announcedEmptiness,
    change: answeredWith(204, { 'Content-Length': '0' }),
  },
  {
    name: 'incident-update-answered-with-empty-chunks',
    tolerances: [...anyStatus, ...announcedEmptiness],
    change: answeredWith(
      200,
      { 'Transfer-Encoding': 'chunked', 'Content-Type': 'application/json' },
      '',
    ),
  },
  {
    name: 'incident-update-of-another-form',
    ...updatesOfForm({ phase: 'watching', notes: ['Ein Prüflauf'] }, ({ phase, notes }) => {
      if (typeof phase !== 'string' || !Array.isArray(notes)) return undefined
      return { status: phase, message: notes.join(' ') }
    }),
  },
  {
    name: 'incident-update-nested',
    ...updatesOfForm({ update: { body: { text: 'Ein Prüflauf' }, notify: false } }, (content) => {
      const text: unknown = Object(Object(content.update).body).text
      return typeof text === 'string' ? { status: 'none', message: text } : undefined
    }),
  },
  {
    name: 'incident-update-empty',
    ...updatesOfForm({}, () => ({ status: 'none', message: '' })),
  },
  {
    name: 'incident-id-untold',
    environment: (environment) => without(environment, 'INCIDENT_STATUS_INCIDENT_ID'),
  },
  {
    name: 'incident-update-body-untold',
    environment: (environment) => without(environment, 'INCIDENT_STATUS_UPDATE_BODY'),
  },
  {
    name: 'incident-key-mistold-inconclusive',
    verdict: 'inconclusive',
    environment: (environment) => ({ ...environment, INCIDENT_STATUS_API_KEY: 'key-of-last-year' }),
  },
  {
    name: 'incident-key-untold',
    environment: (environment) => without(environment, 'INCIDENT_STATUS_API_KEY'),
  },
]
