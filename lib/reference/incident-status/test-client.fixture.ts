import type { RunningReference } from '../start-reference.ts'
import { type Answer, type RequestParts, ServiceClient } from '../test-client.fixture.ts'
import { testIncidentId } from './deployment.ts'

/** Speaks to the incident status service of a reference deployment in its tests. */
export class IncidentClient extends ServiceClient {
  constructor(reference: RunningReference) {
    super(reference, 'incident-status')
  }

  update(
    parts: RequestParts = {},
    incidentId: string = testIncidentId,
    query = '',
  ): Promise<Answer> {
    return this.send(`/v1/incidents/${encodeURIComponent(incidentId)}/updates${query}`, {
      method: 'POST',
      body: { status: 'monitoring', message: 'It is being watched' },
      ...parts,
    })
  }

  /** The value of an `Authorization` header with the key as bearer. */
  get bearer(): string {
    return `Bearer ${this.variable('API_KEY')}`
  }

  /** The value of an `Authorization` header of that user and password. */
  basic(username: string, password: string): string {
    return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  }
}
