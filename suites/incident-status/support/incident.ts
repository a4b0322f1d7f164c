import { type KeyedRequest, keyedRequests, keyInQuery } from '../../../lib/conformance/api-key.ts'
import { checkSettings, skip } from '../../../lib/conformance/check-errors.ts'
import { isSuccess } from '../../../lib/conformance/contrast.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { retryLostResponse, untilAccepted } from '../../../lib/conformance/retry-lost-responses.ts'
import { currentRun } from '../../../lib/conformance/run.ts'
import {
  authorization,
  basic,
  bearer,
  type Credentials,
  headerKey,
} from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { serviceIn } from '../../service.ts'
import { createIncidentStatusClient } from '../client.ts'
import { skipUnmetNeed } from '../needs.ts'

export interface Incident {
  /** The API key. @throws Skip if none is configured */
  apiKey(): string
  /** @throws Inconclusive if a rejected update proves nothing about the service */
  requireConclusive(update: Exchange): Promise<void>
  /** @throws Skip if the server rejects the configured update */
  needsUpdates(): Promise<void>
  updateWith(credentials: Credentials): Promise<Exchange>
  /** Configured update, and its variations. */
  readonly update: KeyedRequest
  /** Response to the configured update for an incident that does not exist. */
  updateOfUnknown(): Promise<Exchange>
}

export function createIncidentStatusContext() {
  const run = currentRun()
  const target = serviceIn(run.settings.target, 'incidentStatus')
  const client = createIncidentStatusClient(target.baseUrl, (request) =>
    run.send('incident-status', request),
  )
  const apiKey = () => target.apiKey ?? skipUnmetNeed('incident status key')
  const incidentId = () => target.incidentId ?? skipUnmetNeed('test incident')

  const updateWith = async (credentials: Credentials) =>
    client.update(incidentId(), { credentials, body: target.updateBody })

  const control = fixture('update of the incident', async () => {
    const credentials = bearer(apiKey())
    if (target.updateBody === undefined) return skipUnmetNeed('update body')
    return untilAccepted(run, () => updateWith(credentials))
  })

  const keyed = keyedRequests(run, {
    variable: 'INCIDENT_STATUS_API_KEY',
    key: apiKey,
    place: bearer,
    elsewhere: [
      // In both parts: the document states neither.
      (key) => basic(key, key),
      (key) => authorization('token', key),
      (key) => headerKey('Authorization', key),
      (key) => headerKey('X-Api-Key', key),
      (key) => headerKey('X-Events-Key', key),
      keyInQuery,
    ],
  })

  const updateWithKey = keyed('update', control, updateWith)

  const incident: Incident = {
    apiKey,
    async requireConclusive({ status }) {
      if (status === 401) {
        checkSettings(['INCIDENT_STATUS_API_KEY'], 'the server rejects the key with 401')
      }
      // A gateway, or a service without 401, responds to every key like this.
      if (status === 403 && (await updateWithKey.withWrongKey()).status === 403) {
        checkSettings(['INCIDENT_STATUS_API_KEY'], 'the update returned 403, as with a wrong key')
      }
      // A missing incident, path or method looks the same as a wrong setting.
      if ([404, 405, 410, 501].includes(status)) {
        checkSettings(
          ['INCIDENT_STATUS_BASE_URL', 'INCIDENT_STATUS_INCIDENT_ID'],
          `the update returned ${status}, like an unknown path or incident`,
        )
      }
    },
    async needsUpdates() {
      const update = await control()
      if (!isSuccess(update))
        skip(`needs an accepted update, and the update returned ${update.status}`)
    },
    updateWith: (credentials) => retryLostResponse(run, () => updateWith(credentials)),
    update: updateWithKey,
    updateOfUnknown: fixture('update of an unknown incident', async () => {
      const request = { credentials: bearer(apiKey()), body: target.updateBody }
      return retryLostResponse(run, () =>
        client.update(`plumbline-${run.settings.runId}-unknown`, request),
      )
    }),
  }
  return { target, incident }
}
