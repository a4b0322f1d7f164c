import { describe, expect, it } from 'vitest'
import { summarize } from '../results/verdict.ts'
import { type RunOutcome, reportDisagreements } from './agreement.fixture.ts'
import { junitXml } from './junit.ts'
import { reportModel } from './model.ts'
import { reportFixture, resultFixture } from './report.fixture.ts'
import { reviewedFixture } from './reviewed-report.fixture.ts'

describe('reportDisagreements', () => {
  const results = [
    resultFixture({ requirement: 'a/b/one', verdict: 'fail', expected: 'one', actual: 'two' }),
    resultFixture({ requirement: 'a/b/two', verdict: 'skipped' }),
  ]
  const { waivers = [], baseline } = reviewedFixture()
  const report = reportFixture({ results, waivers, ...(baseline ? { baseline } : {}) })
  const junit = junitXml(reportModel(report))

  it.each<[string, Partial<RunOutcome>, string]>([
    ['the exit status', { status: 0 }, 'exit status is 0, by the cases 1'],
    [
      'the conclusion',
      { report: { ...report, verdict: 'conformant' } },
      'verdict of report.json is conformant',
    ],
    [
      'a failure that is missing',
      { junit: junit.replace(/<failure[^>]*expected one[\s\S]*?<\/failure>/, '') },
      'junit.xml has no a/b/one fail failure',
    ],
    [
      'a count',
      { junit: junit.replace('failures="5"', 'failures="4"') },
      'testsuites states 4 failures, has 5',
    ],
    [
      'a waiver that is missing',
      { report: { ...report, waivers: waivers.slice(0, -1) } },
      'only junit.xml has waivers event-publishing/publish/accepted notApplicable skipped',
    ],
  ])('reports %s', (_name, parts, text) => {
    const reported = reportDisagreements({
      report,
      junit,
      status: summarize(report).exitStatus,
      ...parts,
    })
    expect(reported.join('\n')).toContain(text)
  })
})
