import { afterEach, describe, expect, it } from 'vitest'
import { startAll } from '../test-client.fixture.ts'
import { EventClient, plainEvent } from './test-client.fixture.ts'

const open: EventClient[] = []

async function start(variant: string): Promise<EventClient> {
  const client = new EventClient(await startAll({ variant }))
  open.push(client)
  return client
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.reference.close()))
})

describe('where the event id is', () => {
  const fields: [string, (json: unknown) => unknown][] = [
    ['event-publish-answered-with-200', (json) => Object(json).id],
    ['event-id-in-event-id-field', (json) => Object(json).eventId],
    ['event-id-nested', (json) => Object(json).data.id],
    ['event-id-as-number', (json) => Object(json).id],
    ['event-id-with-reserved-characters', (json) => Object(json).id],
    ['event-id-like-a-url', (json) => Object(json).id],
    ['event-id-very-long', (json) => Object(json).id],
    ['event-id-at-unusual-place', (json) => Object(json).receipts[0]['event/number']],
  ]

  it.each(fields)('%s tells it in the body', async (variant, find) => {
    const client = await start(variant)
    const id = find((await client.publish()).json)
    expect(typeof id).toBe(variant === 'event-id-as-number' ? 'number' : 'string')
    expect((await client.status(String(id))).status).toBe(200)
    expect((await client.replay(String(id))).status).toBe(202)
  })

  it.each([
    ['event-id-in-location', 202, /^http:\/\/[^/]+\/v1\/events\/evt_\w+$/],
    ['event-publish-answered-with-204-and-location', 204, /^\/v1\/events\/evt_\w+$/],
  ])('%s tells it in Location', async (variant, status, form) => {
    const client = await start(variant)
    const answer = await client.publish()
    expect(answer.status).toBe(status)
    expect(answer.text).not.toContain('evt_')
    const location = answer.headers.get('Location') ?? ''
    expect(location).toMatch(form)
    const path = new URL(location, client.reference.baseUrl).pathname
    expect((await client.send(path, { headers: client.key })).status).toBe(200)
  })

  it('event-id-at-unusual-place tells the pointer', async () => {
    const client = await start('event-id-at-unusual-place')
    expect(client.variable('EVENT_ID_POINTER')).toBe('/receipts/0/event~1number')
  })

  it('event-id-given and event-id-nowhere tell it in no response', async () => {
    const given = await start('event-id-given')
    expect((await given.publish()).json).toEqual({ status: 'accepted' })
    expect((await given.status(given.variable('EVENT_ID'))).status).toBe(200)
    const nowhere = await start('event-id-nowhere')
    expect((await nowhere.publish()).json).toEqual({ status: 'accepted' })
    expect(() => nowhere.variable('EVENT_ID')).toThrow()
  })
})

describe('refusals', () => {
  it.each([
    ['event-key-refused-with-400', 400, 400],
    ['event-key-refused-with-403', 403, 403],
    ['event-key-refused-with-404', 404, 404],
    ['event-key-refused-with-500', 500, 500],
    ['event-key-refused-with-503', 503, 503],
    ['event-key-refused-with-a-redirect', 302, 302],
    ['event-missing-key-answered-with-500', 500, 401],
  ])('%s answers a missing key with %i, a wrong one with %i', async (variant, missing, wrong) => {
    const client = await start(variant)
    expect((await client.publish(plainEvent, {})).status).toBe(missing)
    const headers = { 'X-Events-Key': 'wrong' }
    expect((await client.publish(plainEvent, { headers })).status).toBe(wrong)
    expect((await client.publish()).status).toBe(202)
  })

  it('event-errors-in-plain-text and event-errors-without-body', async () => {
    const plain = await (await start('event-errors-in-plain-text')).status('nothing')
    expect(plain.headers.get('Content-Type')).toBe('text/plain')
    expect(plain.text).toBe('there is no such event')
    const empty = await (await start('event-errors-without-body')).status('nothing')
    expect([empty.status, empty.text]).toEqual([404, ''])
  })
})

