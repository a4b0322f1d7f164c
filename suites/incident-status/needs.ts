import { type Need, skipFor, writing } from '../../lib/conformance/requirement.ts'
import { incidentStatusVariables } from './variables.ts'

const reported = (place: 'apiKey' | 'incidentId' | 'updateBody', advice: string): Need => ({
  variables: [incidentStatusVariables.table[place].name],
  advice,
  isMet: ({ incidentStatus }) => incidentStatus?.[place] !== undefined,
})

export const incidentStatusNeeds = {
  'incident status key': reported('apiKey', 'Set the API key of the incident status service.'),
  incident: reported('incidentId', 'Name an incident that is kept for tests.'),
  'update body': reported('updateBody', 'Set the JSON of an update that the service accepts.'),
  writing,
} as const satisfies Readonly<Record<string, Need>>

export type IncidentStatusNeed = keyof typeof incidentStatusNeeds

/** @throws Skip for want of something that a target may leave out */
export const needed = (name: IncidentStatusNeed): never => skipFor(incidentStatusNeeds, name)
