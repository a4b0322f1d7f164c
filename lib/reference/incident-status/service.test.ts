import { describe, expect, it } from 'vitest'
import { start, type TestClient } from '../test-client.fixture.ts'

function update(client: TestClient, body: unknown, incidentId = 'INC-2031') {
  const as = `Bearer ${client.variable('INCIDENT_STATUS_API_KEY')}`
  return client.send(`POST /v1/incidents/${incidentId}/updates`, { as, body })
}

describe('an update', () => {
  it('is added without content to an incident that is there', async () => {
    const client = await start()
    const body = client.variable('INCIDENT_STATUS_UPDATE_BODY')
    const { status, text, headers } = await update(client, body)
    expect([status, text, headers.get('Content-Length')]).toEqual([204, '', null])
    expect((await update(client, body, 'INC-1')).status).toBe(404)
  })

  it('has a status and a message', async () => {
    const client = await start()
    for (const body of ['', '{', '[]', {}, { status: 'a' }, { status: 1, message: 'b' }]) {
      const { status, json } = await update(client, body)
      expect([status, json]).toEqual([400, { error: expect.stringMatching(/./) }])
    }
  })
})
