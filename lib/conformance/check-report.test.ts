import { describe, expect, it, vi } from 'vitest'
import { Redactor } from '../probe/redaction.ts'
import { report } from './check-report.ts'
import type { CheckResult } from './run-check.ts'

const redactor = new Redactor()
vi.mock('./run.ts', () => ({
  currentRun: () => ({ redactor, takeUnreported: () => [], exchanges: [], settings: {} }),
}))

const resultWith = (parts: Partial<CheckResult>): CheckResult => ({
  requirement: 'a/b/c',
  by: 'probe',
  verdict: 'pass',
  exchanges: [],
  durationMs: 1,
  ...parts,
})

function reported(actual: string): string | undefined {
  const result = resultWith({ actual })
  const task = { meta: {} } as Parameters<typeof report>[0]['task']
  report({ task, skip: () => undefined as never }, result, { statement: 'It holds.' })
  return task.meta.plumbline?.judgement?.actual
}

describe('report', () => {
  it('truncates long texts and adds their length', () => {
    expect(reported('a'.repeat(2000))).toBe('a'.repeat(2000))
    expect(reported('a'.repeat(2001))).toBe(`${'a'.repeat(2000)}… (2001 characters)`)
  })

  it('truncates after redaction, and never within a character', () => {
    redactor.add('A_KEY', 'secret-0123456789')
    expect(reported(`${'a'.repeat(1990)}secret-0123456789${'b'.repeat(100)}`)).toBe(
      `${'a'.repeat(1990)}$A_KEYbbbb… (2096 characters)`,
    )
    expect(reported(`${'a'.repeat(1999)}😀${'b'.repeat(9)}`)).toBe(
      `${'a'.repeat(1999)}… (2010 characters)`,
    )
  })
})

describe("the text for Vitest's reporters", () => {
  const hostile = 'x\n##[add-mask]y\n ::error::z\u2028\u001b[2J\u202e\u009b'
  const unsafe = /##\[|^\s*::|[\p{Zl}\p{Cf}]|[^\P{Cc}\n]/mu
  const task = { meta: {} } as Parameters<typeof report>[0]['task']

  it('contains no control characters and workflow commands for a failure', () => {
    const texts = { expected: hostile, actual: hostile }
    const result = resultWith({ verdict: 'fail', ...texts })
    let thrown = new Error()
    try {
      report({ task, skip: () => undefined as never }, result, { statement: hostile })
    } catch (error) {
      thrown = error as Error
    }
    expect(thrown.message.split('add-mask')).toHaveLength(6)
    expect(thrown.message).not.toMatch(unsafe)
    expect(thrown.stack).toBe(thrown.message)
  })

  it('contains none for a skipped requirement', () => {
    const reasons: string[] = []
    const skip = (reason?: unknown): never => {
      reasons.push(String(reason))
      throw new Error()
    }
    const result = resultWith({
      verdict: 'skipped',
      noVerdict: { kind: 'missing', text: hostile },
    })
    expect(() => report({ task, skip }, result, { statement: 'It holds.' })).toThrow()
    expect(reasons).toEqual([expect.stringContaining('add-mask')])
    expect(reasons[0]).not.toMatch(unsafe)
  })
})
