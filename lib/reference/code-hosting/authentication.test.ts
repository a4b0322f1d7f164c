import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startReference } from '../start-reference.ts'
import { TestClient } from './test-client.fixture.ts'

const user = '/api/v1/user'
let client: TestClient
let token: string

beforeAll(async () => {
  client = new TestClient(await startReference())
  token = await client.token('', 'all')
})
afterAll(() => client.reference.close())

describe('missing and invalid credentials', () => {
  it.each([user, '/api/v1/user/repos', '/api/v1/repos/maria/lighthouse'])(
    'refuses %s without credentials',
    async (path) => {
      const answer = await client.send(path)
      expect(answer.status).toBe(401)
      expect(answer.json).toEqual({
        message: 'token is required',
        url: `${client.reference.baseUrl}/api/swagger`,
      })
      expect(answer.headers.get('WWW-Authenticate')).toContain('Bearer')
    },
  )

  it('refuses tokens, passwords and schemes that do not hold', async () => {
    const wrong = [
      'Bearer nothing',
      `token ${'0'.repeat(40)}`,
      client.basic('', 'wrong'),
      token,
      `Digest ${token}`,
    ]
    for (const authorization of wrong) {
      const answer = await client.send(user, { authorization })
      expect(answer.status).toBe(401)
      expect(answer.json).toMatchObject({ message: 'invalid username, password or token' })
    }
  })
})

describe('ways of sending credentials', () => {
  it.each(['Bearer', 'bearer', 'BEARER'])('accepts %s without deprecation', async (prefix) => {
    const answer = await client.send(user, { authorization: `${prefix} ${token}` })
    expect(answer.json).toMatchObject({ login: 'maria' })
    for (const name of ['Deprecation', 'Sunset', 'Warning']) {
      expect(answer.headers.has(name)).toBe(false)
    }
  })

  it.each(['token', 'Token', 'TOKEN'])('accepts %s and calls it deprecated', async (prefix) => {
    const answer = await client.send(user, { authorization: `${prefix} ${token}` })
    expect(answer.json).toMatchObject({ login: 'maria' })
    expect(answer.headers.get('Deprecation')).toBe('true')
    expect(answer.headers.get('Sunset')).toBe('Wed, 01 Apr 2026 00:00:00 GMT')
    expect(answer.headers.get('Warning')).toMatch(/^299 \S+ ".*deprecated.*Bearer.*"$/)
  })

  it('accepts both query parameters and the password', async () => {
    const login = { login: 'maria' }
    expect((await client.send(`${user}?token=${token}`)).json).toMatchObject(login)
    expect((await client.send(`${user}?access_token=${token}`)).json).toMatchObject(login)
    expect((await client.send(user, { authorization: client.basic('') })).json).toMatchObject(login)
  })
})

describe('sudo', () => {
  it('lets a site admin act as another user, by header and by query', async () => {
    const authorization = client.basic('ADMIN_')
    const plain = await client.send(user, { authorization })
    const byHeader = await client.send(user, { authorization, headers: { Sudo: 'oscar' } })
    const byQuery = await client.send(`${user}?sudo=Oscar`, { authorization })
    expect(plain.json).toMatchObject({ login: 'ada' })
    expect(byHeader.json).toMatchObject({ login: 'oscar' })
    expect(byQuery.json).toMatchObject({ login: 'oscar' })
  })

  it('refuses everyone else, and users that do not exist', async () => {
    const refused = await client.send(user, {
      authorization: `Bearer ${token}`,
      headers: { Sudo: 'oscar' },
    })
    expect(refused.status).toBe(403)
    const missing = await client.send(`${user}?sudo=nobody`, {
      authorization: client.basic('ADMIN_'),
    })
    expect(missing.status).toBe(404)
  })
})

describe('one-time codes', () => {
  it('are needed for a token, and must be current', async () => {
    const generator = new TOTP({ secret: Secret.fromBase32(client.variable('OTP_SECRET')) })
    const timestamp = Date.now()
    const near = [-2, -1, 0, 1, 2].map((step) =>
      generator.generate({ timestamp: timestamp + step * 30_000 }),
    )
    const wrong = ['000000', '111111', '222222', '333333', '444444', '555555'].find(
      (code) => !near.includes(code),
    )
    const create = (name: string, headers: Record<string, string>) =>
      client.createToken('OTP_', { name, scopes: ['all'] }, headers)
    expect((await create('without', {})).status).toBe(401)
    expect((await create('wrong', { 'X-Service-OTP': wrong ?? '' })).status).toBe(401)
    const current = { 'X-Service-OTP': generator.generate() }
    expect((await create('right', current)).status).toBe(201)
    expect((await create('again', current)).status).toBe(201)
  })

  it('are not needed for calls with a password', async () => {
    const answer = await client.send(user, { authorization: client.basic('OTP_') })
    expect(answer.json).toMatchObject({ login: 'tess' })
  })
})
