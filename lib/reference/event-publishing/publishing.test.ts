import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startAll } from '../test-client.fixture.ts'
import { EventClient, plainEvent } from './test-client.fixture.ts'

let client: EventClient

beforeAll(async () => {
  client = new EventClient(await startAll())
})
afterAll(() => client.reference.close())

const error = { error: expect.stringMatching(/./) }

describe('publishing', () => {
  it('accepts an event and names it', async () => {
    const { status, json, headers } = await client.publish()
    expect(status).toBe(202)
    expect(json).toEqual({ id: expect.stringMatching(/^evt_[0-9a-f]{24}$/), status: 'accepted' })
    expect(headers.get('Content-Type')).toBe('application/json')
  })

  it('accepts what the environment tells to publish', async () => {
    const payload: unknown = JSON.parse(client.variable('EVENT_PAYLOAD'))
    expect((await client.publish({ type: client.variable('EVENT_TYPE'), payload })).status).toBe(
      202,
    )
  })

  it('accepts payloads of every form', async () => {
    const payload = { nested: { values: [1.5, null, true, { text: 'Grüße 你好 🙂' }] }, '': '' }
    expect((await client.publish({ type: 'order.line.added', payload })).status).toBe(202)
    expect((await client.publish({ type: 'order.shipped', payload: {} })).status).toBe(202)
  })

  it.each(['', 'order', 'Order.shipped', 'order..shipped', '.order', 'order shipped', 7, null])(
    'refuses the type %j',
    async (type) => {
      const answer = await client.publish({ type, payload: {} })
      expect(answer.status).toBe(400)
      expect(answer.json).toEqual(error)
    },
  )

  it.each([undefined, null, 'text', 7, [[1]]])('refuses the payload %j', async (payload) => {
    const answer = await client.publish({ type: 'order.shipped', payload })
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual(error)
  })

  it.each(['', '{', '[]', 'null', '"text"'])('refuses the content %j', async (body) => {
    const answer = await client.publish(body)
    expect(answer.status).toBe(400)
    expect(answer.json).toEqual(error)
  })
})

describe('the idempotency key', () => {
  it('gets the first answer again with the same event', async () => {
    const first = await client.publishWith({ 'Idempotency-Key': 'same' })
    const again = await client.publishWith(
      { 'idempotency-key': 'same' },
      JSON.stringify({ payload: plainEvent.payload, type: plainEvent.type }, null, 2),
    )
    const other = await client.publishWith({ 'Idempotency-Key': 'another' })
    expect(first.status).toBe(202)
    expect([again.status, again.json]).toEqual([first.status, first.json])
    expect(other.json).not.toEqual(first.json)
  })

  it('is refused with another event', async () => {
    const headers = { 'Idempotency-Key': 'changed' }
    expect((await client.publishWith(headers)).status).toBe(202)
    for (const change of [{ type: 'order.returned' }, { payload: { order: 18 } }]) {
      const answer = await client.publishWith(headers, { ...plainEvent, ...change })
      expect(answer.status).toBe(409)
      expect(answer.json).toEqual(error)
    }
  })

  it('makes one event of many requests at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => client.publishWith({ 'Idempotency-Key': 'at once' })),
    )
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })
})
