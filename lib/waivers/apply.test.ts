import { expect, it } from 'vitest'
import type { RequirementResult, Verdict, Waiver, WaiverState } from '../conformance/result.ts'
import { exitStatus } from '../reports/exit-status.ts'
import { reportFixture, resultFixture } from '../reports/report.fixture.ts'
import { withWaivers } from './apply.ts'

const known = new Set(['a/b/one', 'a/b/two', 'x/y/z'])

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
  const details = { reason: 'why', expected: 'status 200', actual: 'status 500', ...row }
  const first = verdict === 'pass' ? row : details
  const results = [
    resultFixture({ requirement: 'a/b/one', verdict, ...first }),
    resultFixture({ requirement: 'a/b/two' }),
  ]
  const report = withWaivers(reportFixture({ results }), [{ ...waiver, ...parts }], known)
  const [entry] = report.waivers ?? []
  const [result] = report.results
  if (entry === undefined || result === undefined) throw new Error('the waiver is gone')
  return { report, entry, result, status: exitStatus(report) }
}

it('has a row that fails waived, with all that was found of it', () => {
  const { report, entry, result, status } = reviewed('fail')
  const { requirement: _, ...details } = waiver
  expect(result).toMatchObject({
    verdict: 'waived',
    reason: 'why',
    expected: 'status 200',
    actual: 'status 500',
    waiver: details,
  })
  const message = 'The requirement fails, and is waived.'
  expect(entry).toEqual({ ...waiver, state: 'used', message })
  expect([report.verdict, status]).toEqual(['conformant', 0])
})

const over = { expires: '2026-02-02' }
const elsewhere = { requirement: 'x/y/z', ...over }
const unselected = { unjudged: { kind: 'not selected' } } as const

it.each<
  [string, Verdict, Partial<Waiver>, Partial<RequirementResult>, WaiverState, RegExp, 0 | 1 | 3]
>([
  ['row is advisory', 'advisory', {}, {}, 'used', /waived/, 0],
  ['last day is over', 'fail', over, {}, 'expired', /2026-02-02.*later day/, 1],
  ['last day is over, and its row skipped', 'skipped', over, {}, 'expired', /2026-02-02/, 1],
  ['row passes', 'pass', {}, {}, 'unneeded', /passes\. Remove the entry/, 1],
  ['row passes, and its last day is over', 'pass', over, {}, 'unneeded', /Remove/, 1],
  ['id is unknown', 'fail', { requirement: 'a/b/on' }, {}, 'unknown', /mean a\/b\/one\?/, 1],
  ['id is like no other', 'fail', { requirement: 'q' }, {}, 'unknown', /this id\. Correct/, 1],
  ['row was skipped', 'skipped', {}, {}, 'unjudged', /was skipped/, 0],
  ['row got no verdict', 'inconclusive', {}, {}, 'unjudged', /got no verdict/, 3],
  ['row passes in part', 'pass', {}, { reason: 'without admin' }, 'unjudged', /passes in part/, 0],
  ['row is partly checked', 'pass', {}, { partial: [] }, 'unjudged', /in part/, 0],
  ['row was not selected', 'skipped', {}, unselected, 'aside', /not selected/, 0],
  ['service was not probed', 'pass', elsewhere, {}, 'aside', /not probed/, 0],
])('of which the %s', (_name, verdict, parts, row, state, message, expected) => {
  const { entry, result, status } = reviewed(verdict, parts, row)
  expect([entry.state, status]).toEqual([state, expected])
  expect(entry.message).toMatch(message)
  expect(result.verdict).toBe(state === 'used' ? 'waived' : verdict)
})

it.each([
  ['2026-02-03', 'Today is the last day'],
  ['2026-02-04', 'expires in 1 day:'],
  ['2026-02-17', 'expires in 14 days:'],
  ['2026-02-18', 'The requirement fails, and is waived.'],
])('that holds until %s says so in time', (expires, message) => {
  const { entry } = reviewed('fail', { expires })
  expect(entry.state).toBe('used')
  expect(entry.message).toContain(message)
})
