import { describe, expect, it, onTestFinished } from 'vitest'
import { variables } from '../../cli/services.ts'
import { type ReferenceOptions, startReference } from './index.ts'

async function start(options: ReferenceOptions = {}) {
  const reference = await startReference(options)
  onTestFinished(() => reference.close())
  return reference
}

describe('startReference', () => {
  it('counts requests, and closes immediately with active requests', async () => {
    const reference = await start({ latencyMs: 600_000 })
    const { origin } = reference
    const pending = Array.from({ length: 8 }, () =>
      expect(fetch(`${origin}/api/v1/settings/api`)).rejects.toThrow(),
    )
    await expect.poll(() => reference.requests()).toBe(8)
    await reference.close()
    await Promise.all([...pending, expect(fetch(origin)).rejects.toThrow()])
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
