import type { Run } from '../../lib/conformance/probe-run.ts'
import type { FindingRecorder, ServiceDoctor } from '../../lib/doctor/examine.ts'
import { examineKeyed } from '../../lib/doctor/reachability.ts'
import { anonymous, bearer, type Credentials } from '../../lib/probe/credentials.ts'
import { serviceIn } from '../service.ts'
import { incidentStatusAddress } from './variables.ts'

/** The document defines no GET, so this checks only that the server responds and may accept the key. */
async function examine(run: Run, notes: FindingRecorder): Promise<object | undefined> {
  const { apiKey, baseUrl, incidentId } = serviceIn(run.settings.target, 'incidentStatus')
  const incident = encodeURIComponent(incidentId ?? `plumbline-${run.settings.runId}`)
  const url = new URL(`${baseUrl}/v1/incidents/${incident}/updates`)
  const get = (credentials: Credentials) =>
    run.send('incident-status', { method: 'GET', url, credentials })
  const service = {
    ...incidentStatusAddress,
    baseUrl,
    key: 'INCIDENT_STATUS_API_KEY',
    isDocumented: false,
  }
  const requests = {
    withoutKey: () => get(anonymous),
    withKey: apiKey === undefined ? undefined : () => get(bearer(apiKey)),
  }
  return (await examineKeyed(service, requests, notes)) ? {} : undefined
}

export const incidentStatusDoctor: ServiceDoctor = { examine }
