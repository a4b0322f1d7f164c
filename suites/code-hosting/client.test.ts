import { describe, expect, it } from 'vitest'
import { anonymous, basic, bearer } from '../../lib/probe/credentials.ts'
import { startClient } from './client.fixture.ts'
import type { CodeHostingClient } from './client.ts'

type Call = (client: CodeHostingClient) => Promise<unknown>

async function requestOf(call: Call) {
  const { client, sent } = startClient()
  await call(client)
  const [request] = sent
  if (request === undefined || sent.length > 1) throw new Error(`${sent.length} requests`)
  return { ...request, url: request.url.href }
}

describe('each endpoint', () => {
  it.each<[string, string, Call]>([
    ['GET /api/v1/user', '/api/v1/user', (client) => client.user()],
    ['GET /api/v1/settings/api', '/api/v1/settings/api', (client) => client.settings()],
    ['GET /api/v1/user/repos', '/api/v1/user/repos', (client) => client.repositories()],
    ['GET /api/v1/repos/{owner}/{repo}', '/api/v1/repos/a/b', (client) => client.repository('a/b')],
    [
      'GET /api/v1/repos/{owner}/{repo}',
      '/api/v1/repos/a%20%3F/b%23%25',
      (client) => client.repository('a ?/b#%'),
    ],
  ])('%s is asked for at %s below the base URL', async (endpoint, path, call) => {
    expect(await requestOf(call)).toEqual({
      method: 'GET',
      url: `https://code.test/forge${path}`,
      endpoint,
      credentials: bearer('default'),
      headers: { Accept: 'application/json' },
    })
  })

  it('stands below a base URL without a path too', async () => {
    const { client, urls } = startClient(undefined, 'http://127.0.0.1:1')
    await client.user()
    expect(urls()).toEqual(['http://127.0.0.1:1/api/v1/user'])
  })
})

describe('createToken', () => {
  it('sends the token as JSON, with the one-time code', async () => {
    const secretsIn = () => []
    const request = await requestOf((client) =>
      client.createToken(
        'maria /?',
        { name: 'a', scopes: ['read:user'] },
        { credentials: basic('maria', 'b'), oneTimeCode: '123456', secretsIn, priority: 7 },
      ),
    )
    expect(request).toEqual({
      method: 'POST',
      url: 'https://code.test/forge/api/v1/users/maria%20%2F%3F/tokens',
      endpoint: 'POST /api/v1/users/{username}/tokens',
      credentials: basic('maria', 'b'),
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        'X-Service-OTP': '123456',
      },
      body: '{"name":"a","scopes":["read:user"]}',
      secretsIn,
      priority: 7,
    })
  })

  it('sends a string as it is, and no code unless there is one', async () => {
    const { body, headers } = await requestOf((client) => client.createToken('maria', '{"a', {}))
    expect(body).toBe('{"a')
    expect(headers).not.toHaveProperty('X-Service-OTP')
  })
})

describe('options', () => {
  it('replace the credentials', async () => {
    const { credentials } = await requestOf((client) => client.user({ credentials: anonymous }))
    expect(credentials).toEqual(anonymous)
  })

  it('name the user of sudo in the header or in the query', async () => {
    const header = await requestOf((client) => client.user({ sudo: { as: 'ann', in: 'header' } }))
    expect(header.headers).toEqual({ Accept: 'application/json', Sudo: 'ann' })
    expect(header.url).toBe('https://code.test/forge/api/v1/user')
    const query = await requestOf((client) =>
      client.repositories({ page: 2 }, { sudo: { as: 'a&n', in: 'query' } }),
    )
    expect(query.headers).toEqual({ Accept: 'application/json' })
    expect(query.url).toBe('https://code.test/forge/api/v1/user/repos?page=2&sudo=a%26n')
    for (const request of [header, query]) expect(request).not.toHaveProperty('sudo')
  })

  it('ask for a fresh answer', async () => {
    expect(await requestOf((client) => client.user({ fresh: true }))).toHaveProperty('fresh', true)
    expect(await requestOf((client) => client.user())).not.toHaveProperty('fresh')
  })
})

describe('repositories', () => {
  it.each([
    [{}, ''],
    [{ page: 2, limit: 5 }, '?page=2&limit=5'],
    [{ page: 0, limit: -1 }, '?page=0&limit=-1'],
    [{ limit: 'abc' }, '?limit=abc'],
    [{ page: '', limit: undefined }, '?page='],
    [{ page: '1&limit=9' }, '?page=1%26limit%3D9'],
  ])('carry the query %j', async (query, search) => {
    const { url } = await requestOf((client) => client.repositories(query))
    expect(url).toBe(`https://code.test/forge/api/v1/user/repos${search}`)
  })

  it('are read from the list and its Link', async () => {
    const { client } = startClient(() => ({
      json: [{ full_name: 'b/b' }, { full_name: 'a/a' }],
      headers: { Link: '</x?page=2>; rel="next", </x?page=3>; rel="last"' },
    }))
    const { names, links, status } = await client.repositories()
    expect(names).toEqual(['b/b', 'a/a'])
    expect(Object.fromEntries(links)).toEqual({ next: '/x?page=2', last: '/x?page=3' })
    expect(status).toBe(200)
  })

  it.each([
    [[], []],
    [{ message: 'no' }, undefined],
    [undefined, undefined],
    [null, undefined],
    [[{ full_name: 'a/a' }, null], undefined],
    [[{ full_name: 'a/a' }, 'b/b'], undefined],
    [[{ full_name: 1 }], undefined],
    [[{}], undefined],
  ])('of the body %j have the names %j', async (json, expected) => {
    const { client } = startClient(() => ({ json, headers: { Link: 'junk' } }))
    const { names, links } = await client.repositories()
    expect(names).toEqual(expected)
    expect(links.size).toBe(0)
  })
})

describe('an undocumented request', () => {
  it('is sent as it is supplied', async () => {
    const supplied = { method: 'PATCH', path: '/api/v1/repos/a/b?c=%20d', body: '{ "a": 1 }' }
    expect(
      await requestOf((client) => client.undocumented(supplied, { oneTimeCode: '123456' })),
    ).toEqual({
      method: 'PATCH',
      url: 'https://code.test/forge/api/v1/repos/a/b?c=%20d',
      endpoint: undefined,
      credentials: bearer('default'),
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        'X-Service-OTP': '123456',
      },
      body: '{ "a": 1 }',
    })
  })

  it('without a body has no type of one', async () => {
    const request = await requestOf((client) =>
      client.undocumented({ method: 'DELETE', path: '/a', body: null }),
    )
    expect(request.headers).toEqual({ Accept: 'application/json' })
    expect(request).not.toHaveProperty('body')
  })
})
