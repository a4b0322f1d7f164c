import { expect, it } from 'vitest'
import { reportDisagreements } from './agreement.fixture.ts'
import { junitXml } from './junit.ts'
import { reportModel } from './model.ts'
import { resultFixture } from './report.fixture.ts'
import { reviewedFixture } from './reviewed-report.fixture.ts'

const results = [
  resultFixture({ requirement: 'a/b/one', verdict: 'fail', expected: 'one', actual: 'two' }),
  resultFixture({ requirement: 'a/b/two', verdict: 'skipped' }),
]
const report = reviewedFixture({ results })
const waivers = report.waivers ?? []
const junit = junitXml(reportModel(report))
const missing = junit.replace(/<failure[^>]*expected one[\s\S]*?<\/failure>/, '')

it.each([
  [{ status: 0 }, 'exit status is 0, by the cases 1'],
  [
    { report: { ...report, verdict: 'conformant' as const } },
    'verdict of report.json is conformant',
  ],
  [{ junit: missing }, 'junit.xml has no a/b/one fail failure'],
  [{ junit: junit.replace('failures="4"', 'failures="3"') }, 'testsuites states 3 failures, has 4'],
  [
    { report: { ...report, waivers: waivers.slice(0, -1) } },
    'only junit.xml has waivers event-publishing/publish/accepted notApplicable skipped',
  ],
])('reportDisagreements reports %#: %s', (parts, text) => {
  const reported = reportDisagreements({ report, junit, status: 1, ...parts })
  expect(reported.join('\n')).toContain(text)
})
