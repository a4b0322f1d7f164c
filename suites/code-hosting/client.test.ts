import { describe, expect, it } from 'vitest'
import { type Answer, exchangeOf } from '../../lib/conformance/exchange.fixture.ts'
import { anonymous, basic, bearer } from '../../lib/probe/credentials.ts'
import type { ProbeRequest } from '../../lib/probe/exchange.ts'
import { type CodeHostingClient, createCodeHostingClient } from './client.ts'

const ORIGIN = 'https://code.test'
const BASE_URL = `${ORIGIN}/forge`
const LIST = `${BASE_URL}/api/v1/user/repos`

/** Creates a client that records requests and receives these responses in order; the last one repeats. */
function startClient(...responses: Answer[]) {
  const sent: ProbeRequest[] = []
  const client = createCodeHostingClient(
    BASE_URL,
    async (request) => {
      const full = { ...request, service: 'code-hosting', purpose: 'test' }
      sent.push(full)
      return exchangeOf('e1', full, responses[Math.min(sent.length, responses.length) - 1] ?? {})
    },
    async () => bearer('default'),
  )
  return { client, sent, urls: () => sent.map(({ url }) => url.href) }
}

const json = { Accept: 'application/json' }
const jsonBody = { ...json, 'Content-Type': 'application/json' }
const code = { oneTimeCode: '123456' }
const token = { name: 'a', scopes: ['read:user'] }

describe('a request', () => {
  type Call = (client: CodeHostingClient) => Promise<unknown>

  it.each<[string, object, Call]>([
    [
      '/api/v1/repos/a%20%3F/b%23%25',
      { endpoint: 'GET /api/v1/repos/{owner}/{repo}' },
      (client) => client.repository('a ?/b#%'),
    ],
    [
      '/api/v1/user/repos?page=1%26limit%3D9&limit=-1',
      { endpoint: 'GET /api/v1/user/repos' },
      (client) => client.repositories({ page: '1&limit=9', limit: -1 }),
    ],
    [
      '/api/v1/users/maria%20%2F%3F/tokens',
      {
        method: 'POST',
        endpoint: 'POST /api/v1/users/{username}/tokens',
        credentials: basic('maria', 'b'),
        headers: { ...jsonBody, 'X-Service-OTP': '123456' },
        body: '{"name":"a","scopes":["read:user"]}',
      },
      (client) =>
        client.createToken('maria /?', token, { ...code, credentials: basic('maria', 'b') }),
    ],
    [
      '/api/v1/repos/a/b?c=%20d',
      {
        method: 'PATCH',
        endpoint: undefined,
        headers: { ...jsonBody, 'X-Service-OTP': '123456' },
        body: '{ "a": 1 }',
      },
      (client) =>
        client.undocumented(
          { method: 'PATCH', path: '/api/v1/repos/a/b?c=%20d', body: '{ "a": 1 }' },
          code,
        ),
    ],
  ])('is sent to %s below the base URL: %j', async (path, expected, call) => {
    const { client, sent, urls } = startClient()
    await call(client)
    expect(urls()).toEqual([`${BASE_URL}${path}`])
    expect(sent[0]).toMatchObject({ credentials: bearer('default'), ...expected })
  })
})

describe('a page of repositories', () => {
  it('has names and links', async () => {
    const headers = { Link: '</x?page=2>; rel="next", </x?page=3>; rel="last"' }
    const { client } = startClient({ json: [{ full_name: 'b/b' }, { full_name: 'a/a' }], headers })
    const { names, links } = await client.repositories()
    expect(names).toEqual(['b/b', 'a/a'])
    expect(Object.fromEntries(links.targets)).toEqual({ next: '/x?page=2', last: '/x?page=3' })
  })

  it.each([
    [[], []],
    [{ message: 'no' }, undefined],
    [undefined, undefined],
    [[{ full_name: 'a/a' }, null], undefined],
    [[{ full_name: 1 }], undefined],
  ])('of the body %j has the names %j', async (json, expected) => {
    const { client } = startClient({ json, headers: { Link: 'junk' } })
    const { names, links } = await client.repositories()
    expect(names).toEqual(expected)
    expect(links.targets.size).toBe(0)
  })
})

