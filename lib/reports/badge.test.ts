import { expect, it } from 'vitest'
import type { RequirementResult } from '../results/run-report.ts'
import { badgeJson } from './badge.ts'
import { reportModel } from './model.ts'
import { reportFixture, resultFixture } from './report.fixture.ts'
import { waiverFixture } from './reviewed-report.fixture.ts'

const pass = resultFixture()
const fail = resultFixture({ verdict: 'fail' })
const waived = resultFixture({ verdict: 'waived' })
const skipped = resultFixture({ verdict: 'skipped' })
const inconclusive = resultFixture({ verdict: 'inconclusive' })

it.each<[string, string, RequirementResult[]]>([
  ['brightgreen', '2 of 2 judged', [pass, pass]],
  ['red', '1 of 2 failed', [pass, fail]],
  ['yellow', '2 of 2 judged', [pass, waived]],
  ['blue', '1 of 3 judged', [pass, skipped, skipped]],
  ['lightgrey', '1 of 2 judged', [pass, inconclusive]],
])('a badge is %s: %s', (color, judged, results) => {
  const badge = JSON.parse(badgeJson(reportModel(reportFixture({ results }))))
  expect(badge).toEqual({
    schemaVersion: 1,
    label: 'conformance',
    message: expect.stringContaining(judged),
    color,
  })
})

it('a badge of a run that a waiver fails is red', () => {
  const waivers = [waiverFixture({ state: 'expired' })]
  expect(
    JSON.parse(badgeJson(reportModel(reportFixture({ results: [pass], waivers })))).color,
  ).toBe('red')
})
