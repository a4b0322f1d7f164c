import { describe, expect, it, onTestFinished } from 'vitest'
import { variables } from '../../cli/services.ts'
import { type ReferenceOptions, startReference } from './index.ts'

/** Starts a server that stops after the test, and returns functions that send requests to it. */
async function start(options: ReferenceOptions = {}) {
  const reference = await startReference(options)
  onTestFinished(() => reference.close())
  const { baseUrl, environment } = reference

  /** Sends requests in order, with the password of the main account, and compares their statuses. */
  async function expectStatuses(...rows: (readonly [request: string, status: number])[]) {
    const { CODE_HOSTING_USERNAME: name, CODE_HOSTING_PASSWORD: password } = environment
    const headers = { Authorization: `Basic ${btoa(`${name}:${password}`)}` }
    const statuses = []
    for (const [request] of rows) {
      const [method, path = ''] = request.split(' ')
      statuses.push((await fetch(baseUrl + path, { method, headers })).status)
    }
    expect(statuses).toEqual(rows.map(([, expected]) => expected))
  }
  return { reference, environment, expectStatuses }
}

const settings = 'GET /api/v1/settings/api'

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
})
