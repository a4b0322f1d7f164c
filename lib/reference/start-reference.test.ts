import { describe, expect, it } from 'vitest'
import { faults, type RunningReference, startReference, variants } from './index.ts'
import { startAll } from './test-client.fixture.ts'

describe('startReference', () => {
  it('counts requests and listens no more after close', async () => {
    const reference = await startReference()
    const address = `${reference.origin}/api/v1/settings/api`
    expect(reference.requests()).toBe(0)
    expect((await fetch(address)).status).toBe(200)
    await fetch(`${reference.origin}/nothing`)
    expect(reference.requests()).toBe(2)
    await reference.close()
    await expect(fetch(address)).rejects.toThrow()
  })

  it('closes at once while a response is held back', async () => {
    const reference = await startReference({ latencyMs: 60_000 })
    const pending = fetch(`${reference.origin}/api/v1/settings/api`)
    const failure = expect(pending).rejects.toThrow()
    while (reference.requests() === 0) await new Promise((resolve) => setTimeout(resolve, 2))
    const started = performance.now()
    await reference.close()
    expect(performance.now() - started).toBeLessThan(1000)
    await failure
  })

  it('holds back responses side by side', async () => {
    const reference = await startReference({ latencyMs: 50 })
    const started = performance.now()
    await Promise.all(
      Array.from({ length: 8 }, () => fetch(`${reference.origin}/api/v1/settings/api`)),
    )
    const elapsed = performance.now() - started
    await reference.close()
    expect(elapsed).toBeGreaterThanOrEqual(45)
    expect(elapsed).toBeLessThan(8 * 50)
  })

  it('serves below a base path and nowhere else', async () => {
    const reference = await startReference({ basePath: '/git' })
    expect(reference.baseUrl).toBe(`${reference.origin}/git`)
    expect((await fetch(`${reference.baseUrl}/api/v1/settings/api`)).status).toBe(200)
    const outside = await fetch(`${reference.origin}/api/v1/settings/api`)
    expect(outside.status).toBe(404)
    expect(await outside.json()).toMatchObject({ url: `${reference.baseUrl}/api/swagger` })
    await reference.close()
  })

  it('tells of the services that are asked for, and serves all of them', async () => {
    const prefixesOf = ({ environment }: RunningReference) =>
      [...new Set(Object.keys(environment).map((name) => name.split('_')[0]))].sort()
    const events = await startReference({ services: ['event-publishing'], basePath: '/all' })
    expect(prefixesOf(events)).toEqual(['EVENT'])
    expect(events.environment.EVENT_PUBLISHING_BASE_URL).toBe(events.baseUrl)
    const incident = `${events.baseUrl}/v1/incidents/INC-1/updates`
    expect((await fetch(incident, { method: 'POST' })).status).toBe(401)
    expect((await fetch(`${events.baseUrl}/api/v1/settings/api`)).status).toBe(200)
    expect((await fetch(`${events.origin}/v1/events/1`)).status).toBe(404)
    await events.close()
    const all = await startAll()
    expect(prefixesOf(all)).toEqual(['CODE', 'EVENT', 'INCIDENT'])
    await all.close()
  })

  it('makes new secrets at each start', async () => {
    const [one, other] = await Promise.all([startAll(), startAll()])
    for (const variable of [
      'CODE_HOSTING_PASSWORD',
      'CODE_HOSTING_OTHER_PASSWORD',
      'CODE_HOSTING_OTP_SECRET',
      'CODE_HOSTING_ADMIN_PASSWORD',
      'EVENT_PUBLISHING_API_KEY',
      'INCIDENT_STATUS_API_KEY',
    ]) {
      expect(one.environment[variable]).toMatch(/^[\w-]{20,}$/)
      expect(one.environment[variable]).not.toBe(other.environment[variable])
    }
    await Promise.all([one.close(), other.close()])
  })

  it('refuses a name that there is not', async () => {
    await expect(startReference({ fault: 'next-link-stack' })).rejects.toThrow(/next-link-stack/)
    await expect(startReference({ variant: 'base-paths' })).rejects.toThrow(/base-paths/)
  })

  it('fails when the port is taken', async () => {
    const reference = await startReference()
    const port = Number(new URL(reference.origin).port)
    await expect(startReference({ port })).rejects.toThrow(/EADDRINUSE/)
    await reference.close()
  })
})

describe('the registries', () => {
  it('have unique names in kebab case', () => {
    for (const entries of [faults, variants]) {
      const names = entries.map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      for (const name of names) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    }
  })

  it('tie every fault to requirements of one service', () => {
    for (const { requirements } of faults) {
      expect(requirements.length).toBeGreaterThan(0)
      const [service] = requirements[0]?.split('/') ?? []
      expect(service).toMatch(/^(code-hosting|event-publishing|incident-status)$/)
      for (const id of requirements) expect(id).toMatch(/^[a-z-]+\/[a-z]+\/[a-z-]+$/)
      expect(new Set(requirements.map((id) => id.split('/')[0])).size).toBe(1)
    }
  })
})
