import { requireService } from '../../../lib/conformance/require-service.ts'
import { currentRun } from '../../../lib/conformance/run.ts'
import { createIncidentStatusClient } from '../client.ts'
import type { IncidentStatusTarget } from '../variables.ts'
import { createIncident, type Incident } from './incident.ts'

/** What the checks of the incident status service have at hand. */
export interface IncidentStatusContext {
  target: IncidentStatusTarget
  incident: Incident
}

export function isIncidentStatusProbed(): boolean {
  return currentRun().settings.target.incidentStatus !== undefined
}

export function createIncidentStatusContext(): IncidentStatusContext {
  const run = currentRun()
  const target = run.settings.target.incidentStatus
  if (target === undefined) throw new Error('the target has no incident status service')
  const client = createIncidentStatusClient(target.baseUrl, (request) =>
    run.send('incident-status', request),
  )
  return { target, incident: createIncident(run, target, client) }
}

export function incidentStatusPreflight({
  target,
  incident,
}: IncidentStatusContext): Promise<void> {
  const { withoutKey, control } = incident.update
  return requireService(target.baseUrl, 'INCIDENT_STATUS_BASE_URL', withoutKey, control)
}
