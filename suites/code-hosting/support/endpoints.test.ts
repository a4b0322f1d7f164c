import { describe, expect, it } from 'vitest'
import { type Answer, errorOf } from '../../../lib/conformance/exchange.fixture.ts'
import { judge } from '../../../lib/conformance/judgement.ts'
import { Inconclusive, Skip } from '../../../lib/conformance/outcome.ts'
import { authorization, basic, bearer } from '../../../lib/probe/credentials.ts'
import type { CodeHostingTarget } from '../../../lib/target/target.ts'
import type { Accounts } from './accounts.ts'
import { legacyResponses } from './legacy-scheme.ts'
import { preflight } from './preflight.ts'
import { protectedEndpoints, readableEndpoints } from './protected-endpoints.ts'
import { createRepositories } from './repositories.ts'
import {
  fakeService,
  type Handler,
  listAnswer,
  repositoryNames,
  server,
  targetWith,
} from './service.fixture.ts'
import { observePageSizes, readSettingsRecord } from './settings-record.ts'
import { singlePages } from './single-pages.ts'
import { createSupplied } from './supplied.ts'
import type { Tokens } from './tokens.ts'

const tokens = { working: async () => 'default-token' } as Partial<Tokens> as Tokens
const target = targetWith()

describe('the protected endpoints', () => {
  it('are those that ask for a token, with the scopes that open them', () => {
    const endpoints = protectedEndpoints(target, fakeService(server()).client)
    expect(endpoints.map(({ name, category, scopes }) => [name, category, scopes])).toEqual([
      ['GET /user', 'user', ['read:user']],
      ['GET /user/repos', undefined, ['read:user', 'read:repository']],
      ['GET /repos/{owner}/{repo}', 'repository', ['read:repository']],
    ])
  })

  it('leave out a repository that is not configured, and say so', async () => {
    const judgement = await judge('any', 'probe', async () => {
      const without = targetWith({ publicRepository: undefined })
      expect(protectedEndpoints(without, fakeService(server()).client)).toHaveLength(2)
    })
    expect(judgement.reason).toContain('CODE_HOSTING_PUBLIC_REPOSITORY is not set')
  })

  it('are readable with a token, or left out with a remark', async () => {
    const handler = server()
    const { client } = fakeService((request) =>
      request.url.pathname.endsWith('/user/repos') ? { status: 403 } : handler(request),
    )
    const judgement = await judge('any', 'probe', async () => {
      const endpoints = protectedEndpoints(target, client)
      const readable = await readableEndpoints(endpoints, 'default-token')
      expect(readable.map(({ name }) => name)).toEqual(['GET /user', 'GET /repos/{owner}/{repo}'])
    })
    expect(judgement.reason).toBe('GET /user/repos is left out: the main account got 403.')
    const endpoints = protectedEndpoints(target, client)
    expect(await errorOf(() => readableEndpoints(endpoints, 'unknown'))).toBeInstanceOf(Skip)
  })
})

describe('the old prefix', () => {
  it('is tried where it authenticates', async () => {
    const { client, sent } = fakeService(server())
    const endpoints = async () => protectedEndpoints(target, client)
    await legacyResponses(endpoints, client, tokens)
    expect(sent.map(({ credentials }) => credentials)).toContainEqual(
      authorization('token', 'default-token'),
    )
  })
})

describe('supplied requests', () => {
  const request = { method: 'POST', path: '/api/v1/user/repos', body: '{"name":"taken"}' }
  const suppliedOf = (parts: Partial<CodeHostingTarget>, handler: Handler) => {
    const { run, client, sent } = fakeService(handler)
    return { supplied: createSupplied(run, targetWith(parts), client, tokens), sent }
  }

  it('are sent once with the token, as they are written', async () => {
    const { supplied, sent } = suppliedOf({ conflict: request }, () => ({ status: 409 }))
    expect((await supplied.conflict()).status).toBe(409)
    await supplied.conflict()
    expect(sent).toMatchObject([
      { method: 'POST', body: request.body, credentials: bearer('default-token') },
    ])
    expect(sent[0]?.endpoint).toBeUndefined()
  })

  it('are skipped where they are not set, and inconclusive where nothing is there', async () => {
    const { supplied, sent } = suppliedOf({}, () => ({ status: 404 }))
    const errors = await Promise.all(
      [supplied.archivedChange, supplied.conflict, supplied.noContent].map(errorOf),
    )
    expect(errors.map((error) => (error as Skip).message)).toEqual([
      'CODE_HOSTING_ARCHIVED_CHANGE is not set',
      'CODE_HOSTING_CONFLICT is not set',
      'CODE_HOSTING_NO_CONTENT is not set',
    ])
    expect(sent).toEqual([])
    const missing = suppliedOf({ noContent: request }, () => ({ status: 404 }))
    const error = await errorOf(missing.supplied.noContent)
    expect(error).toBeInstanceOf(Inconclusive)
    expect(String(error)).toContain('check CODE_HOSTING_NO_CONTENT')
  })
})

