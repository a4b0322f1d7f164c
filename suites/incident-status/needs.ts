import { type Need, skipFor, writing } from '../../lib/conformance/requirement.ts'

export const incidentStatusNeeds = {
  'incident status key': {
    variables: ['INCIDENT_STATUS_API_KEY'],
    advice: 'Set the API key of the incident status service.',
    isMet: ({ incidentStatus }) => incidentStatus?.apiKey !== undefined,
  },
  incident: {
    variables: ['INCIDENT_STATUS_INCIDENT_ID'],
    advice: 'Name an incident that is kept for tests.',
    isMet: ({ incidentStatus }) => incidentStatus?.incidentId !== undefined,
  },
  'update body': {
    variables: ['INCIDENT_STATUS_UPDATE_BODY'],
    advice: 'Set the JSON of an update that the incident status service accepts.',
    isMet: ({ incidentStatus }) => incidentStatus?.updateBody !== undefined,
  },
  writing: writing('a POST request'),
} as const satisfies Readonly<Record<string, Need>>

export type IncidentStatusNeed = keyof typeof incidentStatusNeeds

/** @throws Skip for want of something that a target may leave out */
export const needed = (name: IncidentStatusNeed): never => skipFor(incidentStatusNeeds, name)
