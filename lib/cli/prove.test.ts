import { describe, expect, it } from 'vitest'
import { plumbline } from './command.fixture.ts'

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1)

describe.concurrent('plumbline prove', () => {
  it('proves the faults and variants that are named', async () => {
    const { status, output, errors } = await plumbline([
      'prove',
      '--fault',
      'limit-not-lowered',
      'next-link-*',
      '--variant',
      'link-relative',
    ])

    expect(output).toContain('✓ limit-not-lowered')
    expect(output).toContain('✓ next-link-stuck')
    expect(output).toContain('✓ link-relative')
    expect(lastLine(output)).toMatch(/^\d+ passed, 0 failed$/)
    expect(errors).toMatch(/\[ \d+\/\d+ \] \d+ passed, 0 failed/)
    expect(status).toBe(0)
  })

  it('looks at no configured deployment', async () => {
    const environment = { CODE_HOSTING_BASE_URL: 'http://127.0.0.1:1', PROBE_READ_ONLY: 'true' }
    const outcome = await plumbline(['prove', '--fault', 'duplicate-name-accepted'], environment)

    expect(lastLine(outcome.output)).toBe('1 passed, 0 failed')
    expect(outcome.status).toBe(0)
  })

  it('shows what it has when it is interrupted', async () => {
    const { status, output, errors } = await plumbline(['prove'], {}, (child) => {
      child.stderr?.once('data', () => child.kill('SIGINT'))
    })

    expect(errors).toMatch(/interrupted; \d+ of \d+ were not tried/)
    expect(lastLine(output)).toMatch(/^\d+ passed, 0 failed$/)
    expect(status).toBe(3)
  }, 120_000)
})
