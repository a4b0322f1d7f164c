import { describe, expect, it, vi } from 'vitest'
import { Redactor } from '../probe/redaction.ts'
import { report } from './check-report.ts'
import type { CheckResult } from './run-check.ts'

const redactor = new Redactor()
vi.mock('./run.ts', () => ({
  currentRun: () => ({ redactor, takeUnreported: () => [], exchanges: [], settings: {} }),
}))

const judgementWith = (parts: Partial<CheckResult>): CheckResult => ({
  requirement: 'a/b/c',
  by: 'probe',
  verdict: 'pass',
  exchanges: [],
  durationMs: 1,
  ...parts,
})

function reported(actual: string): string | undefined {
  const judgement = judgementWith({ actual })
  const task = { meta: {} } as Parameters<typeof report>[0]['task']
  report({ task, skip: () => undefined as never }, judgement, { statement: 'It holds.' })
  return task.meta.plumbline?.judgement?.actual
}

describe('the text of a row', () => {
  it('is whole up to a length, and says how long it was beyond', () => {
    expect(reported('a'.repeat(2000))).toBe('a'.repeat(2000))
    expect(reported('a'.repeat(2001))).toBe(`${'a'.repeat(2000)}… (2001 characters)`)
  })

  it('is cut when secrets are out, and through no character', () => {
    redactor.add('A_KEY', 'secret-0123456789')
    expect(reported(`${'a'.repeat(1990)}secret-0123456789${'b'.repeat(100)}`)).toBe(
      `${'a'.repeat(1990)}$A_KEYbbbb… (2096 characters)`,
    )
    expect(reported(`${'a'.repeat(1999)}😀${'b'.repeat(9)}`)).toBe(
      `${'a'.repeat(1999)}… (2010 characters)`,
    )
  })
})

describe("what Vitest's own reporters show", () => {
  const hostile = 'x\n##[add-mask]y\n ::error::z\u2028\u001b[2J\u202e\u009b'
  const obeyed = /##\[|^\s*::|[\p{Zl}\p{Cf}]|[^\P{Cc}\n]/mu
  const task = { meta: {} } as Parameters<typeof report>[0]['task']

  it('of a failure steers neither a terminal nor GitHub Actions', () => {
    const texts = { expected: hostile, actual: hostile }
    const judgement = judgementWith({ verdict: 'fail', ...texts })
    let thrown = new Error()
    try {
      report({ task, skip: () => undefined as never }, judgement, { statement: hostile })
    } catch (error) {
      thrown = error as Error
    }
    expect(thrown.message.split('add-mask')).toHaveLength(6)
    expect(thrown.message).not.toMatch(obeyed)
    expect(thrown.stack).toBe(thrown.message)
  })

  it('of a skipped row does not either', () => {
    const reasons: string[] = []
    const skip = (reason?: unknown): never => {
      reasons.push(String(reason))
      throw new Error()
    }
    const judgement = judgementWith({
      verdict: 'skipped',
      unjudged: { kind: 'missing', text: hostile },
    })
    expect(() => report({ task, skip }, judgement, { statement: 'It holds.' })).toThrow()
    expect(reasons).toEqual([expect.stringContaining('add-mask')])
    expect(reasons[0]).not.toMatch(obeyed)
  })
})
