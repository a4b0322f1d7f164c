import type { Run } from '../../lib/conformance/probe-run.ts'
import type { FindingRecorder, ServiceDoctor } from '../../lib/doctor/examine.ts'
import { examineKey, respondsToKey } from '../../lib/doctor/reachability.ts'
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
  const withoutKey = () => get(anonymous)
  const place = { ...incidentStatusAddress, baseUrl, isDocumented: false }
  if (!(await respondsToKey(place, [withoutKey], notes))) return undefined
  if (apiKey === undefined) return {}
  const requests = { withoutKey, withKey: () => get(bearer(apiKey)) }
  const key = { variable: 'INCIDENT_STATUS_API_KEY', ifRejected: 'warning' } as const
  await notes.attempt(() => examineKey(requests, key, notes))
  return {}
}

export const incidentStatusDoctor: ServiceDoctor = { examine }
