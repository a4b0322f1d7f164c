import { expect, it } from 'vitest'
import { resultFixture } from '../reports/report.fixture.ts'
import { waiverFixture } from '../reports/reviewed-report.fixture.ts'
import { outcomeOf } from './outcome.ts'
import type { RunReport, Verdict } from './run-report.ts'

function reportOf(
  listed: readonly Verdict[],
  parts: Partial<Parameters<typeof outcomeOf>[0]> = {},
) {
  return { results: listed.map((verdict) => resultFixture({ verdict })), run: {}, ...parts }
}

const interrupted = { run: { interrupted: true } }
const minimum = { coverage: { judged: 9, testable: 9, belowThreshold: false, required: 3 } }
const waiver = waiverFixture({ state: 'unused' })

it.each<[Verdict[], string, string, number, Partial<RunReport> | typeof interrupted]>([
  [['pass'], 'conformant', 'conformant', 0, {}],
  [['pass', 'skipped', 'advisory'], 'conformant', 'conformant', 0, {}],
  [['waived', 'pass'], 'conformant', 'deviating', 0, {}],
  [['pass', 'skipped', 'skipped'], 'conformant', 'belowThreshold', 0, {}],
  [['advisory', 'skipped'], 'conformant', 'conformant', 0, {}],
  [['pass', 'fail'], 'nonconformant', 'nonconformant', 1, {}],
  [['fail', 'inconclusive'], 'nonconformant', 'nonconformant', 1, {}],
  [['fail'], 'nonconformant', 'nonconformant', 1, interrupted],
  [['pass', 'inconclusive'], 'inconclusive', 'inconclusive', 3, {}],
  [['pass'], 'inconclusive', 'inconclusive', 3, interrupted],
  [['skipped', 'skipped'], 'inconclusive', 'inconclusive', 3, {}],
  [[], 'inconclusive', 'inconclusive', 3, {}],
  [['pass', 'pass'], 'conformant', 'inconclusive', 3, minimum],
  [['pass'], 'conformant', 'nonconformant', 1, { waivers: [waiver] }],
  [['pass', 'inconclusive'], 'inconclusive', 'nonconformant', 1, { waivers: [waiver] }],
])(
  'outcomeOf returns for %j: %s, shown as %s, exit status %i',
  (verdicts, verdict, shown, status, parts) => {
    const summary = outcomeOf(reportOf(verdicts, parts))
    expect(summary).toMatchObject({ verdict, displayVerdict: shown, exitStatus: status })
  },
)

it('outcomeOf returns what the verdicts do not show', () => {
  const waivers = [waiver, { ...waiver, state: 'used' as const }]
  const outcome = outcomeOf(reportOf(['skipped'], { ...interrupted, ...minimum, waivers }))
  const all = { isBelowMinimum: true, isInterrupted: true, isComplete: true, failingWaivers: 1 }
  expect(outcome).toMatchObject(all)
})