describe('the settings record', () => {
  it('is read without credentials, or else with them', async () => {
    const open = fakeService(server())
    expect((await readSettingsRecord(open.client)).status).toBe(200)
    expect(open.sent).toHaveLength(1)
    const closed = fakeService(({ credentials }) => ({
      status: credentials?.kind === 'none' ? 401 : 200,
    }))
    expect((await readSettingsRecord(closed.client)).status).toBe(200)
    expect(
      await errorOf(() => readSettingsRecord(fakeService(() => ({ status: 500 })).client)),
    ).toHaveProperty('message', expect.stringMatching(/answered with 500; see code-hosting/))
  })

  it.each<[string, Answer]>([
    ['its maximum', { json: { max_response_items: 5 } }],
    ['the configured one where it names none', { json: { max_response_items: '7' } }],
    ['the configured one where it is no record', { text: 'null' }],
  ])('has page sizes observed beyond %s', async (_, answer) => {
    const { client, run, sent } = fakeService(({ url }) =>
      url.pathname.endsWith('/settings/api') ? answer : listAnswer(repositoryNames(12), url),
    )
    const record = await client.settings()
    const sizes = await createRepositories(run, target, client).observed((list) =>
      observePageSizes(list, record, target.settings),
    )
    expect(sizes).toEqual({ usual: 3, largest: 5 })
    expect(sent.map(({ url }) => url.search)).toContain('?limit=6')
  })
})

describe('single pages', () => {
  const otto = { username: 'otto', credentials: basic('otto', 'other-password') }

  async function found(counts: { main: number; other: number }, accounts: Partial<Accounts>) {
    const { client, run } = fakeService(({ url, credentials }) => {
      const own = JSON.stringify(credentials) === JSON.stringify(otto.credentials)
      return listAnswer(repositoryNames(own ? counts.other : counts.main), url)
    })
    const repositories = createRepositories(run, target, client)
    return repositories.observed((list) =>
      singlePages(list, accounts as Accounts, repositories, target.settings.maxResponseItems),
    )
  }
  const missing = async () => Promise.reject(new Skip('not set'))
  const known = { other: async () => otto, admin: missing }

  it('are the main account’s where one page holds all, else another account’s', async () => {
    const own = await found({ main: 5, other: 1 }, known)
    expect(own.map(({ names }) => names?.length)).toEqual([5, 5])
    const others = await found({ main: 12, other: 4 }, known)
    expect(others.map(({ names }) => names?.length)).toEqual([4, 4])
    expect(others.map(({ request }) => request.url.search)).toEqual([
      '?page=1&limit=5',
      '?page=1&limit=4',
    ])
    expect(await found({ main: 0, other: 4 }, known)).toHaveLength(1)
  })

  it('are skipped where nobody has so few, or nobody else is known', async () => {
    expect(await errorOf(() => found({ main: 12, other: 5 }, known))).toBeInstanceOf(Skip)
    const error = await errorOf(() =>
      found({ main: 12, other: 1 }, { other: missing, admin: missing }),
    )
    expect(error).toHaveProperty('message', expect.stringContaining('CODE_HOSTING_OTHER_USERNAME'))
  })
})

describe('the look before the run', () => {
  const look = (handler: Handler) => errorOf(() => preflight(target, fakeService(handler).client))

  it('lets a code hosting service pass, with faults and with a wrong password', async () => {
    expect(await look(server())).toBeUndefined()
    expect(await look(() => ({ status: 401, json: {} }))).toBeUndefined()
    expect(await look(() => ({ status: 500, json: {} }))).toBeUndefined()
  })

  it.each<[string, Handler, string]>([
    [
      'something else',
      () => ({ text: '<html>', headers: { 'Content-Type': 'text/html' } }),
      'status 200 (text/html)',
    ],
    [
      'a redirect',
      () => ({ status: 301, headers: { Location: 'https://elsewhere/' } }),
      'and a redirect to https://elsewhere/',
    ],
    [
      'nothing below the path',
      () => ({ status: 404, json: {} }),
      'CODE_HOSTING_BASE_URL is the address',
    ],
    ['a gateway', () => ({ status: 503 }), 'gives no answer of its own: gateway 503'],
  ])('is inconclusive about %s', async (_, handler, reason) => {
    const error = await look(handler)
    expect(error).toBeInstanceOf(Inconclusive)
    expect(String(error)).toContain(reason)
    expect(String(error)).not.toMatch(/main-password|Basic/)
  })

  it('sends nothing but GETs, and credentials only where it has them', async () => {
    const { client, sent } = fakeService(server())
    await preflight(targetWith({ username: undefined, password: undefined }), client)
    for (const { method, credentials } of sent) {
      expect([method, credentials]).toEqual(['GET', { kind: 'none' }])
    }
  })
})
