import { describe, expect, it } from 'vitest'
import { start, type TestClient } from '../test-client.fixture.ts'

const event = { type: 'order.shipped', payload: { order: 17 } }

function publish(client: TestClient, body: unknown = event, headers = {}) {
  const key = { 'X-Events-Key': client.variable('EVENT_PUBLISHING_API_KEY') }
  return client.send('POST /v1/events', { body, headers: { ...key, ...headers } })
}

describe('publishing', () => {
  it('gives an event an id, by which it is found and replayed', async () => {
    const client = await start()
    const { status, json } = await publish(client)
    expect([status, json]).toEqual([
      202,
      { id: expect.stringMatching(/^evt_/), status: 'accepted' },
    ])
    const headers = { 'X-Events-Key': client.variable('EVENT_PUBLISHING_API_KEY') }
    const path = `/v1/events/${Object(json).id}`
    for (const body of [undefined, '', '{}', 'text']) {
      expect(await client.status(`POST ${path}/replay`, { headers, body })).toBe(202)
    }
    const found = await client.send(`GET ${path}`, { headers })
    expect(found.json).toMatchObject({ status: 'delivered', attempts: 5 })
    expect(await client.status('GET /v1/events/evt_1', { headers })).toBe(404)
    expect(await client.status(`GET ${path}`)).toBe(401)
  })

  it('takes payloads of every form and types of words with dots alone', async () => {
    const client = await start()
    const payload = { nested: { values: [1.5, null, true, { text: 'Grüße 你好 🙂' }] }, '': '' }
    expect((await publish(client, { type: 'order.line.added', payload })).status).toBe(202)
    const wrong = [
      ...['', 'order', 'Order.shipped', 'order..shipped', 7, null].map((type) => ({
        ...event,
        type,
      })),
      ...[undefined, null, 'text', [[1]]].map((other) => ({ ...event, payload: other })),
      ...['', '{', '[]', 'null'],
    ]
    for (const body of wrong) {
      const { status, json } = await publish(client, body)
      expect([status, json]).toEqual([400, { error: expect.stringMatching(/./) }])
    }
  })

  it('answers an idempotency key as before, and refuses it with another event', async () => {
    const client = await start()
    const headers = { 'Idempotency-Key': 'same' }
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => publish(client, event, headers)),
    )
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect((await publish(client, event, { 'Idempotency-Key': 'other' })).text).not.toBe(
      answers[0]?.text,
    )
    expect((await publish(client, { ...event, payload: {} }, headers)).status).toBe(409)
  })
})
