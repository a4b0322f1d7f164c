import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startAll } from '../test-client.fixture.ts'
import { IncidentClient } from './test-client.fixture.ts'

let client: IncidentClient

beforeAll(async () => {
  client = new IncidentClient(await startAll())
})
afterAll(() => client.reference.close())

describe('an update', () => {
  it('is added without a word', async () => {
    const answer = await client.update(
      { authorization: client.bearer, body: client.variable('UPDATE_BODY') },
      client.variable('INCIDENT_ID'),
    )
    expect([answer.status, answer.text]).toEqual([204, ''])
    for (const name of ['Content-Length', 'Content-Type', 'Transfer-Encoding']) {
      expect(answer.headers.has(name)).toBe(false)
    }
  })

  it('is not added to an incident that is not there', async () => {
    const answer = await client.update({ authorization: client.bearer }, 'INC-1')
    expect(answer.status).toBe(404)
    expect(answer.json).toEqual({ error: 'there is no such incident' })
  })

  it.each(['', '{', '[]', {}, { status: 'monitoring' }, { status: 1, message: 'text' }])(
    'of the form %j is refused',
    async (body) => {
      const answer = await client.update({ authorization: client.bearer, body })
      expect(answer.status).toBe(400)
      expect(answer.json).toEqual({ error: expect.stringMatching(/./) })
    },
  )
})

describe('the key', () => {
  it.each(['Bearer', 'bearer', 'BEARER'])('is accepted with %s', async (prefix) => {
    const authorization = `${prefix} ${client.variable('API_KEY')}`
    expect((await client.update({ authorization })).status).toBe(204)
  })

  it('is needed and checked', async () => {
    const key = client.variable('API_KEY')
    const wrong = ['', 'Bearer', 'Bearer wrong', `Bearer ${key}x`, `Bearer ${key.slice(1)}`]
    for (const authorization of wrong) {
      const answer = await client.update({ authorization })
      expect(answer.status).toBe(401)
      expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Bearer/)
      expect(answer.json).toEqual({ error: expect.stringMatching(/./) })
    }
    expect((await client.update()).status).toBe(401)
  })

  it('is looked for nowhere else', async () => {
    const key = client.variable('API_KEY')
    const authorizations = [
      key,
      `token ${key}`,
      `Digest ${key}`,
      client.basic(key, ''),
      client.basic('', key),
      client.basic(key, key),
    ]
    for (const authorization of authorizations) {
      expect((await client.update({ authorization })).status).toBe(401)
    }
    for (const name of ['X-Api-Key', 'X-Events-Key']) {
      expect((await client.update({ headers: { [name]: key } })).status).toBe(401)
    }
    for (const name of ['key', 'access_token', 'api_key', 'token']) {
      expect((await client.update({}, undefined, `?${name}=${key}`)).status).toBe(401)
    }
  })
})
