import { describe, expect, it } from 'vitest'
import { type Answer, errorOf, exchangeWith } from '../../../lib/conformance/exchange.fixture.ts'
import { Skip } from '../../../lib/conformance/outcome.ts'
import { absence, fixedEndpoints } from './prefix.ts'
import { fakeService, server } from './service.fixture.ts'

const settings = '/settings/api'
const absent = (answer: Answer) =>
  absence({ path: settings, response: exchangeWith(answer, `/api/v1${settings}`) })
const redirect = (location: string): Answer => ({ status: 308, headers: { location } })

describe('an endpoint below the prefix', () => {
  it.each<[string, Answer]>([
    ['answers', { json: {} }],
    ['refuses', { status: 401 }],
    ['fails', { status: 500 }],
    ['redirects to its own path', redirect('https://other.example/api/v1/settings/api?from=1')],
    ['redirects to a sign-in page', redirect('/user/login')],
    ['redirects to what is no address', redirect('https://')],
    ['redirects nowhere', { status: 302 }],
  ])('is there where it %s', (_, answer) => {
    expect(absent(answer)).toBeUndefined()
  })

  it.each<[Answer, string]>([
    [{ status: 404 }, 'status 404'],
    [{ status: 410 }, 'status 410'],
    [redirect('/api/v2/settings/api'), 'a redirect to /api/v2/settings/api'],
    [redirect('../../v2/settings/api'), 'a redirect to /api/v2/settings/api'],
  ])('is not there where it answers %j', (answer, reason) => {
    expect(absent(answer)).toBe(reason)
  })
})

describe('the endpoints without a variable in their path', () => {
  it('are asked anonymously, and with credentials where that shows nothing', async () => {
    const usual = server()
    const hiding = fakeService((request) =>
      request.credentials?.kind === 'none' && request.url.pathname.endsWith('/user')
        ? { status: 404 }
        : usual(request),
    )
    const endpoints = await Promise.all(fixedEndpoints(hiding.client))

    expect(endpoints.map(({ path, response }) => [path, response.status])).toEqual([
      ['/settings/api', 200],
      ['/user', 200],
      ['/user/repos', 401],
    ])
    expect(hiding.sent).toHaveLength(4)
  })

  it('are skipped where credentials are needed and missing', async () => {
    const { client } = fakeService(() => ({ status: 404 }))
    const without = {
      ...client,
      user: async (options?: object) =>
        options === undefined ? Promise.reject(new Skip('not set')) : client.user(options),
    }
    const outcomes = fixedEndpoints(without)
    expect(await errorOf(() => outcomes[1])).toBeInstanceOf(Skip)
    await Promise.allSettled(outcomes)
  })
})
