import { Secret, TOTP } from 'otpauth'
import { describe, expect, it } from 'vitest'
import { start } from '../test-client.fixture.ts'

const user = 'GET /api/v1/user'
const list = 'GET /api/v1/user/repos'
const tokens = '/api/v1/users/maria/tokens'

describe('credentials', () => {
  it('name the account in every documented way', async () => {
    const client = await start()
    const token = (await client.bearer('', 'all')).replace('Bearer ', '')
    for (const as of [client.basic(), `bEARER ${token}`, `tOKEN ${token}`]) {
      expect((await client.send(user, { as })).json).toMatchObject({ login: 'maria' })
    }
    for (const parameter of ['token', 'access_token']) {
      expect(await client.status(`${user}?${parameter}=${token}`)).toBe(200)
    }
    for (const as of ['Bearer nothing', token, `Digest ${token}`, undefined]) {
      expect(await client.status(user, { as })).toBe(401)
    }
  })

  it('of a site admin alone act as others, by header and by query', async () => {
    const client = await start()
    const as = client.basic('ADMIN_')
    const asOther = { as, headers: { Sudo: 'oscar' } }
    expect((await client.send(user, asOther)).json).toMatchObject({ login: 'oscar' })
    expect((await client.send(`${user}?sudo=Oscar`, { as })).json).toMatchObject({ login: 'oscar' })
    expect(await client.status(`${user}?sudo=nobody`, { as })).toBe(404)
    expect(await client.status(user, { ...asOther, as: client.basic() })).toBe(403)
  })

  it('with two factors need a current code for a token and for nothing else', async () => {
    const client = await start()
    const secret = Secret.fromBase32(client.variable('CODE_HOSTING_OTP_SECRET'))
    const code = new TOTP({ secret }).generate()
    const old = new TOTP({ secret }).generate({ timestamp: Date.now() - 3_600_000 })
    const create = async (name: string, headers = {}) =>
      (await client.createToken('OTP_', { name, scopes: ['all'] }, headers)).status
    expect(await create('without')).toBe(401)
    if (old !== code) expect(await create('old', { 'X-Service-OTP': old })).toBe(401)
    expect(await create('right', { 'X-Service-OTP': code })).toBe(201)
    expect(await client.status(user, { as: client.basic('OTP_') })).toBe(200)
  })
})

describe('tokens', () => {
  it('are made with a password, listed without their value, and deleted for good', async () => {
    const client = await start()
    const as = client.basic()
    const { json } = await client.createToken('', { name: 'one', scopes: ['read:user'] })
    const { sha1 } = Object(json)
    expect(json).toMatchObject({ name: 'one', token_last_eight: sha1.slice(-8) })
    expect((await client.send(`GET ${tokens}`, { as })).text).not.toContain(sha1)
    expect(await client.status(user, { as: `Bearer ${sha1}` })).toBe(200)
    expect(await client.status(`POST ${tokens}`, { as: `Bearer ${sha1}`, body: {} })).toBe(401)
    expect(await client.status(`POST ${tokens}`, { as: client.basic('OTHER_'), body: {} })).toBe(
      403,
    )
    expect(await client.status(`DELETE ${tokens}/one`, { as })).toBe(204)
    expect(await client.status(`DELETE ${tokens}/one`, { as })).toBe(404)
    expect(await client.status(user, { as: `Bearer ${sha1}` })).toBe(401)
  })

  it.each<[string, unknown, number]>([
    ['another name', { name: 'two', scopes: ['write:issue', 'public-only'] }, 201],
    ['a name that is taken', { name: 'one', scopes: ['all'] }, 400],
    ['an unknown scope', { name: 'two', scopes: ['read:moon'] }, 400],
    ['a scope of site admins', { name: 'two', scopes: ['read:admin'] }, 403],
    ['no name', { scopes: ['all'] }, 422],
    ['no scopes', { name: 'two' }, 422],
    ['broken JSON', '{"name": "two"', 400],
  ])('with %s', async (_what, body, status) => {
    const client = await start()
    await client.createToken('', { name: 'one', scopes: ['all'] })
    expect((await client.createToken('', body)).status).toBe(status)
  })

  it.each([
    [['read:user'], [200, 200, 403]],
    [['write:repository'], [403, 200, 200]],
    [['all'], [200, 200, 200]],
    [
      ['write:issue', 'write:organization'],
      [403, 403, 403],
    ],
    [['public-only'], [403, 403, 403]],
    [[], [403, 403, 403]],
  ])('with %j open the user, the listing and a repository with %j', async (scopes, expected) => {
    const client = await start()
    const as = await client.bearer('', ...scopes)
    const requests = [user, list, 'GET /api/v1/repos/maria/lighthouse']
    const statuses = await Promise.all(requests.map((request) => client.status(request, { as })))
    expect(statuses).toEqual(expected)
  })
})

