import { describe, expect, it, onTestFinished } from 'vitest'
import { variables } from '../../cli/services.ts'
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

  /** Sends requests in order and compares their statuses. */
  async function expectStatuses(...rows: (readonly [string, number, Parts?])[]) {
    const statuses = []
    for (const [request, , parts] of rows) statuses.push((await send(request, parts)).status)
    expect(statuses).toEqual(rows.map(([, expected]) => expected))
  }

  /** The `Authorization` header with the password of an account: `''`, `OTHER_` and so on. */
  const basic = (account = '') =>
    `Basic ${btoa(`${environment[`CODE_HOSTING_${account}USERNAME`]}:${environment[`CODE_HOSTING_${account}PASSWORD`]}`)}`
  return { reference, environment, send, expectStatuses, basic }
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
    const { send } = await start({ latencyMs: 50 })
    const started = performance.now()
    await send(settings)
    expect(performance.now() - started).toBeGreaterThanOrEqual(45)
  })

  it('serves all services below a base path, and returns the variables of the requested ones', async () => {
    const { reference, environment, expectStatuses } = await start({
      services: ['event-publishing'],
      basePath: '/all',
    })
    expect(Object.keys(environment).every((name) => name.startsWith('EVENT_'))).toBe(true)
    expect(environment.EVENT_PUBLISHING_BASE_URL).toBe(`${reference.origin}/all`)
    await expectStatuses(['POST /v1/incidents/INC-1/updates', 401], [settings, 200])
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
      for (const { expectStatuses, basic } of [await start(options), await start(options)]) {
        await expectStatuses([list, 500, { as: basic() }], [list, 200, { as: basic() }])
      }
    },
  )

  it('combines faults, but rejects two of the same rule or of different variants', async () => {
    const fault = ['missing-repository-rejected-with-403', 'documentation-missing']
    const { expectStatuses, basic } = await start({ fault })
    await expectStatuses(
      ['GET /api/swagger', 404],
      ['GET /api/v1/repos/maria/nope', 403, { as: basic() }],
    )
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
})

// The documents do not state these rules, so `prove` does not test them.
describe('code hosting', () => {
  it('creates valid tokens, lists them without their value, and deletes them', async () => {
    const { send, expectStatuses, basic } = await start()
    const [as, tokens] = [basic(), '/api/v1/users/maria/tokens']
    const one = { as, body: { name: 'one', scopes: ['read:user'] } }
    const { sha1 } = (await send(`POST ${tokens}`, one)).json
    expect((await send(`GET ${tokens}`, { as })).text).not.toContain(sha1)
    await expectStatuses(
      [`POST ${tokens}`, 403, { as: basic('OTHER_'), body: {} }],
      [`POST ${tokens}`, 403, { as, body: { name: 'two', scopes: ['read:admin'] } }],
      [`POST ${tokens}`, 422, { as, body: { name: 'two' } }],
      [`POST ${tokens}`, 422, { as, body: { name: 2, scopes: ['all'] } }],
      [`POST ${tokens}`, 400, { as, body: '[]' }],
      [`DELETE ${tokens}/one`, 204, { as }],
      [`DELETE ${tokens}/one`, 404, { as }],
      [user, 401, { as: `Bearer ${sha1}` }],
    )
  })

  it('returns, creates and changes repositories, and rejects sudo as an unknown user', async () => {
    const { send, expectStatuses, basic } = await start()
    const [as, other] = [basic(), basic('OTHER_')]
    const change = 'PATCH /api/v1/repos/oscar/sextant'
    const sextant = { as: other, body: { name: 'sextant' } }
    await expectStatuses(
      ['GET /api/v1/repos/Maria/LightHouse', 200, { as: other }],
      ['POST /api/v1/user/repos', 201, sextant],
      ['POST /api/v1/user/repos', 409, sextant],
      [change, 403, { as, body: {} }],
      ['DELETE /api/v1/user', 404, { as }],
      [`${user}?sudo=nobody`, 404, { as: basic('ADMIN_') }],
    )
    const { json } = await send(change, { as: other, body: {} })
    expect(json).toMatchObject({ full_name: 'oscar/sextant' })
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
    const { environment, send, expectStatuses } = await start()
    const key = { 'X-Events-Key': environment.EVENT_PUBLISHING_API_KEY ?? '' }
    const event = { type: 'order.shipped', payload: { order: 17 } }
    const wrongTypes = ['', 'order', 'Order.shipped', 'order..shipped', 7].map((type) => ({ type }))
    const wrongPayloads = [null, 'text', [[1]]].map((payload) => ({ payload }))
    const wrong = [...wrongTypes, ...wrongPayloads].map((part) => ({ ...event, ...part }))
    const publish = 'POST /v1/events'
    await expectStatuses(
      ...['', '{', '[]', ...wrong].map((body) => [publish, 400, { body, headers: key }] as const),
    )
    const headers = { ...key, 'Idempotency-Key': 'same' }
    const [one, two] = await Promise.all(
      [event, event].map((body) => send(publish, { body, headers })),
    )
    expect(one?.text).toBe(two?.text)
    const path = `/v1/events/${one?.json.id}`
    await expectStatuses(
      [publish, 409, { body: { ...event, payload: {} }, headers }],
      [`POST ${path}/replay`, 202, { headers: key, body: 'text' }],
    )
    const again = await send(`POST ${path}/replay`, { headers: key })
    expect(again.json).toMatchObject({ id: one?.json.id, attempts: 3 })
    const status = await send(`GET ${path}`, { headers: key })
    expect(status.json).toEqual({ id: one?.json.id, type: event.type, status: 'delivered' })
  })

  it('reject invalid updates and an unknown incident', async () => {
    const { environment, expectStatuses } = await start()
    const as = `Bearer ${environment.INCIDENT_STATUS_API_KEY}`
    const body = environment.INCIDENT_STATUS_UPDATE_BODY
    await expectStatuses(
      ...['', '[]', {}, { status: 1, message: 'b' }].map(
        (wrong) => ['POST /v1/incidents/INC-2031/updates', 400, { as, body: wrong }] as const,
      ),
      ['POST /v1/incidents/INC-1/updates', 404, { as, body }],
    )
  })
})
