import { keyedRefusalVariants } from '../keyed-variants.ts'
import { tolerance, variantsOf, withoutVariables, withVariables } from '../service.ts'
import type { Deployment, IncidentUpdate } from './deployment.ts'
import { type Rules, refused } from './rules.ts'

const section = 'incident-status/updates'
const keyRows = ['credentials-required', 'key-checked', 'bearer-only'].map(
  (name) => `${section}/${name}`,
)
const announcedEmptiness = [`${section}/no-response-body/announced-emptiness`]
const anyStatus = tolerance('any-success-status', [
  `${section}/accepted`,
  `${section}/no-response-body`,
])

function answeredWith(
  status: number,
  fields: Readonly<Record<string, string>> = {},
  body?: string,
): Partial<Rules> {
  return { updatedParts: () => ({ status, headers: new Headers(fields), body }) }
}

/** Updates of another form, of which the operator configures one. */
function updatesOfForm(
  update: Readonly<Record<string, unknown>>,
  updateIn: (content: Readonly<Record<string, unknown>>) => IncidentUpdate | undefined,
) {
  return {
    tolerances: [`${section}/accepted/any-update-form`],
    change: { updateIn },
    environment: withVariables({ INCIDENT_STATUS_UPDATE_BODY: JSON.stringify(update) }),
  }
}

/** Every conforming incident status service that the reference can be started with. */
export const variants = variantsOf<Rules, Deployment>({
  ...Object.fromEntries(
    [200, 201, 202].map((status) => [
      `incident-update-answered-with-${status}`,
      { tolerances: [...anyStatus, ...announcedEmptiness], change: answeredWith(status) },
    ]),
  ),
  'incident-update-answered-with-204-and-length-zero': {
    tolerances: announcedEmptiness,
    change: answeredWith(204, { 'Content-Length': '0' }),
  },
  'incident-update-answered-with-empty-chunks': {
    tolerances: [...anyStatus, ...announcedEmptiness],
    change: answeredWith(
      200,
      { 'Transfer-Encoding': 'chunked', 'Content-Type': 'application/json' },
      '',
    ),
  },
  'incident-update-of-another-form': updatesOfForm(
    { phase: 'watching', notes: ['Ein Prüflauf'] },
    ({ phase, notes }) => {
      if (typeof phase !== 'string' || !Array.isArray(notes)) return undefined
      return { status: phase, message: notes.join(' ') }
    },
  ),
  'incident-update-nested': updatesOfForm(
    { update: { body: { text: 'Ein Prüflauf' }, notify: false } },
    (content) => {
      const text: unknown = Object(Object(content.update).body).text
      return typeof text === 'string' ? { status: 'none', message: text } : undefined
    },
  ),
  'incident-update-empty': updatesOfForm({}, () => ({ status: 'none', message: '' })),
  'incident-id-untold': {
    environment: withoutVariables(/^INCIDENT_STATUS_INCIDENT_ID$/),
  },
  'incident-update-body-untold': {
    environment: withoutVariables(/^INCIDENT_STATUS_UPDATE_BODY$/),
  },
  'incident-key-mistold-inconclusive': {
    verdict: 'inconclusive',
    environment: withVariables({ INCIDENT_STATUS_API_KEY: 'key-of-last-year' }),
  },
  'incident-key-untold': {
    environment: withoutVariables(/^INCIDENT_STATUS_API_KEY$/),
  },
  ...keyedRefusalVariants<Rules, Deployment>('incident', keyRows, {
    status: 303,
    location: '/login',
    text: 'See other',
  }),
  'incident-lower-case-bearer-refused': {
    tolerances: [`${section}/bearer-only/case-sensitive-scheme`],
    change: (rules) => ({
      accepts: (presented, context) =>
        presented.name === 'Bearer' && rules.accepts(presented, context),
    }),
  },
  'incident-unknown-answered-with-410': { change: refused('missingIncident', { status: 410 }) },
  'incident-made-by-its-first-update': {
    change: (rules) => ({
      timelineOf: (incidentId, context) => rules.timelineOf(incidentId, context) ?? [],
    }),
  },
})
