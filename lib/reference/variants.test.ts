import { Secret, TOTP } from 'otpauth'
import { afterEach, describe, expect, it } from 'vitest'
import { TestClient } from './code-hosting/test-client.fixture.ts'
import { startReference, variants } from './index.ts'
import { startAll } from './test-client.fixture.ts'

const list = '/api/v1/user/repos'
const open: TestClient[] = []

async function start(variant: string): Promise<TestClient> {
  const client = new TestClient(await startReference({ variant }))
  open.push(client)
  return client
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.reference.close()))
})

async function linkField(variant: string, query = ''): Promise<string | null> {
  const client = await start(variant)
  const { headers } = await client.send(list + query, { authorization: client.basic('') })
  return headers.get('Link')
}

describe('variants', () => {
  it.each(variants.map(({ name }) => name))('%s starts and serves its settings', async (name) => {
    const client = await start(name)
    const answer = await client.send('/api/v1/settings/api')
    expect(answer.status).toBe(200)
    const expected = client.reference.environment.CODE_HOSTING_MAX_RESPONSE_ITEMS ?? '25'
    expect(answer.json).toMatchObject({ max_response_items: Number(expected) })
  })
})

describe('several services', () => {
  it('event-and-incident-base-urls-alone tells no more of the two', async () => {
    const reference = await startAll({ variant: 'event-and-incident-base-urls-alone' })
    const told = Object.keys(reference.environment)
    expect(told.filter((name) => !name.startsWith('CODE_HOSTING_'))).toEqual([
      'EVENT_PUBLISHING_BASE_URL',
      'INCIDENT_STATUS_BASE_URL',
    ])
    expect(reference.environment.CODE_HOSTING_PASSWORD).toBeDefined()
    await reference.close()
  })

  it('are under the base path of a variant', async () => {
    const reference = await startAll({ variant: 'base-path' })
    for (const service of ['CODE_HOSTING', 'EVENT_PUBLISHING', 'INCIDENT_STATUS']) {
      expect(reference.environment[`${service}_BASE_URL`]).toBe(`${reference.origin}/git`)
    }
    await reference.close()
  })
})

describe('configuration', () => {
  it('legacy-disabled refuses the prefix and no other', async () => {
    const client = await start('legacy-disabled')
    expect(client.variable('ALLOW_LEGACY_TOKEN_SCHEME')).toBe('false')
    const token = await client.token('', 'all')
    const answer = await client.send('/api/v1/user', { authorization: `Token ${token}` })
    expect(answer.status).toBe(401)
    expect(answer.json).toMatchObject({
      message: "the 'token' authorization scheme is disabled; use 'Authorization: Bearer <token>'",
    })
    const bearer = await client.send('/api/v1/user', { authorization: `Bearer ${token}` })
    expect(bearer.status).toBe(200)
  })

  it('query-disabled refuses both parameters', async () => {
    const client = await start('query-disabled')
    expect(client.variable('DISABLE_QUERY_AUTH_TOKEN')).toBe('true')
    const token = await client.token('', 'all')
    for (const parameter of ['token', 'access_token']) {
      expect((await client.send(`/api/v1/user?${parameter}=${token}`)).status).toBe(401)
    }
  })

  it('other-settings tells and applies them', async () => {
    const client = await start('other-settings')
    expect(client.variable('DEFAULT_PAGING_NUM')).toBe('7')
    const perPage = async (query: string) => {
      const answer = await client.send(list + query, { authorization: client.basic('') })
      return answer.headers.get('X-PerPage')
    }
    expect(await perPage('')).toBe('7')
    expect(await perPage('?limit=11')).toBe('10')
  })

  it.each([
    ['small-account', '5', true],
    ['single-repository', '1', false],
    ['no-repositories', '0', false],
  ])('%s has %s repositories', async (variant, total, hasPrivate) => {
    const client = await start(variant)
    const answer = await client.send(list, { authorization: client.basic('') })
    expect(answer.headers.get('X-Total-Count')).toBe(total)
    expect(answer.headers.has('Link')).toBe(false)
    const { environment } = client.reference
    expect('CODE_HOSTING_PRIVATE_REPOSITORY' in environment).toBe(hasPrivate)
    expect('CODE_HOSTING_ARCHIVED_CHANGE' in environment).toBe(hasPrivate)
  })

  it('given-token names a token that works, and no password', async () => {
    const { reference } = await start('given-token')
    expect(reference.environment.CODE_HOSTING_PASSWORD).toBeUndefined()
    const answer = await fetch(`${reference.baseUrl}/api/v1/user`, {
      headers: { Authorization: `Bearer ${reference.environment.CODE_HOSTING_TOKEN}` },
    })
    expect(await answer.json()).toMatchObject({ login: 'maria' })
  })

  it('no-accounts and no-other-account tell less', async () => {
    const none = (await start('no-accounts')).reference
    const own = Object.entries(none.environment).filter(([name]) =>
      name.startsWith('CODE_HOSTING_'),
    )
    expect(Object.fromEntries(own)).toEqual({ CODE_HOSTING_BASE_URL: none.baseUrl })
    const { environment } = (await start('no-other-account')).reference
    expect(Object.keys(environment).filter((name) => name.includes('OTHER'))).toEqual([])
    expect(environment.CODE_HOSTING_PASSWORD).toBeDefined()
  })
})

