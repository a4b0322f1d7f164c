import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startReference } from '../start-reference.ts'
import { TestClient } from './test-client.fixture.ts'

const user = '/api/v1/user'
const listing = '/api/v1/user/repos?limit=25&page=2'
let client: TestClient
let open: string
let hidden: string

beforeAll(async () => {
  client = new TestClient(await startReference())
  open = `/api/v1/repos/${client.variable('PUBLIC_REPOSITORY')}`
  hidden = `/api/v1/repos/${client.variable('PRIVATE_REPOSITORY')}`
})
afterAll(() => client.reference.close())

async function statuses(token: string, paths: readonly string[]): Promise<number[]> {
  const authorization = `Bearer ${token}`
  return Promise.all(paths.map(async (path) => (await client.send(path, { authorization })).status))
}

describe('scopes', () => {
  it('are named in the message of a 403, as comma-separated lists', async () => {
    const authorization = `Bearer ${await client.token('', 'read:issue', 'write:package')}`
    const start = 'token does not have at least one of required scope(s), required='
    const expected = {
      [user]: '[read:user]',
      [listing]: '[read:user,read:repository]',
      [open]: '[read:repository]',
    }
    for (const [path, required] of Object.entries(expected)) {
      const answer = await client.send(path, { authorization })
      expect(answer.status).toBe(403)
      expect(answer.json).toMatchObject({
        message: `${start}${required}, token scope=read:issue,write:package`,
      })
    }
  })

  it.each([
    [['read:user'], [200, 200, 403]],
    [['read:repository'], [403, 200, 200]],
    [['write:user'], [200, 200, 403]],
    [['write:repository'], [403, 200, 200]],
    [['all'], [200, 200, 200]],
    [
      ['write:issue', 'write:organization', 'write:notification'],
      [403, 403, 403],
    ],
    [['public-only'], [403, 403, 403]],
    [[], [403, 403, 403]],
  ])('%s opens the user, the listing and the record with %s', async (scopes, expected) => {
    const token = await client.token('', ...scopes)
    expect(await statuses(token, [user, listing, open])).toEqual(expected)
  })

  it('reading does not include writing', async () => {
    const token = await client.token('', 'read:user', 'read:repository')
    const answer = await client.supplied(client.variable('CONFLICT'), token)
    expect(answer.status).toBe(403)
    expect(answer.json).toMatchObject({ message: expect.stringContaining('[write:repository]') })
  })
})

describe('public-only', () => {
  it('hides private repositories, on the record and in listings', async () => {
    const scopes = ['read:user', 'read:repository']
    const plain = await client.token('', ...scopes)
    const restricted = await client.token('', ...scopes, 'public-only')
    expect(await statuses(plain, [open, hidden])).toEqual([200, 200])
    expect(await statuses(restricted, [open, hidden])).toEqual([200, 404])
    const listed = async (token: string) =>
      client.send(listing, { authorization: `Bearer ${token}` })
    expect((await listed(plain)).text).toContain('maria/diary')
    expect((await listed(restricted)).text).not.toContain('maria/diary')
    expect((await listed(restricted)).headers.get('X-Total-Count')).toBe('56')
  })
})
