import { type Need, skipFor, writing } from '../../lib/conformance/requirement.ts'
import { incidentStatusVariables } from './variables.ts'

const settingNeed = (key: 'apiKey' | 'incidentId' | 'updateBody', advice: string): Need => ({
  variables: [incidentStatusVariables.table[key].name],
  advice,
  isMet: ({ incidentStatus }) => incidentStatus?.[key] !== undefined,
})

export const incidentStatusNeeds = {
  'incident status key': settingNeed('apiKey', 'Set the API key of the incident status service.'),
  'test incident': settingNeed(
    'incidentId',
    'Set the ID of an incident that is reserved for tests.',
  ),
  'update body': settingNeed('updateBody', 'Set the JSON of an update that the server accepts.'),
  'write requests': writing,
} as const satisfies Readonly<Record<string, Need>>

export type IncidentStatusNeed = keyof typeof incidentStatusNeeds

/** @throws Skip with the variables of the unmet need */
export const skipUnmetNeed = (name: IncidentStatusNeed): never => skipFor(incidentStatusNeeds, name)
