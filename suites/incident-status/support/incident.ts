import { checkSettings, skip } from '../../../lib/conformance/check-errors.ts'
import { isSuccess } from '../../../lib/conformance/contrast.ts'
import { fixture } from '../../../lib/conformance/fixture.ts'
import { KeyedCases, type KeyedSendOptions } from '../../../lib/conformance/keyed-cases.ts'
import type { Run } from '../../../lib/conformance/probe-run.ts'
import { retryLostResponse, untilAccepted } from '../../../lib/conformance/retry-lost-responses.ts'
import { bearer, type Credentials } from '../../../lib/probe/credentials.ts'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { createIncidentStatusClient } from '../client.ts'
import { incidentTable } from '../keyed-table.ts'
import { skipUnmetNeed } from '../requirements.ts'
import type { IncidentStatusTarget } from '../variables.ts'

export class Incident {
  readonly #run: Run
  readonly #target: IncidentStatusTarget
  readonly #send: (options: KeyedSendOptions, incidentId?: string) => Promise<Exchange>
  /** Configured update. */
  readonly update: () => Promise<Exchange>
  /** Updates with other keys, and a second one. */
  readonly keyed: KeyedCases<'update', keyof typeof incidentTable.rules>

  constructor(run: Run, target: IncidentStatusTarget) {
    this.#run = run
    this.#target = target
    const client = createIncidentStatusClient(target.baseUrl, (request) =>
      run.send('incident-status', request),
    )
    this.#send = async (options, incidentId = target.incidentId) => {
      const id = incidentId ?? skipUnmetNeed('test incident')
      return client.update(id, { ...options, body: target.updateBody })
    }
    this.update = fixture('update of the incident', async () => {
      const credentials = bearer(this.apiKey())
      if (target.updateBody === undefined) return skipUnmetNeed('update body')
      return untilAccepted(run, () => this.#send({ credentials }))
    })
    this.keyed = new KeyedCases(run, incidentTable, () => this.apiKey(), {
      update: {
        control: (payload) => (payload ? this.furtherUpdate() : this.update()),
        send: (options) => this.#send(options),
      },
    })
  }

  /** The API key. @throws Skip if none is configured */
  apiKey(): string {
    return this.#target.apiKey ?? skipUnmetNeed('incident status key')
  }

  /** @throws Inconclusive if a rejected update proves nothing about the service */
  async requireConclusive({ status }: Exchange): Promise<void> {
    if (status === 401) {
      checkSettings(['INCIDENT_STATUS_API_KEY'], 'the server rejects the key with 401')
    }
    // A gateway, or a service without 401, responds to every key like this.
    if (status === 403 && (await this.keyed.exchange('update', 'a wrong key')).status === 403) {
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
  async needsUpdates(): Promise<void> {
    const update = await this.update()
    if (!isSuccess(update)) {
      skip(`needs an accepted update, and the update returned ${update.status}`)
    }
  }

  /** Sends a third update after two, without any request in between that a server might count. */
  readonly furtherUpdate = fixture('third update', async () => {
    await this.needsUpdates()
    await this.keyed.exchange('update', 'the key', true)
    return untilAccepted(this.#run, () =>
      this.#send({ credentials: bearer(this.apiKey()), fresh: true }),
    )
  })

  async updateWith(credentials: Credentials): Promise<Exchange> {
    await this.furtherUpdate().catch(() => undefined)
    return retryLostResponse(this.#run, () => this.#send({ credentials }))
  }

  /** Response to the configured update for an incident that does not exist. */
  readonly updateOfUnknown = fixture('update of an unknown incident', async () => {
    const credentials = bearer(this.apiKey())
    await this.furtherUpdate().catch(() => undefined)
    const unknown = `plumbline-${this.#run.settings.runId}-unknown`
    return retryLostResponse(this.#run, () => this.#send({ credentials }, unknown))
  })
}
