import { afterEach, describe, expect, it } from 'vitest'
import { type RequestParts, startAll } from '../test-client.fixture.ts'
import { incidentStatusFaults } from './faults.ts'
import { IncidentClient } from './test-client.fixture.ts'

const open: IncidentClient[] = []

async function start(fault: string): Promise<IncidentClient> {
  const client = new IncidentClient(await startAll({ fault }))
  open.push(client)
  return client
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.reference.close()))
})

type Way = (client: IncidentClient, key: string) => [RequestParts, string?]

const others: Readonly<Record<string, Way>> = {
  'basic-username': (client, key) => [{ authorization: client.basic(key, 'x') }],
  'basic-password': (client, key) => [{ authorization: client.basic('x', key) }],
  'token-scheme': (_client, key) => [{ authorization: `token ${key}` }],
  'bare-key': (_client, key) => [{ authorization: key }],
  'api-key-header': (_client, key) => [{ headers: { 'X-Api-Key': key } }],
  'events-key-header': (_client, key) => [{ headers: { 'X-Events-Key': key } }],
  'key-in-query': (_client, key) => [{}, `?whatever=${key}`],
}

const wrongKeys: Readonly<Record<string, Way>> = {
  'shortened-key': (_client, key) => [{ authorization: `Bearer ${key.slice(0, -1)}` }],
  'lengthened-key': (_client, key) => [{ authorization: `Bearer ${key}0` }],
  'wrong-key': () => [{ authorization: 'Bearer wrong' }],
}

const ways: Readonly<Record<string, Way>> = {
  ...others,
  ...wrongKeys,
  credentials: () => [{}],
}

async function accepted(client: IncidentClient): Promise<string[]> {
  const found: string[] = []
  for (const [name, way] of Object.entries(ways)) {
    const [parts, query] = way(client, client.variable('API_KEY'))
    if ((await client.update(parts, undefined, query)).status < 300) found.push(name)
  }
  return found.sort()
}

const prefix = /^incident-update-accepted-with(?:out)?-/
const credentialFaults = incidentStatusFaults
  .map(({ name }) => name)
  .filter((name) => prefix.test(name))

describe('faults about credentials', () => {
  it('are there for each way to send a key', () => {
    expect(credentialFaults).toHaveLength(Object.keys(ways).length)
  })

  it.each(credentialFaults)('%s accepts no more than it says', async (fault) => {
    const client = await start(fault)
    const way = fault.replace(prefix, '')
    const expected: Readonly<Record<string, readonly string[]>> = {
      credentials: [...Object.keys(others), way],
      'wrong-key': Object.keys(wrongKeys),
    }
    expect(await accepted(client)).toEqual([...(expected[way] ?? [way])].sort())
    expect((await client.update({ authorization: client.bearer })).status).toBe(204)
  })
})

describe('faults about updates', () => {
  it.each([
    ['incident-update-answered-with-body', 200],
    ['incident-update-refused', 403],
    ['incident-update-answered-with-500', 500],
    ['incident-unknown-although-it-exists', 404],
  ])('%s answers with %i and a body', async (fault, status) => {
    const client = await start(fault)
    const answer = await client.update({ authorization: client.bearer })
    expect(answer.status).toBe(status)
    expect(answer.text).not.toBe('')
  })
})
