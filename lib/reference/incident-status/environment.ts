import type { Environment } from '../service-variation.ts'
import { type Deployment, testIncidentId } from './deployment.ts'

/** The `INCIDENT_STATUS_*` variables with which everything that the deployment offers can be judged. */
export function incidentStatusEnvironment(deployment: Deployment): Environment {
  const update = { status: 'monitoring', message: 'Added by a conformance run' }
  return {
    INCIDENT_STATUS_BASE_URL: deployment.baseUrl,
    INCIDENT_STATUS_API_KEY: deployment.key,
    INCIDENT_STATUS_INCIDENT_ID: testIncidentId,
    INCIDENT_STATUS_UPDATE_BODY: JSON.stringify(update),
  }
}
