import { describe, expect, it } from 'vitest'
import { Redactor } from '../probe/redaction/redaction.ts'
import type { CheckResult } from '../results/run-evidence.ts'
import { report } from './check-report.ts'

const redactor = new Redactor()
const run = { redactor, takeUnreported: () => [], exchanges: [] }

const resultWith = (parts: Partial<CheckResult>): CheckResult => ({
  requirement: 'a/b/c',
  verdict: 'pass',
  cases: {},
  exchanges: [],
  durationMs: 1,
  ...parts,
})

type Test = Parameters<typeof report>[1]

/** Reports a result, and returns what the reporter and Vitest get. */
function reported(parts: Partial<CheckResult>, statement = 'It holds.') {
  const task = { meta: {} } as Test['task']
  let text = ''
  let error = new Error()
  const skip: Test['skip'] = (reason?: unknown): never => {
    text = String(reason)
    throw error
  }
  try {
    report(run, { task, skip }, resultWith(parts), { statement })
  } catch (thrown) {
    error = thrown as Error
  }
  const { deviations, cases } = task.meta.plumbline?.judgement ?? {}
  return { deviations, cases, text: text || error.message, error }
}

describe('report', () => {
  it.each([
    ['a'.repeat(2000), 'a'.repeat(2000)],
    ['a'.repeat(2001), `${'a'.repeat(2000)} … [1 more characters]`],
    // After redaction.
    [
      `${'a'.repeat(1990)}secret-0123456789${'b'.repeat(100)}`,
      `${'a'.repeat(1990)}$A_KEYbbbb … [96 more characters]`,
    ],
    // Never within a character.
    [`${'a'.repeat(1999)}😀${'b'.repeat(9)}`, `${'a'.repeat(1999)} … [11 more characters]`],
  ])('truncates long texts: %#', (actual, expected) => {
    redactor.add('A_KEY', 'secret-0123456789')
    const deviations = [{ expected: 'a', actual }]
    expect(reported({ verdict: 'fail', deviations }).deviations?.[0]?.actual).toBe(expected)
  })

  it('keeps ids that contain a secret, and hides a word in what a server sent', () => {
    for (const [name, value] of [
      ['A_PASSWORD', 'limit-lowered'],
      ['B_PASSWORD', 'hunter'],
    ] as const)
      redactor.add(name, value)
    const reads = { pointer: '/0/name', value: '"hunter"' }
    const deviation = {
      expected: 'a',
      actual: 'b',
      exchange: 'e1',
      cases: ['limit-lowered'],
      reads,
    }
    const reason = (text: string) => ({ kind: 'missing', text }) as const
    const parts = { deviations: [deviation], cases: { 'limit-lowered': reason('limit-lowered') } }
    const { deviations, cases } = reported({ verdict: 'fail', ...parts })
    expect(deviations).toEqual([{ ...deviation, reads: { ...reads, value: '"$B_PASSWORD"' } }])
    expect(cases).toEqual({ 'limit-lowered': reason('$A_PASSWORD') })
  })

  it("gives Vitest's reporters no control characters and workflow commands", () => {
    const hostile = 'x\n##[add-mask]y\n ::error::z\u2028\u001b[2J\u202e\u009b'
    const texts = { expected: hostile, actual: hostile }
    const failure = reported({ verdict: 'fail', deviations: [texts] }, hostile)
    const noVerdict = { kind: 'missing', text: hostile } as const
    const skipped = reported({ verdict: 'skipped', noVerdict })
    expect(failure.error.stack).toBe(failure.error.message)
    expect(failure.text.split('add-mask')).toHaveLength(4)
    expect(skipped.text.split('add-mask')).toHaveLength(2)
    for (const { text } of [failure, skipped]) {
      expect(text).not.toMatch(/##\[|^\s*::|[\p{Zl}\p{Cf}]|[^\P{Cc}\n]/mu)
    }
  })
})
