import { Secret, TOTP } from 'otpauth'
import { describe, expect, it, onTestFinished } from 'vitest'
import { variables } from '../cli/services.ts'
import { type ReferenceOptions, startReference } from './index.ts'

interface Parts {
  /** The value of the `Authorization` header. */
  as?: string
  headers?: Record<string, string>
  /** Sent as JSON; a string is sent unchanged. */
  body?: unknown
}

/** Starts a server that stops after the test, and returns functions that send requests to it. */
async function start(options: ReferenceOptions = {}) {
  const reference = await startReference(options)
  onTestFinished(() => reference.close())
  const { baseUrl, environment } = reference

  /** @param request method and path below the base URL, as in `GET /api/v1/user` */
  async function send(request: string, { as, headers, body }: Parts = {}) {
    const [method, path = ''] = request.split(/ (.*)/)
    const response = await fetch(baseUrl + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(as !== undefined && { Authorization: as }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const json = /json/.test(response.headers.get('Content-Type') ?? '') ? JSON.parse(text) : {}
    return { status: response.status, headers: response.headers, text, json }
  }
  const status = async (request: string, parts?: Parts) => (await send(request, parts)).status

  /** The `Authorization` header with the password of an account: `''`, `OTHER_` and so on. */
  const basic = (account = '') =>
    `Basic ${btoa(`${environment[`CODE_HOSTING_${account}USERNAME`]}:${environment[`CODE_HOSTING_${account}PASSWORD`]}`)}`
  const createToken = (account: string, body: unknown, headers = {}) => {
    const user = environment[`CODE_HOSTING_${account}USERNAME`]
    return send(`POST /api/v1/users/${user}/tokens`, { as: basic(account), body, headers })
  }
  /** The `Authorization` header with a new token of the account. */
  const bearer = async (account: string, ...scopes: string[]) =>
    `Bearer ${(await createToken(account, { name: scopes.join(), scopes })).json.sha1}`
  return { reference, environment, send, status, basic, createToken, bearer }
}

const settings = 'GET /api/v1/settings/api'
const user = 'GET /api/v1/user'
const list = 'GET /api/v1/user/repos'

describe('startReference', () => {
  it('counts requests, and closes immediately with active requests', async () => {
    const { reference } = await start({ latencyMs: 600_000 })
    const { origin } = reference
    const pending = Array.from({ length: 8 }, () =>
      expect(fetch(`${origin}/api/v1/settings/api`)).rejects.toThrow(),
    )
    await expect.poll(() => reference.requests()).toBe(8)
    await reference.close()
    await Promise.all([...pending, expect(fetch(origin)).rejects.toThrow()])
  })

  it('responds after the latency', async () => {
    const { status } = await start({ latencyMs: 50 })
    const started = performance.now()
    expect(await status(settings)).toBe(200)
    expect(performance.now() - started).toBeGreaterThanOrEqual(45)
  })

  it('serves all services below a base path, and returns the variables of the requested ones', async () => {
    const { reference, environment, status } = await start({
      services: ['event-publishing'],
      basePath: '/all',
    })
    expect(Object.keys(environment).every((name) => name.startsWith('EVENT_'))).toBe(true)
    expect(environment.EVENT_PUBLISHING_BASE_URL).toBe(`${reference.origin}/all`)
    expect(await status('POST /v1/incidents/INC-1/updates')).toBe(401)
    expect(await status(settings)).toBe(200)
    const outside = await fetch(`${reference.origin}/v1/events/1`)
    expect(outside.status).toBe(404)
    expect(await outside.json()).toMatchObject({ url: `${reference.baseUrl}/api/swagger` })
  })

  it('creates new secrets at each start', async () => {
    const [one, other] = [await start(), await start()]
    const secrets = variables.filter(({ name, secret }) => secret && name in one.environment)
    expect(secrets.length).toBeGreaterThan(5)
    for (const { name } of secrets) {
      expect(one.environment[name]).toMatch(/^[\w-]{20,}$/)
      expect(one.environment[name]).not.toBe(other.environment[name])
    }
  })

  it.each([{ fault: 'server-error-message-exposed' }, { variant: 'server-error-once' }])(
    'resets the state of %o at each start',
    async (options) => {
      for (const { status, basic } of [await start(options), await start(options)]) {
        const as = basic()
        expect([await status(list, { as }), await status(list, { as })]).toEqual([500, 200])
      }
    },
  )

  it('combines faults, but rejects two of the same rule or of different variants', async () => {
    const fault = ['missing-repository-rejected-with-403', 'documentation-missing']
    const { status, basic } = await start({ fault })
    const as = basic()
    expect(await status('GET /api/swagger')).toBe(404)
    expect(await status('GET /api/v1/repos/maria/nope', { as })).toBe(403)
    const same = ['wrong-password-accepted', 'basic-rejected']
    await expect(startReference({ fault: same })).rejects.toThrow('passwordHolds')
    const others = ['disabled-query-token-accepted', 'disabled-legacy-accepted']
    await expect(startReference({ fault: others })).rejects.toThrow('legacy-dis')
  })

  it('rejects an unknown name and a port in use', async () => {
    await expect(startReference({ fault: 'next-link-stack' })).rejects.toThrow(/next-link-stack/)
    await expect(startReference({ variant: 'base-paths' })).rejects.toThrow(/base-paths/)
    const port = Number(new URL((await start()).reference.origin).port)
    await expect(startReference({ port })).rejects.toThrow(/EADDRINUSE/)
  })

  it.each([
    ['list-that-grows', ['57', '58', '59']],
    ['list-that-shrinks', ['57', '56', '55']],
  ])('changes a %s twice and then keeps it', async (variant, expected) => {
    const { send, basic } = await start({ variant })
    const totals = new Set<string | null>()
    for (let listing = 1; listing <= 50; listing += 1) {
      totals.add((await send(`${list}?limit=1`, { as: basic() })).headers.get('X-Total-Count'))
    }
    expect([...totals]).toEqual(expected)
  })
})

describe('code hosting', () => {
  it('creates tokens with a password, lists them without their value, and deletes them', async () => {
    const { send, status, basic, createToken } = await start()
    const tokens = '/api/v1/users/maria/tokens'
    const as = basic()
    const { json } = await createToken('', { name: 'one', scopes: ['read:user'] })
    expect((await send(`GET ${tokens}`, { as })).text).not.toContain(json.sha1)
    expect(await status(`POST ${tokens}`, { as: basic('OTHER_'), body: {} })).toBe(403)
    expect(await status(`DELETE ${tokens}/one`, { as })).toBe(204)
    expect(await status(`DELETE ${tokens}/one`, { as })).toBe(404)
    expect(await status(user, { as: `Bearer ${json.sha1}` })).toBe(401)
  })

  it.each<[string, unknown, number]>([
    ['a scope of site admins', { name: 'two', scopes: ['read:admin'] }, 403],
    ['no scopes', { name: 'two' }, 422],
    ['a name that is a number', { name: 2, scopes: ['all'] }, 422],
    ['no object', '[]', 400],
  ])('creates no token with %s', async (_description, body, expected) => {
    const { createToken } = await start()
    expect((await createToken('', body)).status).toBe(expected)
  })

  it('requires a current one-time code only for token creation', async () => {
    const { environment, status, basic, createToken } = await start()
    const secret = Secret.fromBase32(environment.CODE_HOSTING_OTP_SECRET ?? '')
    const token = { name: 'one', scopes: ['all'] }
    const old = new TOTP({ secret }).generate({ timestamp: Date.now() - 3_600_000 })
    const code = new TOTP({ secret }).generate()
    if (old !== code) {
      expect((await createToken('OTP_', token, { 'X-Service-OTP': old })).status).toBe(401)
    }
    expect((await createToken('OTP_', token, { 'X-Service-OTP': code })).status).toBe(201)
    expect(await status(user, { as: basic('OTP_') })).toBe(200)
  })

  it('returns, creates and changes repositories, and rejects sudo as an unknown user', async () => {
    const { send, status, basic, bearer } = await start()
    const [own, other] = [await bearer('', 'all'), await bearer('OTHER_', 'all')]
    const sextant = { as: other, body: { name: 'sextant' } }
    expect(await status('GET /api/v1/repos/Maria/LightHouse', { as: other })).toBe(200)
    expect(await status('POST /api/v1/user/repos', sextant)).toBe(201)
    expect(await status('POST /api/v1/user/repos', sextant)).toBe(409)
    const change = 'PATCH /api/v1/repos/oscar/sextant'
    const { json } = await send(change, { as: other, body: {} })
    expect(json).toMatchObject({ full_name: 'oscar/sextant' })
    expect(await status(change, { as: own, body: {} })).toBe(403)
    expect(await status('DELETE /api/v1/user', { as: own })).toBe(404)
    expect(await status(`${user}?sudo=nobody`, { as: basic('ADMIN_') })).toBe(404)
  })

  it.each([
    ['?limit=abc&page=abc', '1 20 57 true', 'next=2 last=3'],
    ['?limit=9&page=3', '3 9 57 true', 'next=4 last=7 first=1 prev=2'],
    ['?page=99999999999999999999', '9007199254740991 20 57 false', 'first=1 prev=3'],
  ])('returns for a list with %s the page %s and the links %s', async (query, numbers, links) => {
    const { send, basic } = await start()
    const { headers } = await send(list + query, { as: basic() })
    const names = ['X-Page', 'X-PerPage', 'X-Total-Count', 'X-HasMore']
    expect(names.map((name) => headers.get(name)).join(' ')).toBe(numbers)
    const entries = (headers.get('Link') ?? '').matchAll(/page=(\d+)>; rel="(\w+)"/g)
    expect([...entries].map(([, page, relation]) => `${relation}=${page}`).join(' ')).toBe(links)
  })
})

describe('services with keys', () => {
  it('reject invalid events, and an idempotency key with another event', async () => {
    const { environment, send, status } = await start()
    const key = { 'X-Events-Key': environment.EVENT_PUBLISHING_API_KEY ?? '' }
    const event = { type: 'order.shipped', payload: { order: 17 } }
    const publish = (body: unknown, headers = {}) =>
      send('POST /v1/events', { body, headers: { ...key, ...headers } })
    const wrong = ['', 'order', 'Order.shipped', 'order..shipped', 7].map((type) => ({ type }))
    for (const part of [...wrong, ...[null, 'text', [[1]]].map((payload) => ({ payload }))]) {
      expect((await publish({ ...event, ...part })).status).toBe(400)
    }
    for (const body of ['', '{', '[]']) expect((await publish(body)).status).toBe(400)
    const same = { 'Idempotency-Key': 'same' }
    const responses = await Promise.all([publish(event, same), publish(event, same)])
    expect(responses[0]?.text).toBe(responses[1]?.text)
    expect((await publish({ ...event, payload: {} }, same)).status).toBe(409)
    const path = `/v1/events/${responses[0]?.json.id}`
    expect(await status(`POST ${path}/replay`, { headers: key, body: 'text' })).toBe(202)
    expect((await send(`GET ${path}`, { headers: key })).json).toMatchObject({ attempts: 2 })
  })

  it('reject invalid updates and an unknown incident', async () => {
    const { environment, status } = await start()
    const as = `Bearer ${environment.INCIDENT_STATUS_API_KEY}`
    const update = (body: unknown, incident = 'INC-2031') =>
      status(`POST /v1/incidents/${incident}/updates`, { as, body })
    for (const body of ['', '[]', {}, { status: 1, message: 'b' }]) {
      expect(await update(body)).toBe(400)
    }
    expect(await update(environment.INCIDENT_STATUS_UPDATE_BODY, 'INC-1')).toBe(404)
  })
})
