import {
  type KeyedRequest,
  keyedRequest,
  keyInQuery,
  nearlyRightKeys,
  wrongKey,
} from '../../../lib/conformance/api-key.ts'
import { isSuccess } from '../../../lib/conformance/contrast.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { untilAccepted, untilAnswered } from '../../../lib/conformance/lost-answers.ts'
import { inconclusive, skip } from '../../../lib/conformance/outcome.ts'
import type { Run } from '../../../lib/conformance/run.ts'
import {
  authorization,
  bareAuthorization,
  basic,
  bearer,
  type Credentials,
  headerKey,
} from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import type { IncidentStatusClient } from '../client.ts'
import { needed } from '../needs.ts'
import type { IncidentStatusTarget } from '../variables.ts'

/** What the checks of the incident status service share. */
export interface Incident {
  /** Throws `Skip` when no key is configured. */
  apiKey(): string
  /** The configured update, and what varies of it. */
  update: KeyedRequest
  /** The update with these credentials. */
  updateWith(credentials: Credentials): Promise<Exchange>
  /** @throws Skip when the configured update is not accepted, so that no other one tells anything */
  needsUpdates(): Promise<void>
  /** @throws Inconclusive when a refused update says nothing about the deployment */
  requireTelling(update: Exchange): void
  /** An update of an incident that is not there. */
  updateOfUnknown(): Promise<Exchange>
}

export function createIncident(
  run: Run,
  target: IncidentStatusTarget,
  client: IncidentStatusClient,
): Incident {
  const { redactor } = run
  const apiKey = () => target.apiKey ?? needed('incident status key')
  const incidentId = () => target.incidentId ?? needed('incident')

  const updateWith = async (credentials: Credentials) =>
    client.update(incidentId(), { credentials, body: target.updateBody })

  const control = fixture('update of the incident', async () => {
    const credentials = bearer(apiKey())
    incidentId()
    if (target.updateBody === undefined) return needed('update body')
    return untilAccepted(run, () => updateWith(credentials))
  })

  function requireTelling({ status }: Exchange): void {
    if (status === 401) {
      inconclusive('the key is refused with 401: check INCIDENT_STATUS_API_KEY')
    }
  }

  return {
    apiKey,
    requireTelling,
    async needsUpdates() {
      const update = await control()
      if (!isSuccess(update)) skip(`needs an update, which was answered with ${update.status}`)
    },
    updateWith: (credentials) => untilAnswered(run, () => updateWith(credentials)),
    update: keyedRequest(run, 'update', control, updateWith, {
      wrongKey: () => bearer(wrongKey),
      nearlyRight: nearlyRightKeys(redactor, 'INCIDENT_STATUS_API_KEY', apiKey).map(
        (vary) => () => bearer(vary()),
      ),
      elsewhere: [
        () => basic(apiKey(), ''),
        () => basic('plumbline', apiKey()),
        () => authorization('token', apiKey()),
        () => bareAuthorization(apiKey()),
        () => headerKey('X-Api-Key', apiKey()),
        () => headerKey('X-Events-Key', apiKey()),
        () => keyInQuery(apiKey()),
      ],
    }),
    updateOfUnknown: fixture('update of an unknown incident', async () => {
      const request = { credentials: bearer(apiKey()), body: target.updateBody }
      return untilAnswered(run, () =>
        client.update(`plumbline-${run.settings.runId}-unknown`, request),
      )
    }),
  }
}
