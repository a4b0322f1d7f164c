import { describe, expect, it } from 'vitest'
import { startEmbedded } from './embedded.ts'
import { UsageError } from './usage-error.ts'

async function refused(options: Parameters<typeof startEmbedded>[0]): Promise<string> {
  const error: unknown = await startEmbedded(options).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(UsageError)
  return (error as UsageError).message
}

describe('the embedded deployment', () => {
  it('says when the port is in use', async () => {
    const first = await startEmbedded({ port: 0 })
    const port = Number(new URL(first.origin).port)
    expect(await refused({ port })).toBe(
      `--port ${port} is in use: name another port, or leave --port out for a free one.`,
    )
    await first.close()
  })

  it('knows its faults and variants by name, and not by glob', async () => {
    expect(await refused({ fault: 'limit-*' })).toContain('--fault limit-* names no fault.')
    expect(await refused({ variant: '' })).toContain('--variant names nothing.')
    const reference = await startEmbedded({ fault: 'limit-not-lowered', variant: 'base-path' })
    expect(reference.baseUrl).toMatch(/\/git$/)
    await reference.close()
  })
})
