import { afterEach, describe, expect, it } from 'vitest'
import { TestClient } from '../code-hosting/test-client.fixture.ts'
import { EventClient } from '../event-publishing/test-client.fixture.ts'
import type { RunningReference } from '../index.ts'
import { startAll } from '../test-client.fixture.ts'

const open: RunningReference[] = []

async function start(variant: string): Promise<RunningReference> {
  const reference = await startAll({ variant })
  open.push(reference)
  return reference
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((reference) => reference.close()))
})

describe('a gateway that answers now and then', () => {
  it.each([
    ['too-many-requests-now-and-then', 20, [429, 429, 429], '0'],
    ['too-many-requests-for-a-second', 60, [429], '1'],
    ['unavailable-now-and-then', 20, [502, 503, 504], null],
  ])('%s answers every %i requests with %j', async (variant, every, statuses, retryAfter) => {
    const client = new TestClient(await start(variant))
    const answers = []
    for (let request = 1; request <= every * statuses.length; request += 1) {
      answers.push(await client.send(`/api/v1/settings/api?request=${request}`))
    }
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused.map(({ status }) => status)).toEqual(statuses)
    expect(answers[every - 1]?.status).toBe(statuses[0])
    expect(refused[0]?.headers.get('Retry-After')).toBe(retryAfter)
    expect(refused[0]?.headers.get('Content-Type')).toBe('text/html')
  })

  it('refuses no request twice', async () => {
    const client = new TestClient(await start('unavailable-now-and-then'))
    const statuses = []
    for (let request = 0; request < 100; request += 1) {
      statuses.push((await client.send('/api/v1/settings/api')).status)
    }
    expect(statuses.filter((status) => status !== 200)).toEqual([502])
  })
})

describe('answers-lost', () => {
  it('does what every third answer does not tell', async () => {
    const reference = await start('answers-lost')
    const client = new TestClient(reference)
    const create = (name: string) => client.createToken('', { name, scopes: ['all'] })
    const statuses = []
    for (const name of ['one', 'two', 'three', 'four']) statuses.push((await create(name)).status)
    expect(statuses).toEqual([201, 201, 504, 201])
    expect((await create('three')).status).toBe(400)
    expect((await new EventClient(reference).publish()).status).toBe(202)
  })
})