describe('repositories', () => {
  it('are shown, hidden, made and changed', async () => {
    const client = await start()
    const [own, other] = [await client.bearer('', 'all'), await client.bearer('OTHER_', 'all')]
    const make = (request: string, as: string, body?: unknown) =>
      client.status(request, { as, body })
    expect(await make('GET /api/v1/repos/Maria/LightHouse', other)).toBe(200)
    expect(await make('GET /api/v1/repos/maria/diary', own)).toBe(200)
    expect(await make('GET /api/v1/repos/maria/diary', other)).toBe(404)
    expect(await make('POST /api/v1/user/repos', other, { name: 'sextant' })).toBe(201)
    expect(await make('POST /api/v1/user/repos', other, { name: 'sextant' })).toBe(409)
    const change = 'PATCH /api/v1/repos/oscar/sextant'
    const changed = await client.send(change, { as: other, body: { description: 'New' } })
    expect(changed.json).toMatchObject({ description: 'New' })
    expect(await make(change, own, {})).toBe(403)
    expect(await make('PATCH /api/v1/repos/maria/attic', own, {})).toBe(423)
    expect(await make('PUT /api/v1/user/starred/maria/lighthouse', own)).toBe(204)
    expect(await make('DELETE /api/v1/user', own)).toBe(404)
  })

  it.each([
    ['', '1 20 57 true', 'next=2 last=3'],
    ['?limit=0', '1 20 57 true', 'next=2 last=3'],
    ['?limit=abc&page=abc', '1 20 57 true', 'next=2 last=3'],
    ['?limit=26', '1 25 57 true', 'next=2 last=3'],
    ['?limit=1000&page=3', '3 25 57 false', 'first=1 prev=2'],
    ['?limit=9&page=3', '3 9 57 true', 'next=4 last=7 first=1 prev=2'],
    ['?page=-1', '1 20 57 true', 'next=2 last=3'],
    ['?page=4', '4 20 57 false', 'first=1 prev=3'],
    ['?page=99999999999999999999', '9007199254740991 20 57 false', 'first=1 prev=3'],
  ])('are listed with %s as %s, with the links %s', async (query, numbers, links) => {
    const client = await start()
    const { headers } = await client.send(list + query, { as: client.basic() })
    const names = ['X-Page', 'X-PerPage', 'X-Total-Count', 'X-HasMore']
    expect(names.map((name) => headers.get(name)).join(' ')).toBe(numbers)
    const entries = (headers.get('Link') ?? '').matchAll(/page=(\d+)>; rel="(\w+)"/g)
    expect([...entries].map(([, page, relation]) => `${relation}=${page}`).join(' ')).toBe(links)
  })

  it('are linked to without the token of the request', async () => {
    const client = await start()
    const token = (await client.bearer('', 'all')).replace('Bearer ', '')
    const { headers } = await client.send(`${list}?token=${token}`)
    expect(headers.get('Link')).toContain(`<${client.reference.baseUrl}/api/v1/user/repos?limit=`)
    expect(headers.get('Link')).not.toContain(token)
  })

  it.each([
    ['small-account', '5', true],
    ['single-repository', '1', false],
    ['no-repositories', '0', false],
  ])(
    'of a %s are %s; the environment names others only where they are',
    async (variant, total, named) => {
      const client = await start({ variant })
      const { headers } = await client.send(list, { as: client.basic() })
      expect(headers.get('X-Total-Count')).toBe(total)
      const { environment } = client.reference
      expect('CODE_HOSTING_PRIVATE_REPOSITORY' in environment).toBe(named)
      expect('CODE_HOSTING_ARCHIVED_CHANGE' in environment).toBe(named)
    },
  )

  it.each([
    ['list-that-grows', ['57', '58', '59']],
    ['list-that-shrinks', ['57', '56', '55']],
  ])('of a %s change twice and then no more', async (variant, expected) => {
    const client = await start({ variant })
    const totals = new Set<string | null>()
    for (let listing = 1; listing <= 50; listing += 1) {
      const { headers } = await client.send(`${list}?limit=1`, { as: client.basic() })
      totals.add(headers.get('X-Total-Count'))
    }
    expect([...totals]).toEqual(expected)
  })
})
