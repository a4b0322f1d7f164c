import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { examineEnvironment, examineReference } from './examination.fixture.ts'
import { MOST_REQUESTS } from './examine.ts'

const closings: (() => unknown)[] = []
afterEach(() => {
  for (const close of closings.splice(0)) close()
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closings.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** An address at which nobody listens. */
async function nowhere(): Promise<string> {
  const url = await serve(() => {})
  for (const close of closings.splice(0)) close()
  return url
}

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
    const { texts, facts, clocks } = await examineReference()

    expect(texts('configuration', 'target')).toEqual([])
    expect(texts('good').join('\n')).toMatch(/The main account is accepted/)
    expect(texts('good').join('\n')).toMatch(/does not see the private repository/)
    expect(texts('good').join('\n')).toMatch(/The site admin is accepted and may act/)
    expect(texts('good').join('\n')).toMatch(/EVENT_PUBLISHING_API_KEY is accepted/)
    expect(facts.codeHosting.main).toEqual({
      count: 57,
      counted: true,
      totalCount: true,
      showsPublic: true,
      showsPrivate: true,
    })
    expect(facts.codeHosting).toMatchObject({ other: { count: 3 }, admin: { count: 2 } })
    expect(Object.keys(clocks)).toHaveLength(3)
  })

  it('looks at the given token in place of a password', async () => {
    const { texts, seen } = await examineReference(
      {
        codeHosting: {
          environment: (environment, { store }) => {
            const { CODE_HOSTING_PASSWORD: _, ...rest } = environment
            const login = environment.CODE_HOSTING_USERNAME ?? ''
            const value = '0123456789abcdef0123456789abcdef01234567'
            store.addToken({ login, name: 'given', scopes: ['all'], value })
            return { ...rest, CODE_HOSTING_TOKEN: value }
          },
        },
      },
      (environment) => ({ ...environment, CODE_HOSTING_ALLOW_LEGACY_TOKEN_SCHEME: 'false' }),
    )

    expect(texts('configuration', 'target')).toEqual([])
    expect(texts('warning').join('\n')).toMatch(/old prefix.*answered with 200.*is false/)
    expect(seen.some(({ authorization }) => authorization.startsWith('Bearer '))).toBe(true)
  })
})

describe('what does not answer', () => {
  it('is told in words, and no credentials are tried', async () => {
    const baseUrl = await nowhere()
    const { findings } = await examineEnvironment({
      CODE_HOSTING_BASE_URL: baseUrl,
      EVENT_PUBLISHING_BASE_URL: baseUrl,
      INCIDENT_STATUS_BASE_URL: baseUrl,
      PROBE_RETRIES: '0',
    })

    expect(findings.map(({ kind }) => kind)).toEqual(['target', 'target', 'target'])
    for (const { text } of findings)
      expect(text).toMatch(/connection was refused.*BASE_URL right\?/)
  })

  it('is not taken for the service when it is a web page', async () => {
    const baseUrl = await serve((_, response) => {
      response.setHeader('Content-Type', 'text/html').end('<p>Welcome</p>')
    })
    const { findings } = await examineEnvironment({
      CODE_HOSTING_BASE_URL: baseUrl,
      EVENT_PUBLISHING_BASE_URL: baseUrl,
    })

    expect(findings.filter(({ kind }) => kind === 'target')).toHaveLength(2)
    expect(findings.map(({ text }) => text).join()).toContain('does not answer like')
  })

  it('names the address to which a base URL redirects', async () => {
    const baseUrl = await serve(({ url }, response) => {
      response.writeHead(301, { Location: `https://git.example.com/forge${url}` }).end()
    })
    const examination = await examineEnvironment({
      CODE_HOSTING_BASE_URL: baseUrl,
      EVENT_PUBLISHING_BASE_URL: baseUrl,
    })
    const findings = examination.findings.filter(({ kind }) => kind !== 'good')

    expect(findings.map(({ kind }) => kind)).toEqual(['configuration', 'configuration'])
    expect(findings[0]?.text).toContain('CODE_HOSTING_BASE_URL=https://git.example.com/forge')
    expect(findings[1]?.text).toContain('EVENT_PUBLISHING_BASE_URL=https://git.example.com/forge')
  })
})

describe('repositories and settings', () => {
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

  it('counts few repositories, and asks for no more pages than it needs', async () => {
    const { texts, facts, seen } = await examineReference({
      codeHosting: { population: { mainRepositories: 5 } },
    })

    expect(texts('warning').join('\n')).toMatch(/has 5 repositories; with more than 50/)
    expect(facts.codeHosting.main?.count).toBe(5)
    expect(seen.filter(({ path }) => path.includes('page=2'))).toEqual([])
  })

  it('counts pages where the server does not count items', async () => {
    const { facts } = await examineReference({
      codeHosting: { change: (rules) => ({ ...rules, totalCount: () => undefined }) },
    })

    expect(facts.codeHosting.main).toMatchObject({ count: 57, counted: true, totalCount: false })
  })

  it('tells of settings that the variables do not have', async () => {
    const { texts } = await examineReference({}, (environment) => ({
      ...environment,
      CODE_HOSTING_DEFAULT_PAGING_NUM: '17',
    }))

    expect(texts('configuration')).toEqual([
      expect.stringMatching(/default_paging_num is 20, and CODE_HOSTING_DEFAULT_PAGING_NUM is 17/),
    ])
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
