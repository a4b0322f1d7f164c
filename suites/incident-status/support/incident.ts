import { checkSettings, skip } from '../../../lib/conformance/check-errors.ts'
import { isSuccess } from '../../../lib/conformance/contrast.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { createKeyedCases, type KeyedSendOptions } from '../../../lib/conformance/keyed-cases.ts'
import { retryLostResponse, untilAccepted } from '../../../lib/conformance/retry-lost-responses.ts'
import { currentRun, type Run } from '../../../lib/conformance/run.ts'
import { bearer, type Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { serviceIn } from '../../service.ts'
import { createIncidentStatusClient } from '../client.ts'
import { skipUnmetNeed } from '../requirements.ts'

export function createIncidentContext(run: Run = currentRun()) {
  const target = serviceIn(run.settings.target, 'incidentStatus')
  const client = createIncidentStatusClient(target.baseUrl, (request) =>
    run.send('incident-status', request),
  )
  /** Returns the API key. @throws Skip if none is configured */
  const apiKey = () => target.apiKey ?? skipUnmetNeed('incident status key')

  async function send(options: KeyedSendOptions, incidentId = target.incidentId) {
    const id = incidentId ?? skipUnmetNeed('test incident')
    return client.update(id, { ...options, body: target.updateBody })
  }

  /** Sends another update. */
  const updateWith = (credentials: Credentials, incidentId?: string) =>
    retryLostResponse(run, () => send({ credentials }, incidentId))

  /** Response to the configured update. */
  const update = fixture('update of the incident', async () => {
    const credentials = bearer(apiKey())
    if (target.updateBody === undefined) return skipUnmetNeed('update body')
    return untilAccepted(run, () => send({ credentials }))
  })

  /** Response to the configured update for an incident that does not exist. */
  const updateOfUnknown = fixture('update of an unknown incident', async () =>
    updateWith(bearer(apiKey()), `plumbline-${run.settings.runId}-unknown`),
  )

  const keyed = createKeyedCases<'update'>(run, {
    variable: 'INCIDENT_STATUS_API_KEY',
    key: apiKey,
    place: bearer,
    otherFields: ['X-Api-Key', 'Api-Key', 'X-Events-Key'],
    only: {
      repeated: [],
      'the key after a scheme': [],
      'the key with the scheme Bearer': [],
      'the key with the scheme ApiKey': [],
    },
    endpoints: { update: { control: update, send: (options) => send(options) } },
  })

  /** @throws Inconclusive if a rejected update proves nothing about the service */
  async function requireConclusive({ status }: Exchange): Promise<void> {
    if (status === 401) {
      checkSettings(['INCIDENT_STATUS_API_KEY'], 'the server rejects the key with 401')
    }
    // A gateway, or a service without 401, responds to every key like this.
    if (status === 403 && (await keyed.exchange('update', 'a wrong key')).status === 403) {
      checkSettings(['INCIDENT_STATUS_API_KEY'], 'the update returned 403, as with a wrong key')
    }
    // A missing incident, path or method looks the same as a wrong setting.
    if ([404, 405, 410, 501].includes(status)) {
      checkSettings(
        ['INCIDENT_STATUS_BASE_URL', 'INCIDENT_STATUS_INCIDENT_ID'],
        `the update returned ${status}, like an unknown path or incident`,
      )
    }
  }

  /** @throws Skip if the server rejects the configured update */
  async function needsUpdates(): Promise<void> {
    const response = await update()
    const { status } = response
    if (!isSuccess(response)) skip(`needs an accepted update, and the update returned ${status}`)
  }

  return {
    target,
    apiKey,
    update,
    updateWith,
    updateOfUnknown,
    keyed,
    requireConclusive,
    needsUpdates,
  }
}
