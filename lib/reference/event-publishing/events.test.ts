import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startAll } from '../test-client.fixture.ts'
import { EventClient, plainEvent } from './test-client.fixture.ts'

let client: EventClient

beforeAll(async () => {
  client = new EventClient(await startAll())
})
afterAll(() => client.reference.close())

describe('a published event', () => {
  it('has a delivery status, in which its replays are counted', async () => {
    const id = await client.newEventId()
    const status = { id, type: plainEvent.type, status: 'delivered' }
    const first = await client.status(id)
    expect(first.status).toBe(200)
    expect(first.json).toEqual({ ...status, attempts: 1 })
    const replay = await client.replay(id)
    expect(replay.status).toBe(202)
    expect(replay.json).toEqual({ id, status: 'replaying' })
    expect((await client.status(id)).json).toEqual({ ...status, attempts: 2 })
  })

  it('is replayed with any content and with none', async () => {
    const id = await client.newEventId()
    const path = `/v1/events/${id}/replay`
    for (const body of [undefined, '', '{}', 'text', '{"reason":"lost"}']) {
      const answer = await client.send(path, { method: 'POST', headers: client.key, body })
      expect(answer.status).toBe(202)
    }
  })

  it('is not known by another id', async () => {
    for (const answer of [await client.status('evt_1'), await client.replay('evt_1')]) {
      expect(answer.status).toBe(404)
      expect(answer.json).toEqual({ error: 'there is no such event' })
    }
  })
})

describe.each(['publish', 'status', 'replay'] as const)('the key of %s', (endpoint) => {
  const ask = async (headers: Record<string, string>, query = '') => {
    const sent = { headers }
    if (endpoint === 'publish') return client.publish(plainEvent, sent, query)
    return client[endpoint](await client.newEventId(), sent, query)
  }

  it('is needed', async () => {
    const empty: Record<string, string>[] = [{}, { 'X-Events-Key': '' }]
    for (const headers of empty) {
      const answer = await ask(headers)
      expect(answer.status).toBe(401)
      expect(answer.json).toEqual({ error: 'the X-Events-Key header is required' })
    }
  })

  it('is checked', async () => {
    const key = client.variable('API_KEY')
    for (const wrong of ['wrong', `${key}x`, key.slice(1), client.reference.origin]) {
      const answer = await ask({ 'X-Events-Key': wrong })
      expect(answer.status).toBe(401)
      expect(answer.json).toEqual({ error: 'the key is not valid' })
    }
  })

  it('is looked for in its header alone, whatever the case of the name', async () => {
    const key = client.variable('API_KEY')
    expect((await ask({ 'x-EVENTS-key': key })).status).toBeLessThan(300)
    const elsewhere: Record<string, string>[] = [
      { Authorization: `Bearer ${key}` },
      { Authorization: key },
      { 'X-Api-Key': key },
    ]
    for (const headers of elsewhere) expect((await ask(headers)).status).toBe(401)
    for (const name of ['key', 'X-Events-Key', 'api_key', 'access_token']) {
      expect((await ask({}, `?${name}=${key}`)).status).toBe(401)
    }
  })
})
