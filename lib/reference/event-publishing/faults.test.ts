import { afterEach, describe, expect, it } from 'vitest'
import { type Answer, startAll } from '../test-client.fixture.ts'
import { eventPublishingFaults } from './faults.ts'
import { EventClient, plainEvent, type Sent } from './test-client.fixture.ts'

const open: EventClient[] = []

async function start(fault: string): Promise<EventClient> {
  const client = new EventClient(await startAll({ fault }))
  open.push(client)
  return client
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.reference.close()))
})

const ways: Readonly<Record<string, (key: string) => [Sent, string?]>> = {
  missing: () => [{}],
  wrong: () => [{ headers: { 'X-Events-Key': 'wrong' } }],
  shortened: (key) => [{ headers: { 'X-Events-Key': key.slice(0, -1) } }],
  lengthened: (key) => [{ headers: { 'X-Events-Key': `${key}0` } }],
  'as-bearer': (key) => [{ authorization: `Bearer ${key}` }],
  'as-api-key-header': (key) => [{ headers: { 'X-Api-Key': key } }],
  'in-query': (key) => [{}, `?whatever=${key}`],
}

const sentInPlace = ['wrong', 'shortened', 'lengthened']

/** The requests without the key in its place that succeed, as `way endpoint`. */
async function accepted(client: EventClient): Promise<string[]> {
  const id = await client.newEventId()
  const found: string[] = []
  for (const [way, sentWith] of Object.entries(ways)) {
    const [sent, query] = sentWith(client.variable('API_KEY'))
    const answers: [string, Answer][] = [
      ['publish', await client.publish(plainEvent, sent, query)],
      ['status', await client.status(id, sent, query)],
      ['replay', await client.replay(id, sent, query)],
    ]
    found.push(...answers.filter(([, { status }]) => status < 300).map(([at]) => `${way} ${at}`))
  }
  return found.sort()
}

function expectedOf(fault: string): string[] {
  const [, before, behind, endpoint] =
    /^event-(?:(\w+)-)?key-accepted-(?:(.+)-)?on-(\w+)$/.exec(fault) ?? []
  const names: Readonly<Record<string, readonly string[]>> = {
    wrong: sentInPlace,
    missing: Object.keys(ways).filter((name) => !sentInPlace.includes(name)),
  }
  const way = before ?? behind ?? ''
  return (names[way] ?? [way]).map((name) => `${name} ${endpoint}`).sort()
}

const keyFaults = eventPublishingFaults
  .map(({ name }) => name)
  .filter((name) => name.includes('key-accepted-'))

describe('faults about the key', () => {
  it('are there for each endpoint', () => {
    expect(keyFaults).toHaveLength(21)
  })

  it.each(keyFaults)('%s accepts no more than it says', async (fault) => {
    expect(await accepted(await start(fault))).toEqual(expectedOf(fault))
  })

  it('event-replay-wants-another-header refuses the documented one there alone', async () => {
    const client = await start('event-replay-wants-another-header')
    const id = await client.newEventId()
    expect((await client.status(id)).status).toBe(200)
    expect((await client.replay(id)).status).toBe(401)
    const headers = { 'X-Replay-Key': client.variable('API_KEY') }
    expect((await client.replay(id, { headers })).status).toBe(202)
    expect(await accepted(client)).toEqual([])
  })
})

describe('faults about payloads', () => {
  const flat = { text: 'a {brace}, a [bracket] and null', number: 1.5, truth: true }

  it.each([
    ['event-nested-payload-answered-with-500', { in: { it: 1 } }, 500],
    ['event-payload-must-be-flat', { list: [] }, 422],
    ['event-payload-with-null-refused', { in: [{ it: null }] }, 422],
    ['event-payload-must-be-ascii', { in: ['ü'] }, 400],
  ])('%s refuses %j', async (fault, payload, status) => {
    const client = await start(fault)
    expect((await client.publish({ ...plainEvent, payload })).status).toBe(status)
    expect((await client.publish({ ...plainEvent, payload: flat })).status).toBe(202)
  })
})

describe('faults about published events', () => {
  it.each([
    ['event-status-without-body', 200],
    ['event-status-answered-with-204', 204],
  ])('%s answers with nothing', async (fault, status) => {
    const client = await start(fault)
    const answer = await client.status(await client.newEventId())
    expect([answer.status, answer.text]).toEqual([status, ''])
  })

  it('event-publish-refused-with-idempotency-key takes events without one', async () => {
    const client = await start('event-publish-refused-with-idempotency-key')
    expect((await client.publishWith({ 'Idempotency-Key': 'one' })).status).toBe(400)
    expect((await client.publish()).status).toBe(202)
  })
})
