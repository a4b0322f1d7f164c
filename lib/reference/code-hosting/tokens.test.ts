import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startReference } from '../start-reference.ts'
import { TestClient } from './test-client.fixture.ts'

let client: TestClient

beforeAll(async () => {
  client = new TestClient(await startReference())
})
afterAll(() => client.reference.close())

const path = '/api/v1/users/maria/tokens'
const categories = [
  'activitypub',
  'issue',
  'notification',
  'organization',
  'package',
  'repository',
  'user',
]

describe('token creation', () => {
  it('gives the value once, and it authenticates', async () => {
    const created = await client.createToken('', { name: 'first', scopes: ['read:user'] })
    expect(created.status).toBe(201)
    const { sha1, token_last_eight: lastEight } = Object(created.json)
    expect(sha1).toMatch(/^[0-9a-f]{40}$/)
    expect(lastEight).toBe(sha1.slice(-8))
    expect(created.json).toMatchObject({ name: 'first', scopes: ['read:user'] })
    const answer = await client.send('/api/v1/user', { authorization: `Bearer ${sha1}` })
    expect(answer.json).toMatchObject({ login: 'maria' })
    const listing = await client.send(path, { authorization: client.basic('') })
    expect(listing.text).toContain(`"token_last_eight":"${lastEight}"`)
    expect(listing.text).not.toContain(sha1)
  })

  it('takes every documented scope, those of administration from site admins alone', async () => {
    const scopes = [
      ...categories.flatMap((category) => [`read:${category}`, `write:${category}`]),
      'all',
      'public-only',
    ]
    expect((await client.createToken('', { name: 'every', scopes })).status).toBe(201)
    const administration = { name: 'admin', scopes: ['read:admin', 'write:admin'] }
    expect((await client.createToken('', administration)).status).toBe(403)
    expect((await client.createToken('ADMIN_', administration)).status).toBe(201)
  })

  it('keeps names unique per user', async () => {
    const body = { name: 'twice', scopes: ['all'] }
    expect((await client.createToken('', body)).status).toBe(201)
    expect((await client.createToken('', body)).status).toBe(400)
    expect((await client.createToken('OTHER_', body)).status).toBe(201)
  })

  it('refuses bodies that are not valid', async () => {
    const without = await client.createToken('', { scopes: ['all'] })
    expect(without.status).toBe(422)
    expect(without.json).toMatchObject({ message: expect.stringContaining('name') })
    const scopeless = await client.createToken('', { name: 'scopeless' })
    expect(scopeless.status).toBe(422)
    expect(scopeless.json).toMatchObject({ message: expect.stringContaining('scopes') })
    const unknown = await client.createToken('', { name: 'unknown', scopes: ['read:moon'] })
    expect(unknown.status).toBe(400)
    expect((await client.createToken('', '{"name": "broken"')).status).toBe(400)
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
    expect((await client.createToken('', '{"name":"form","scopes":[]}', form)).status).toBe(400)
  })

  it('wants the password of that very account', async () => {
    const body = { name: 'by token', scopes: ['all'] }
    const bearer = `Bearer ${await client.token('', 'all')}`
    const statuses = await Promise.all(
      [undefined, bearer, client.basic('', 'wrong'), client.basic('OTHER_')].map(
        async (authorization) =>
          (
            await client.send(path, {
              method: 'POST',
              body,
              ...(authorization === undefined ? {} : { authorization }),
            })
          ).status,
      ),
    )
    expect(statuses).toEqual([401, 401, 401, 403])
  })
})

describe('token deletion', () => {
  it('answers 204 once and 404 then, and the token is gone', async () => {
    const created = await client.createToken('', { name: 'to delete', scopes: ['all'] })
    const authorization = client.basic('')
    const target = client
      .variable('TOKEN_DELETE_PATH')
      .replace('{username}', 'maria')
      .replace('{name}', encodeURIComponent('to delete'))
    const deleted = await client.send(target, { method: 'DELETE', authorization })
    expect(deleted.status).toBe(204)
    expect(deleted.text).toBe('')
    expect((await client.send(target, { method: 'DELETE', authorization })).status).toBe(404)
    const answer = await client.send('/api/v1/user', {
      authorization: `Bearer ${Object(created.json).sha1}`,
    })
    expect(answer.status).toBe(401)
  })
})