describe('requests', () => {
  it('event-idempotency-key-mandatory refuses events without one', async () => {
    const client = await start('event-idempotency-key-mandatory')
    expect((await client.publish()).status).toBe(400)
    expect((await client.publishWith({ 'Idempotency-Key': 'one' })).status).toBe(202)
  })

  it('event-idempotency-key-once refuses the same event too', async () => {
    const client = await start('event-idempotency-key-once')
    expect((await client.publishWith({ 'Idempotency-Key': 'one' })).status).toBe(202)
    expect((await client.publishWith({ 'Idempotency-Key': 'one' })).status).toBe(409)
  })

  it.each([
    ['event-idempotency-key-once-422', 422, false],
    ['event-idempotency-key-repeated-200', 200, true],
    ['event-idempotency-key-ignored', 202, false],
  ])('%s answers %i to the same event', async (variant, status, sameId) => {
    const client = await start(variant)
    const first = await client.publishWith({ 'Idempotency-Key': 'one' })
    const again = await client.publishWith({ 'Idempotency-Key': 'one' })
    expect([first.status, again.status]).toEqual([202, status])
    expect(Object(again.json).id === Object(first.json).id).toBe(sameId)
    if (again.status < 300) {
      expect((await client.status(Object(again.json).id)).status).toBe(200)
    }
  })

  it('event-found-later finds an event after a moment', async () => {
    const client = await start('event-found-later')
    const id = await client.newEventId()
    expect((await client.status(id)).status).toBe(404)
    await expect.poll(async () => (await client.status(id)).status).toBe(200)
  })

  it.each([
    ['event-unknown-answered-with-410', 410],
    ['event-unknown-answered-with-200', 200],
  ])('%s', async (variant, status) => {
    const client = await start(variant)
    expect((await client.status('nothing')).status).toBe(status)
    expect((await client.status(await client.newEventId())).status).toBe(200)
  })

  it('event-replay-needs-body takes the body that it tells', async () => {
    const client = await start('event-replay-needs-body')
    const id = await client.newEventId()
    expect((await client.replay(id)).status).toBe(202)
    expect((await client.replay(id, { headers: client.key }, '', '{}')).status).toBe(400)
  })

  it('event-types-limited takes the type that it tells', async () => {
    const client = await start('event-types-limited')
    const payload: unknown = JSON.parse(client.variable('EVENT_PAYLOAD'))
    expect((await client.publish({ type: client.variable('EVENT_TYPE'), payload })).status).toBe(
      202,
    )
    expect((await client.publish()).status).toBe(422)
  })

  it.each([
    ['event-base-url-and-key-alone', ['BASE_URL', 'API_KEY']],
    [
      'event-replay-body-untold-inconclusive',
      ['BASE_URL', 'API_KEY', 'EVENT_TYPE', 'EVENT_PAYLOAD'],
    ],
    ['event-types-limited-untold-inconclusive', ['BASE_URL', 'API_KEY', 'REPLAY_BODY']],
  ])('%s tells %j and no more', async (variant, names) => {
    const { environment } = (await start(variant)).reference
    const told = Object.keys(environment).filter((name) => name.startsWith('EVENT_PUBLISHING_'))
    expect(told).toEqual(names.map((name) => `EVENT_PUBLISHING_${name}`))
  })
})

describe('answers', () => {
  it.each([
    ['event-replay-answered-with-200', 200],
    ['event-replay-answered-with-204', 204],
  ])('%s', async (variant, status) => {
    const client = await start(variant)
    expect((await client.replay(await client.newEventId())).status).toBe(status)
  })

  it('event-status-in-plain-text', async () => {
    const client = await start('event-status-in-plain-text')
    expect((await client.status(await client.newEventId())).text).toBe('delivered, 1 attempts')
  })
})
