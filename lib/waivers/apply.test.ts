import { describe, expect, it } from 'vitest'
import type { RequirementResult, Verdict, Waiver } from '../conformance/result.ts'
import { exitStatus } from '../reports/exit-status.ts'
import { reportFixture, resultFixture } from '../reports/report.fixture.ts'
import { withWaivers } from './apply.ts'

const known = {
  ids: new Set(['a/b/one', 'a/b/two', 'x/y/z']),
  nearest: (id: string) => (id === 'a/b/on' ? 'a/b/one' : undefined),
}

const waiver: Waiver = {
  requirement: 'a/b/one',
  reason: 'known',
  owner: 'Maria',
  expires: '2026-12-31',
}

/** A run of 2026-02-03 with a row of that verdict and one that passes, and a waiver of the first. */
function reviewed(
  verdict: Verdict,
  parts: Partial<Waiver> = {},
  row: Partial<RequirementResult> = {},
) {
  const told = { reason: 'why', expected: 'status 200', actual: 'status 500', ...row }
  const passed = verdict === 'pass' && row.reason === undefined ? {} : told
  const results = [
    resultFixture({ requirement: 'a/b/one', verdict, ...passed }),
    resultFixture({ requirement: 'a/b/two' }),
  ]
  const report = withWaivers(reportFixture({ results }), [{ ...waiver, ...parts }], known)
  const [entry] = report.waivers ?? []
  const [result] = report.results
  if (entry === undefined || result === undefined) throw new Error('the waiver is gone')
  return { report, entry, result, status: exitStatus(report) }
}

describe('a waiver', () => {
  it('of a row that fails has it waived, with all that was told of it', () => {
    const { report, entry, result, status } = reviewed('fail')
    const { requirement: _, ...told } = waiver
    expect(result).toMatchObject({
      verdict: 'waived',
      reason: 'why',
      expected: 'status 200',
      actual: 'status 500',
      waiver: told,
    })
    expect(entry).toEqual({
      ...waiver,
      state: 'used',
      message: 'The requirement fails, and is waived.',
    })
    expect([report.verdict, status]).toEqual(['conformant', 0])
  })

  it('of a row that is only advised of counts as used too', () => {
    expect(reviewed('advisory')).toMatchObject({
      entry: { state: 'used' },
      result: { verdict: 'waived' },
      status: 0,
    })
  })

  it.each<[string, Verdict, Partial<Waiver>, string, RegExp]>([
    [
      'its last day is over',
      'fail',
      { expires: '2026-02-02' },
      'expired',
      /was 2026-02-02, and the requirement still fails.*later day/,
    ],
    [
      'its last day is over, the row skipped',
      'skipped',
      { expires: '2026-02-02' },
      'expired',
      /got no verdict this time/,
    ],
    ['its row passes', 'pass', {}, 'unneeded', /passes\. Remove the entry/],
    ['its row passes, its last day over', 'pass', { expires: '2026-02-02' }, 'unneeded', /Remove/],
    ['its id is unknown', 'fail', { requirement: 'a/b/on' }, 'unknown', /Did you mean a\/b\/one\?/],
    ['its id is like no other', 'fail', { requirement: 'q' }, 'unknown', /this id\. Correct/],
  ])(
    'fails the run when %s, and the row keeps its verdict',
    (_name, verdict, parts, state, told) => {
      const { entry, result, status } = reviewed(verdict, parts)
      expect(entry.state).toBe(state)
      expect(entry.message).toMatch(told)
      expect(result.verdict).toBe(verdict)
      expect(result).not.toHaveProperty('waiver')
      expect(status).toBe(1)
    },
  )

  it.each<[string, Verdict, Partial<Waiver>, Partial<RequirementResult>, string, number]>([
    ['row was skipped', 'skipped', {}, {}, 'unjudged', 0],
    ['row got no verdict', 'inconclusive', {}, {}, 'unjudged', 3],
    ['row passes with a part left out', 'pass', {}, { reason: 'without admin' }, 'unjudged', 0],
    ['row was not selected', 'skipped', {}, { unjudged: { kind: 'not selected' } }, 'aside', 0],
    [
      'service was not probed',
      'pass',
      { requirement: 'x/y/z', expires: '2020-01-01' },
      {},
      'aside',
      0,
    ],
  ])('fails nothing when its %s', (_name, verdict, parts, row, state, expected) => {
    const { entry, result, status } = reviewed(verdict, parts, row)
    expect([entry.state, result.verdict, status]).toEqual([state, verdict, expected])
  })

  it.each([
    ['2026-02-03', 'Today is the last day'],
    ['2026-02-04', 'expires in 1 day:'],
    ['2026-02-17', 'expires in 14 days:'],
    ['2026-02-18', 'The requirement fails, and is waived.'],
  ])('that holds until %s is told of in time', (expires, told) => {
    const { entry } = reviewed('fail', { expires })
    expect(entry.state).toBe('used')
    expect(entry.message).toContain(told)
  })

  it('does not have a failure of another row waived', () => {
    const { report } = reviewed('fail')
    const failing = [
      ...report.results,
      resultFixture({ requirement: 'a/b/three', verdict: 'fail' }),
    ]
    const again = withWaivers(reportFixture({ results: failing }), [waiver], known)
    expect([again.verdict, exitStatus(again)]).toEqual(['nonconformant', 1])
  })
})