describe('linkedRepositories and leadsBelow', () => {
  it.each([
    ['of the base URL', `${LIST}?page=2&limit=5`, `${LIST}?page=2&limit=5`],
    ['that is only a query', '?page=2', `${LIST}?page=2`],
    ['that is a relative path', 'repos?page=2', `${LIST}?page=2`],
    ['of no prefix', '/api/v1/user/repos?page=2', `${ORIGIN}/api/v1/user/repos?page=2`],
    [
      'of another prefix',
      `${ORIGIN}/other/api/v1/user/repos?page=2`,
      `${ORIGIN}/other/api/v1/user/repos?page=2`,
    ],
    ['with credentials at its origin', `https://a:b@code.test/a?page=2`, `${ORIGIN}/a?page=2`],
    ['of another origin', 'http://inside:3000/api/v1/user/repos?page=2', `${LIST}?page=2`],
    ['without a scheme', '//inside:3000/api/v1/user/repos?page=2', `${LIST}?page=2`],
    ['with credentials', 'https://a:b@inside/api/v1/user/repos?page=2#c', `${LIST}?page=2`],
    ['of another path', '/elsewhere?page=2', `${ORIGIN}/elsewhere?page=2`],
    ['of a path elsewhere', 'https://inside/a/b?page=2', `${ORIGIN}/a/b?page=2`],
    ['of a file', 'file:///etc/passwd', `${ORIGIN}/etc/passwd`],
    ['like another origin', '/.//inside.test/a?page=2', `${ORIGIN}//inside.test/a?page=2`],
    ['like another origin elsewhere', 'http://x//inside.test/a', `${ORIGIN}//inside.test/a`],
    ['of a URL in a URL', 'data:http://inside.test/a?b', `${ORIGIN}/http://inside.test/a?b`],
    ['of mail', 'mailto:a@inside.test', `${ORIGIN}/a@inside.test`],
    ['that is empty', '', LIST],
  ])('%s stays at the origin: %j', async (_, target, expected) => {
    const { client, sent, urls } = startClient()
    await client.linkedRepositories(target)
    expect(urls()).toEqual([expected])
    const isList = expected.startsWith(LIST)
    expect(sent[0]?.endpoint).toBe(isList ? 'GET /api/v1/user/repos' : undefined)
  })

  it.each([
    `${LIST}?page=2`,
    '?page=2',
    'http://inside:3000/api/v1/user/repos?page=2',
    '/forge/explore?page=2',
    'https://inside/forge/explore?page=2',
    '',
  ])('%j is below the base URL', (target) => {
    expect(startClient().client.leadsBelow(target)).toBe(true)
  })

  it.each([
    '/api/v1/user/repos?page=2',
    '/other/api/v1/user/repos',
    '/jenkins/job/deploy/build',
    '/',
    '/forge-2/explore',
    '../../../../jenkins',
    '/forge/../jenkins',
    '/forge/%2e%2E/jenkins',
    '/forge\\..\\jenkins',
    '/forge/..%2fjenkins',
    '/forge/..%252Fjenkins',
    '//inside.test/jenkins',
    'http://x//forge/explore',
    'https://code.test@inside.test/jenkins',
    'javascript:/jenkins',
    'data:/forge/x/../../jenkins',
    'http://[',
  ])('%j is not below the base URL', (target) => {
    expect(startClient().client.leadsBelow(target)).toBe(false)
  })

  it.each(['http://[', 'http://', 'http://a b/', '//:', 'https://inside:99999/?page=2'])(
    'requests an invalid URL reference, %j, at the origin',
    async (target) => {
      const { client, sent } = startClient()
      await client.linkedRepositories(target)
      expect(sent[0]?.url).toMatchObject({ origin: ORIGIN, search: '' })
      expect(sent[0]?.url.pathname).not.toBe(new URL(LIST).pathname)
    },
  )
})

describe('documentation', () => {
  const START = `${BASE_URL}/api/swagger`
  const to = (Location: string) => ({ status: 302, headers: { Location } })

  it.each<[string, Answer[], string[]]>([
    ['below the base URL', [to('/forge/docs')], [`${BASE_URL}/docs`]],
    [
      'relative to the previous one',
      [to('/forge/a/b'), to('c')],
      [`${BASE_URL}/a/b`, `${BASE_URL}/a/c`],
    ],
    ['with the port', [to('https://code.test:443/forge/docs')], [`${BASE_URL}/docs`]],
    ['not without a redirect', [{ status: 404, headers: { Location: '/docs' } }], []],
    ['not without Location', [{ status: 302 }], []],
  ])('follows redirects %s', async (_, responses, expected) => {
    const { client, urls, sent } = startClient(...responses, {})
    await client.documentation()
    expect(urls()).toEqual([START, ...expected])
    const endpoints = ['GET /api/swagger', ...expected.map(() => undefined)]
    expect(sent.map(({ endpoint }) => endpoint)).toEqual(endpoints)
    expect(sent[0]).toMatchObject({ credentials: anonymous })
  })

  it.each([
    'https://inside.test/forge/docs',
    'http://code.test/forge/docs',
    'https://code.test:8443/forge/docs',
    '//inside.test/forge/docs',
    '/docs',
    '../../docs',
    '/forge/..%2fdocs',
    'file:///forge/docs',
    'http://[',
  ])('follows no redirect to %s', async (location) => {
    const { client, urls } = startClient(to(location))
    expect((await client.documentation()).status).toBe(302)
    expect(urls()).toEqual([START])
  })

  it('follows at most five redirects', async () => {
    const { client, urls } = startClient(to(START))
    expect((await client.documentation()).status).toBe(302)
    expect(urls()).toHaveLength(6)
  })
})
