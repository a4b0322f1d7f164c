import { describe, expect, it } from 'vitest'
import { type RunningReference, startReference } from './index.ts'

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

  it('holds back responses side by side, and closes all the same', async () => {
    const reference = await startReference({ latencyMs: 600_000 })
    const pending = Array.from({ length: 8 }, () =>
      expect(fetch(`${reference.origin}/api/v1/settings/api`)).rejects.toThrow(),
    )
    await expect.poll(() => reference.requests()).toBe(8)
    await reference.close()
    await Promise.all(pending)
  })

  it('answers when the time is over', async () => {
    const reference = await startReference({ latencyMs: 50 })
    const started = performance.now()
    expect((await fetch(`${reference.origin}/api/v1/settings/api`)).status).toBe(200)
    expect(performance.now() - started).toBeGreaterThanOrEqual(45)
    await reference.close()
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

  it('has variables of the services that are asked for, and serves all of them', async () => {
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
    const all = await startReference()
    expect(prefixesOf(all)).toEqual(['CODE', 'EVENT', 'INCIDENT'])
    await all.close()
  })

  it('makes new secrets at each start', async () => {
    const [one, other] = await Promise.all([startReference(), startReference()])
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

  it('starts a fault and a variant anew each time', async () => {
    for (const options of [
      { fault: 'server-error-message-shown' },
      { variant: 'server-error-once' },
    ]) {
      for (let start = 0; start < 2; start += 1) {
        const reference = await startReference(options)
        const { CODE_HOSTING_USERNAME: user, CODE_HOSTING_PASSWORD: password } =
          reference.environment
        const headers = { Authorization: `Basic ${btoa(`${user}:${password}`)}` }
        const list = async () =>
          (await fetch(`${reference.origin}/api/v1/user/repos`, { headers })).status
        expect([await list(), await list()]).toEqual([500, 200])
        await reference.close()
      }
    }
  })

  it('has fewer variables of some services where the variant says so', async () => {
    const reference = await startReference({ variant: 'event-and-incident-base-urls-alone' })
    const names = Object.keys(reference.environment)
    expect(names.filter((name) => !name.startsWith('CODE_HOSTING_'))).toEqual([
      'EVENT_PUBLISHING_BASE_URL',
      'INCIDENT_STATUS_BASE_URL',
    ])
    expect(reference.environment.CODE_HOSTING_PASSWORD).toBeDefined()
    await reference.close()
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
