import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startReference } from '../start-reference.ts'
import { TestClient } from './test-client.fixture.ts'

let client: TestClient
let token: string

beforeAll(async () => {
  client = new TestClient(await startReference())
  token = await client.token('', 'all')
})
afterAll(() => client.reference.close())

describe('repositories', () => {
  it('gives the record, whatever the case of its name', async () => {
    const authorization = `Bearer ${token}`
    const answer = await client.send('/api/v1/repos/Maria/LightHouse', { authorization })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/)
    expect(answer.json).toMatchObject({ full_name: 'maria/lighthouse' })
  })

  it('answers 404 for what does not exist and for what the caller may not see', async () => {
    const other = `Bearer ${await client.token('OTHER_', 'all')}`
    const status = async (path: string, authorization: string) =>
      (await client.send(`/api/v1/repos/${path}`, { authorization })).status
    expect(await status('maria/nothing', other)).toBe(404)
    expect(await status('maria/diary', other)).toBe(404)
    expect(await status('maria/lighthouse', other)).toBe(200)
    expect(await status('maria/diary', `Bearer ${token}`)).toBe(200)
  })
})

describe('supplied requests', () => {
  it('answers the change of an archived repository with 423', async () => {
    const answer = await client.supplied(client.variable('ARCHIVED_CHANGE'), token)
    expect(answer.status).toBe(423)
    expect(answer.json).toEqual({
      message: expect.any(String),
      url: `${client.reference.baseUrl}/api/swagger`,
    })
  })

  it('answers a name that is taken with 409 and creates a new one', async () => {
    expect((await client.supplied(client.variable('CONFLICT'), token)).status).toBe(409)
    const other = await client.token('OTHER_', 'all')
    const created = await client.supplied('POST /api/v1/user/repos {"name":"sextant"}', other)
    expect(created.status).toBe(201)
    expect(created.json).toMatchObject({ full_name: 'oscar/sextant' })
    const change = 'PATCH /api/v1/repos/oscar/sextant {"description":"New"}'
    expect((await client.supplied(change, other)).json).toMatchObject({ description: 'New' })
    expect((await client.supplied(change, token)).status).toBe(403)
  })

  it('answers 204 without content, as often as asked', async () => {
    for (let time = 0; time < 2; time += 1) {
      const answer = await client.supplied(client.variable('NO_CONTENT'), token)
      expect(answer.status).toBe(204)
      expect(answer.text).toBe('')
      expect(answer.headers.has('Content-Length')).toBe(false)
      expect(answer.headers.has('Content-Type')).toBe(false)
    }
  })
})

describe('the server', () => {
  it('tells its settings to any client', async () => {
    const expected = {
      max_response_items: 25,
      default_paging_num: 20,
      default_git_trees_per_page: 1000,
      default_max_blob_size: 10485760,
      default_max_response_size: 104857600,
    }
    for (const authorization of [undefined, `Bearer ${token}`, 'Bearer nothing']) {
      const parts = authorization === undefined ? {} : { authorization }
      const answer = await client.send('/api/v1/settings/api', parts)
      expect(answer.status).toBe(200)
      expect(answer.json).toEqual(expected)
    }
  })

  it('serves its documentation', async () => {
    const answer = await client.send('/api/swagger')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('Content-Type')).toMatch(/^text\/html/)
  })

  it('answers anything else with 404 and the error body', async () => {
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/api/v1/nothing'],
      ['DELETE', '/api/v1/user'],
    ] as const) {
      const answer = await client.send(path, { method })
      expect(answer.status).toBe(404)
      expect(answer.json).toEqual({
        message: expect.any(String),
        url: `${client.reference.baseUrl}/api/swagger`,
      })
    }
  })

  it('sends no rate limit headers', async () => {
    const answer = await client.send('/api/v1/user', { authorization: `Bearer ${token}` })
    expect([...answer.headers.keys()].filter((name) => name.includes('ratelimit'))).toEqual([])
  })
})
