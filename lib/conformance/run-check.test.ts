import { describe, expect, it } from 'vitest'
import { Redactor } from '../probe/redaction/redaction.ts'
import type { CheckResult } from '../results/run-evidence.ts'
import { Interrupted } from './check-errors.ts'
import { FailedExpectation } from './deviations.ts'
import { exchangeWith } from './exchange.fixture.ts'
import { expect as expectExchange } from './matchers.ts'
import { recordObservation, report, runCheck } from './run-check.ts'

const id = 'code-hosting/resources/user'

describe('runCheck', () => {
  it('returns a pass without an error, with the inspected exchanges', async () => {
    const exchange = exchangeWith()
    const result = await runCheck(id, async () => {
      expectExchange(exchange).toHaveStatus(200)
    })
    expect(result).toEqual({
      requirement: id,
      verdict: 'pass',
      cases: { 'resources/user': 'conforms' },
      exchanges: [exchange.id],
      durationMs: expect.any(Number),
    })
  })

  it('returns a failure with expected, actual, and the deviating exchange first', async () => {
    const right = exchangeWith()
    const wrong = exchangeWith({ status: 404, json: { message: 'gone' } })
    const result = await runCheck(id, async () => {
      expectExchange(right).toHaveStatus(200)
      expectExchange(wrong).toHaveStatus(200)
    })
    expect(result).toMatchObject({
      verdict: 'fail',
      deviations: [{ expected: 'status 200', actual: 'status 404 (gone)', exchange: wrong.id }],
      exchanges: [wrong.id, right.id],
    })
  })

  it.each([
    ['in a table for {endpoint}', 'in a table for GET /'],
    ['in a section', 'in a section'],
    [undefined, undefined],
  ])('names the place in the document: %s', async (because, place) => {
    const check = async () => expectExchange(exchangeWith()).toHaveStatus(404)
    const { deviations } = await runCheck(id, check, because)
    expect(deviations?.[0]?.because?.slice(0, place?.length)).toBe(place)
  })

  it.each([
    [20, undefined],
    [21, 1],
  ])('of %i deviations has 20, and counts the others: %s', async (count, further) => {
    const all = Array.from({ length: count }, (_, index) => ({ expected: 'a', actual: `${index}` }))
    const result = await runCheck(id, () => Promise.reject(new FailedExpectation(all)))
    expect([result.deviations?.length, result.furtherDeviations]).toEqual([20, further])
  })

  it('is inconclusive for an internal error, and returns its stack and cause', async () => {
    const cause = new RangeError('too far')
    const error = new TypeError('cannot read properties', { cause })
    const result = await runCheck(id, () => Promise.reject(error))
    expect(result).toMatchObject({
      verdict: 'inconclusive',
      noVerdict: { kind: 'internal error', text: 'TypeError: cannot read properties' },
    })
    expect(result).not.toHaveProperty('actual')
    const stack = result.internalError ?? ''
    expect(stack).toMatch(/^TypeError: cannot read properties\n +at .*run-check\.test\.ts/)
    expect(stack).toMatch(/caused by RangeError: too far\n +at /)
  })

  const reasons = [
    { kind: 'interrupted', by: 'operator' },
    { kind: 'stopped', failures: 4, exchange: 'x1' },
  ] as const

  it.each<[string, object, () => unknown]>([
    ...reasons.map((reason): [string, object, () => unknown] => {
      return [reason.kind, reason, () => Promise.reject(new Interrupted(reason))]
    }),
    ['a thrown text', { kind: 'internal error', text: 'a text' }, () => Promise.reject('a text')],
    [
      'an error in a matcher',
      { kind: 'internal error' },
      async () => expectExchange(undefined).toHaveStatus(200),
    ],
  ])('is inconclusive: %s', async (_, noVerdict, check) => {
    const result = await runCheck(id, check as () => Promise<void>)
    expect(result).toMatchObject({ verdict: 'inconclusive', noVerdict })
  })
})

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
  const { judgements, internalErrors } = task.meta.plumbline ?? {}
  const { deviations, cases } = judgements?.[0] ?? {}
  return { deviations, cases, internalErrors, text: text || error.message, error }
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

  it("hides secrets in internal errors, which Vitest's reporters get", async () => {
    redactor.add('C_KEY', 'secret-9876543210')
    const error = new Error('secret-9876543210')
    const { internalErrors } = reported({ internalError: String(error) })
    const observed = await recordObservation(run, 'a/b/d', () => Promise.reject(error))
    expect(internalErrors).toEqual(['Error: $C_KEY'])
    expect(observed.internalErrors?.join()).toMatch(/^a\/b\/d: Error: \$C_KEY\n(?!.*secret-)/s)
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
