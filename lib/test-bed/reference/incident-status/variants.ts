import { HttpError, responseParts } from '../http.ts'
import { fromSecondOn, keyedRejectionVariants } from '../keyed-changes.ts'
import { inSection, tolerance } from '../rule-tables.ts'
import { alter, type IncidentUpdate, type Rules, reject, uses } from './rules.ts'

const keyRequirements = inSection('updates', 'credentials-required', 'key-checked', 'bearer-only')
const announcedEmptiness = tolerance('announced-emptiness', 'updates/no-response-body')
const anyStatus = tolerance('any-success-status', 'updates/accepted', 'updates/no-response-body')

const respondWith = (...parts: Parameters<typeof responseParts>) => [
  { updatedParts: () => responseParts(...parts) },
]

const secondUpdateLimited = (status: number) => (rules: Rules) => ({
  updateError: fromSecondOn(rules.updateError, () => new HttpError(status, 'one update a minute')),
})

const emptiness = { 'Content-Length': '0' }

function updatesOfForm(
  update: Readonly<Record<string, unknown>>,
  updateIn: (content: Readonly<Record<string, unknown>>) => IncidentUpdate | undefined,
) {
  const environment = { INCIDENT_STATUS_UPDATE_BODY: JSON.stringify(update) }
  return { change: { updateIn }, environment }
}

export const variants = [
  keyedRejectionVariants(uses, 'incident', keyRequirements, 303, '/login'),
  uses([anyStatus, announcedEmptiness], {
    'incident-update-responds-with-200': respondWith(200),
  }),
  uses(announcedEmptiness, {
    'incident-update-responds-with-204-and-length-zero': respondWith(204, emptiness),
  }),
  uses('updates/accepted/any-update-form', {
    'incident-update-of-another-form': updatesOfForm(
      { phase: 'watching', notes: ['Ein Prüflauf'] },
      ({ phase, notes }) =>
        typeof phase === 'string' && Array.isArray(notes)
          ? { status: phase, message: notes.join(' ') }
          : undefined,
    ),
    'incident-update-nested': updatesOfForm(
      { update: { body: { text: 'Ein Prüflauf' }, notify: false } },
      (content) => {
        const message: unknown = Object(Object(content.update).body).text
        return typeof message === 'string' ? { status: 'none', message } : undefined
      },
    ),
  }),
  uses('updates/accepted/limited', {
    'incident-second-update-limited-with-409': secondUpdateLimited(409),
    'incident-second-update-limited-with-429': secondUpdateLimited(429),
  }),
  uses('updates/accepted/no-such-path', {
    'incident-removed-inconclusive': {
      unjudged: ['updates/accepted'],
      change: { timelineOf: () => undefined },
    },
  }),
  uses('updates/bearer-only/case-sensitive-scheme', {
    'incident-lower-case-bearer-rejected': ({ presentedKey }) => ({
      presentedKey: (context) =>
        context.headers.get('Authorization')?.startsWith('Bearer')
          ? presentedKey(context)
          : undefined,
    }),
  }),
  uses([], {
    'incident-update-body-unset': { environment: /^INCIDENT_STATUS_UPDATE_BODY$/ },
    'incident-key-wrong-inconclusive': {
      environment: { INCIDENT_STATUS_API_KEY: 'key-of-last-year' },
    },
    'incident-key-wrong-with-403-inconclusive': {
      change: reject('wrongKey', 403),
      environment: { INCIDENT_STATUS_API_KEY: 'key-of-last-year' },
    },
    'incident-created-by-its-first-update': alter('timelineOf', (timeline) => timeline ?? []),
  }),
].flat()
