import { describe, expect, it } from 'vitest'
import type { Exchange } from '../probe/exchange.ts'
import { Redactor } from '../probe/redaction/redaction.ts'
import type { CheckResult } from '../results/run-evidence.ts'
import { report } from './check-report.ts'
import { exchangeWith } from './exchange.fixture.ts'

const redactor = new Redactor()
const run = { redactor, takeUnreported: () => [], exchanges: [] }

const resultWith = (parts: Partial<CheckResult>): CheckResult => ({
  requirement: 'a/b/c',
  verdict: 'pass',
  cases: { conforming: [], deviating: [], missing: [] },
  exchanges: [],
  durationMs: 1,
  ...parts,
})

type Test = Parameters<typeof report>[1]

/** Reports a result, and returns what the reporter and Vitest get. */
function reported(
  parts: Partial<CheckResult>,
  statement = 'It holds.',
  because?: string,
  exchanges: Exchange[] = [],
) {
  const task = { meta: {} } as Test['task']
  let text = ''
  let error = new Error()
  const skip: Test['skip'] = (reason?: unknown): never => {
    text = String(reason)
    throw error
  }
  try {
    report({ ...run, exchanges }, { task, skip }, resultWith(parts), {
      statement,
      ...(because && { because }),
    })
  } catch (thrown) {
    error = thrown as Error
  }
  const { actual, deviations } = task.meta.plumbline?.judgement ?? {}
  return { actual, deviations, text: text || error.message, error }
}

describe('report', () => {
  it.each([
    [{ pointer: '/9/name' }, 40, { pointer: '/9/name', value: '"$B_KEY"' }],
    [{ pointer: '/9/name' }, undefined, { pointer: '/9/name' }],
    [{ pointer: '/9/other' }, 40, { pointer: '/9/other' }],
    [{ pointer: '/8' }, 40, { pointer: '/8' }],
    [{ header: 'X-Page' }, 40, { header: 'X-Page' }],
  ])('adds a value that the report does not keep: %j, %j', (reads, bodyKept, expected) => {
    redactor.add('B_KEY', 'wxyz-9876543210')
    const items = Array.from({ length: 10 }, (_, index) => {
      return { name: index === 9 ? 'wxyz-9876543210' : 'a'.repeat(index === 8 ? 3000 : 9) }
    })
    const exchange = exchangeWith({ text: JSON.stringify(items) })
    Object.assign(exchange.record.response ?? {}, { ...(bodyKept && { bodyKept }) })
    const deviation = { expected: 'a', actual: 'b', exchange: exchange.id, cases: [], reads }
    const parts: Partial<CheckResult> = { verdict: 'fail', deviations: [deviation] }
    const { deviations } = reported(parts, '', '', [exchange])
    expect(deviations?.[0]?.reads).toEqual(expected)
  })

  it.each([
    ['a'.repeat(2000), 'a'.repeat(2000)],
    ['a'.repeat(2001), `${'a'.repeat(2000)}… (2001 characters)`],
    // After redaction.
    [
      `${'a'.repeat(1990)}secret-0123456789${'b'.repeat(100)}`,
      `${'a'.repeat(1990)}$A_KEYbbbb… (2096 characters)`,
    ],
    // Never within a character.
    [`${'a'.repeat(1999)}😀${'b'.repeat(9)}`, `${'a'.repeat(1999)}… (2010 characters)`],
  ])('truncates long texts: %#', (actual, expected) => {
    redactor.add('A_KEY', 'secret-0123456789')
    expect(reported({ actual }).actual).toBe(expected)
  })

  it.each([
    ['GET /a/{b} 403', 'in a table for {endpoint}', 'in a table for GET /a/{b}'],
    [undefined, 'in a table for {endpoint}', 'in a table for the request'],
    ['GET /a 403', 'in a section', 'in a section'],
    ['GET /a 403', undefined, undefined],
  ])('names the place in the document: %#', (subject, because, place) => {
    const deviation = { expected: 'a', actual: 'b', cases: ['x'], ...(subject && { subject }) }
    const result = reported({ verdict: 'fail', deviations: [deviation] }, 'It holds.', because)
    expect(result.deviations?.map((one) => one.because)).toEqual([place])
  })

  it("gives Vitest's reporters no control characters and workflow commands", () => {
    const hostile = 'x\n##[add-mask]y\n ::error::z\u2028\u001b[2J\u202e\u009b'
    const texts = { expected: hostile, actual: hostile }
    const failure = reported({ verdict: 'fail', ...texts }, hostile)
    const noVerdict = { kind: 'missing', text: hostile } as const
    const skipped = reported({ verdict: 'skipped', noVerdict })
    expect(failure.error.stack).toBe(failure.error.message)
    expect(failure.text.split('add-mask')).toHaveLength(6)
    expect(skipped.text.split('add-mask')).toHaveLength(2)
    for (const { text } of [failure, skipped]) {
      expect(text).not.toMatch(/##\[|^\s*::|[\p{Zl}\p{Cf}]|[^\P{Cc}\n]/mu)
    }
  })
})
