import { describe, expect, it } from 'vitest'
import { examineReference } from './examination.fixture.ts'
import { MOST_REQUESTS } from './examine.ts'

describe('examining a deployment that is as it should be', () => {
  it('sends a few GETs and nothing else', async () => {
    const { seen, requests, texts } = await examineReference({}, (environment) => ({
      ...environment,
      EVENT_PUBLISHING_EVENT_ID: 'some-event',
    }))

    expect(new Set(seen.map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(requests).toBe(seen.length)
    expect(requests).toBeLessThanOrEqual(MOST_REQUESTS)
    expect(texts('target')).toEqual([])
  })

  it('finds everything in order, as far as GETs can tell', async () => {
    const { texts, facts, clocks, unanswered } = await examineReference()

    expect(texts('configuration', 'target', 'warning')).toEqual([])
    expect(unanswered).toEqual([])
    expect(texts('good').join('\n')).toMatch(/The main account is accepted/)
    expect(texts('good').join('\n')).toMatch(/does not see the private repository/)
    expect(texts('good').join('\n')).toMatch(/The site admin is accepted and may act/)
    expect(texts('good').join('\n')).toMatch(/EVENT_PUBLISHING_API_KEY is accepted/)
    expect(facts).toEqual({
      'code-hosting': {
        repositories: 57,
        totalCount: true,
        listsPrivate: true,
        serverErrors: false,
      },
      'event-publishing': {},
      'incident-status': {},
    })
    expect(Object.keys(clocks)).toHaveLength(3)
  })

  it('looks at the given token in place of a password', async () => {
    const { texts, seen } = await examineReference({
      codeHosting: {
        environment: (environment, { store }) => {
          const { CODE_HOSTING_PASSWORD: _, ...rest } = environment
          const login = environment.CODE_HOSTING_USERNAME ?? ''
          const value = '0123456789abcdef0123456789abcdef01234567'
          store.addToken({ login, name: 'given', scopes: ['all'], value })
          return { ...rest, CODE_HOSTING_TOKEN: value }
        },
      },
    })

    expect(texts('configuration', 'target')).toEqual([])
    expect(seen.some(({ authorization }) => authorization.startsWith('Bearer '))).toBe(true)
  })
})

describe('repositories and events', () => {
  it('tells of repositories of the wrong kind or at the wrong place', async () => {
    const { texts } = await examineReference({}, (environment) => ({
      ...environment,
      CODE_HOSTING_PUBLIC_REPOSITORY: environment.CODE_HOSTING_PRIVATE_REPOSITORY ?? '',
      CODE_HOSTING_PRIVATE_REPOSITORY: 'maria/not-there',
    }))

    expect(texts('configuration')).toEqual([
      expect.stringMatching(/CODE_HOSTING_PUBLIC_REPOSITORY: maria\/diary is private, not public/),
      expect.stringMatching(/CODE_HOSTING_PRIVATE_REPOSITORY: .* maria\/not-there and got 404/),
    ])
  })

  it('does not take a server that refuses an accepted account for a wrong repository', async () => {
    const { texts } = await examineReference({
      intermediary: () => async (request, answer) => {
        const parts = await answer(request)
        return request.url.pathname.endsWith('/maria/diary') ? { ...parts, status: 401 } : parts
      },
    })

    expect(texts('configuration')).toEqual([])
    expect(texts('warning')).toEqual([
      expect.stringMatching(
        /CODE_HOSTING_PRIVATE_REPOSITORY: .*maria\/diary and got 401: a run judges/,
      ),
    ])
  })

  it('counts few repositories, and asks for no more pages than it needs', async () => {
    const { texts, facts, seen } = await examineReference({
      codeHosting: { population: { mainRepositories: 5 } },
    })

    expect(texts('warning').join('\n')).toMatch(/has 5 repositories; with more than 50/)
    expect(facts['code-hosting']).toMatchObject({ repositories: 5 })
    expect(seen.filter(({ path }) => path.includes('page=2'))).toEqual([])
  })

  it('counts pages where the server does not count items', async () => {
    const { facts } = await examineReference({
      codeHosting: { change: (rules) => ({ ...rules, totalCount: () => undefined }) },
    })

    expect(facts['code-hosting']).toMatchObject({ repositories: 57, totalCount: false })
  })

  it('tells of an event that is not there', async () => {
    const { texts } = await examineReference({}, (environment) => ({
      ...environment,
      EVENT_PUBLISHING_EVENT_ID: 'gone',
    }))

    expect(texts('configuration')).toEqual([
      expect.stringMatching(/EVENT_PUBLISHING_EVENT_ID: there is no event with that id/),
    ])
  })
})

describe('what the server says', () => {
  it('tells of a clock that is two minutes off', async () => {
    const { texts, clocks } = await examineReference({
      intermediary: () => async (request, answer) => {
        const parts = await answer(request)
        parts.headers.set('Date', new Date(Date.now() - 120_000).toUTCString())
        return parts
      },
    })

    expect(texts('warning')).toContainEqual(
      expect.stringMatching(
        /clock of the server is 1[12]\d s behind.*one-time codes will not match/,
      ),
    )
    expect(clocks['code-hosting']?.most).toBeLessThan(-110)
  })

  it('never repeats a secret, and is cut where it is long', async () => {
    const examined = await examineReference({
      codeHosting: {
        change: (rules) => ({
          ...rules,
          userRecord: (account) => ({ login: `${account.password} ${'x'.repeat(5000)}` }),
        }),
      },
    })
    const told = JSON.stringify(examined.findings)

    expect(examined.texts('configuration')[0]).toMatch(/\$CODE_HOSTING_PASSWORD/)
    expect(told).not.toContain(examined.environment.CODE_HOSTING_PASSWORD)
    expect(told.length).toBeLessThan(10_000)
  })
})
