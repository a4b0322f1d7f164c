import { describe, expect, it } from 'vitest'
import type { Verdict } from '../results/result.ts'
import { exitStatus, runToldVerdict, runVerdict, runVerdictText } from './exit-status.ts'
import { reportFixture, resultFixture } from './report.fixture.ts'

function report(verdicts: Verdict[], interrupted?: boolean) {
  const run = reportFixture().run
  return {
    run: interrupted === undefined ? run : { ...run, interrupted },
    results: verdicts.map((verdict) => resultFixture({ verdict })),
  }
}

const cases: [Verdict[], boolean, string, number][] = [
  [['pass'], false, 'conformant', 0],
  [['pass', 'skipped', 'waived', 'advisory'], false, 'conformant', 0],
  [['waived'], false, 'conformant', 0],
  [['advisory', 'skipped'], false, 'conformant', 0],
  [['pass', 'fail'], false, 'nonconformant', 1],
  [['fail', 'inconclusive'], false, 'nonconformant', 1],
  [['fail'], true, 'nonconformant', 1],
  [['pass', 'inconclusive'], false, 'inconclusive', 3],
  [['pass'], true, 'inconclusive', 3],
  [['skipped', 'skipped'], false, 'inconclusive', 3],
  [[], false, 'inconclusive', 3],
]

describe('runVerdict and exitStatus', () => {
  it.each(cases)('%j, interrupted %s: %s, %i', (verdicts, interrupted, verdict, status) => {
    expect(runVerdict(report(verdicts).results, interrupted)).toBe(verdict)
    expect(exitStatus(report(verdicts, interrupted))).toBe(status)
  })

  it('does not trust a better verdict in the report than its results give', () => {
    const claimed = reportFixture({ verdict: 'conformant' })
    expect(exitStatus(claimed)).toBe(1)
  })
})

it('says how much a run without a failure judged, and how much of it is known to deviate', () => {
  const texts = [
    ['pass', 'advisory', 'skipped'] as const,
    ['pass', 'waived', 'waived'] as const,
  ].map((verdicts) => {
    const run = report([...verdicts])
    return [runToldVerdict(run), exitStatus(run), runVerdictText(run)]
  })
  expect(texts).toEqual([
    ['conformant', 0, 'conformant: 2 of 3 requirements were judged and none failed'],
    ['deviating', 0, 'passed with 2 known deviations: 3 of 3 judged'],
  ])
})