describe('pagination', () => {
  it('base-path is part of every link', async () => {
    expect(await linkField('base-path')).toMatch(/^<http:[^>]+\/git\/api\/v1\/user\/repos\?/)
  })

  it.each([
    ['link-relative', /^<\/api\/v1\/user\/repos\?limit=20&page=2>; rel="next", </],
    ['link-unquoted', /^<[^>]+>;rel=next,<[^>]+>;rel=last$/],
    ['link-from-other-origin', /^<http:\/\/internal\.example:3000\/api\/v1\/user\/repos\?/],
    ['first-on-first-page', /rel="next", .*rel="last", .*page=1>; rel="first"$/],
  ])('%s has its own form of Link', async (variant, form) => {
    expect(await linkField(variant)).toMatch(form)
  })

  it('no-total-count has the other headers', async () => {
    const client = await start('no-total-count')
    const { headers } = await client.send(list, { authorization: client.basic('') })
    expect(headers.has('X-Total-Count')).toBe(false)
    expect(headers.get('X-HasMore')).toBe('true')
  })
})

describe('answers', () => {
  it('broken-json-422 and unknown-scope-422 answer 422', async () => {
    expect((await (await start('broken-json-422')).createToken('', '{')).status).toBe(422)
    const body = { name: 'unknown', scopes: ['read:moon'] }
    expect((await (await start('unknown-scope-422')).createToken('', body)).status).toBe(422)
  })

  it('public-only-403 and public-only-alone-refused', async () => {
    const client = await start('public-only-403')
    const token = await client.token('', 'read:repository', 'public-only')
    const path = `/api/v1/repos/${client.variable('PRIVATE_REPOSITORY')}`
    expect((await client.send(path, { authorization: `Bearer ${token}` })).status).toBe(403)
    const strict = await start('public-only-alone-refused')
    const body = { name: 'alone', scopes: ['public-only'] }
    expect((await strict.createToken('', body)).status).toBe(400)
  })

  it('one-time-codes-once takes no code a second time', async () => {
    const client = await start('one-time-codes-once')
    const secret = Secret.fromBase32(client.variable('OTP_SECRET'))
    const code = { 'X-Service-OTP': new TOTP({ secret }).generate() }
    const create = async (name: string) =>
      (await client.createToken('OTP_', { name, scopes: ['all'] }, code)).status
    expect(await create('first')).toBe(504)
    expect(await create('second')).toBe(401)
  })

  it('documentation-redirected leads to a page of the same origin', async () => {
    const client = await start('documentation-redirected')
    const { status, headers } = await client.send('/api/swagger')
    expect(status).toBe(302)
    expect((await client.send(headers.get('Location') ?? '')).status).toBe(200)
  })
})

describe('gateways', () => {
  it.each([
    ['server-error-once', 500],
    ['gateway-unavailable-once', 503],
    ['too-many-requests-once', 429],
  ])('%s fails the first listing with %i', async (variant, status) => {
    const client = await start(variant)
    const authorization = client.basic('')
    const failed = await client.send(list, { authorization })
    expect(failed.status).toBe(status)
    if (status === 500) expect(failed.json).toMatchObject({ message: '' })
    expect((await client.send(list, { authorization })).status).toBe(200)
  })
})
