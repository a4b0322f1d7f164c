import { describe, expect, it } from 'vitest'
import { exchangeOf, type StubResponse } from '../../lib/conformance/exchange.fixture.ts'
import { anonymous, bearer } from '../../lib/probe/credentials.ts'
import type { ProbeRequest } from '../../lib/probe/exchange.ts'
import { CodeHostingClient } from './client.ts'

const ORIGIN = 'https://code.test'
const BASE_URL = `${ORIGIN}/forge`
const LIST = '/forge/api/v1/user/repos'

/** Creates a client that records requests and receives these responses in order; the last one repeats. */
function startClient(...responses: StubResponse[]) {
  const sent: ProbeRequest[] = []
  const client = new CodeHostingClient(
    BASE_URL,
    async (request) => {
      const full = { ...request, service: 'code-hosting', purpose: 'test' }
      sent.push(full)
      return exchangeOf('e1', full, responses[Math.min(sent.length, responses.length) - 1] ?? {})
    },
    async () => bearer('default'),
  )
  return { client, sent, urls: () => sent.map(({ url }) => url.href.replace(ORIGIN, '')) }
}

describe('a link', () => {
  it.each([
    ['is below the base URL', `${BASE_URL}/api/v1/user/repos?page=2`, `${LIST}?page=2`, true],
    ['is a relative path', 'repos?page=2', `${LIST}?page=2`, true],
    ['is empty', '', LIST, true],
    ['has no prefix', '/api/v1/user/repos?page=2', '/api/v1/user/repos?page=2', false],
    ['has another prefix', '/other/api/v1/user/repos', '/other/api/v1/user/repos', false],
    ['has credentials', 'https://a:b@code.test/a?page=2', '/a?page=2', false],
    ['has another origin', 'http://in:3000/api/v1/user/repos?page=2', `${LIST}?page=2`, true],
    ['has no scheme', '//in:3000/api/v1/user/repos?page=2', `${LIST}?page=2`, true],
    ['has a user', 'https://a:b@in/api/v1/user/repos?page=2#c', `${LIST}?page=2`, true],
    ['is elsewhere with the path', 'https://in/forge/explore?a', '/forge/explore?a', true],
    ['is a file', 'file:///etc/passwd', '/etc/passwd', false],
    ['looks like another origin', '/.//in.test/a?page=2', '//in.test/a?page=2', false],
    ['has a URL in a URL', 'data:http://in.test/a?b', '/http://in.test/a?b', false],
    ['leaves its prefix', 'data:/forge/x/../../jenkins', '/jenkins', false],
    ['may leave the prefix', '/forge/..%2fjenkins', '/forge/..%2fjenkins', false],
  ])('that %s stays at the origin: %j', async (_, target, expected, isBelow) => {
    const { client, sent, urls } = startClient()
    await client.linkedRepositories(target)
    expect(sent[0]?.url.origin).toBe(ORIGIN)
    expect(urls()).toEqual([expected])
    const endpoint = expected.startsWith(LIST) ? 'GET /api/v1/user/repos' : undefined
    expect(sent[0]?.endpoint).toBe(endpoint)
    expect(client.leadsBelow(target)).toBe(isBelow)
  })

  it.each(['http://[', 'http://', 'http://a b/', '//:', 'https://inside:99999/?page=2'])(
    'that is invalid, %j, stays at the origin',
    async (target) => {
      const { client, sent } = startClient()
      await client.linkedRepositories(target)
      expect(sent[0]?.url).toMatchObject({ origin: ORIGIN, search: '' })
      expect(sent[0]?.url.pathname).not.toBe(LIST)
      expect(client.leadsBelow(target)).toBe(false)
    },
  )
})

describe('documentation', () => {
  const START = '/forge/api/swagger'
  const to = (Location: string) => ({ status: 302, headers: { Location } })

  it.each<[string, StubResponse[], string[]]>([
    ['below the base URL', [to('/forge/docs')], ['/forge/docs']],
    ['relative to the previous one', [to('/forge/a/b'), to('c')], ['/forge/a/b', '/forge/a/c']],
    ['with the port', [to('https://code.test:443/forge/docs')], ['/forge/docs']],
    ['not to another origin', [to('//inside.test/forge/docs')], []],
    ['not to another path', [to('../../docs')], []],
    ['not to an invalid URL', [to('http://[')], []],
  ])('follows redirects %s', async (_, responses, expected) => {
    const { client, urls, sent } = startClient(...responses, {})
    await client.documentation()
    expect(urls()).toEqual([START, ...expected])
    const endpoints = ['GET /api/swagger', ...expected.map(() => undefined)]
    expect(sent.map(({ endpoint }) => endpoint)).toEqual(endpoints)
    expect(sent[0]).toMatchObject({ credentials: anonymous })
  })

  it('follows at most five redirects', async () => {
    const { client, urls } = startClient(to(START))
    expect((await client.documentation()).status).toBe(302)
    expect(urls()).toHaveLength(6)
  })
})
