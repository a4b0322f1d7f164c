import { expect, it } from 'vitest'
import { outcomeOf, type RunOutcome } from '../results/outcome.ts'
import type { RequirementResult } from '../results/run-report.ts'
import { reportModel } from './facts.ts'
import { parseMetrics } from './metrics.fixture.ts'
import { metricsText } from './metrics.ts'
import { hostileText, resultFixture } from './report.fixture.ts'
import { reviewedFixture, waiverFixture } from './reviewed-report.fixture.ts'

const report = reviewedFixture()

const textOf = (
  lastSuccess: string | undefined,
  exitStatus: RunOutcome['exitStatus'],
  one = report,
  deployment = 'staging',
) => {
  const outcome = { ...outcomeOf(one, true), exitStatus }
  return metricsText(reportModel(one, outcome), deployment, lastSuccess)
}
const metricsOf = (
  exitStatus: RunOutcome['exitStatus'] = 1,
  one = report,
  lastSuccess: string | undefined = undefined,
) => parseMetrics(textOf(lastSuccess, exitStatus, one))

const sample = (value: number, labels: Record<string, string> = {}) => {
  return { value, labels: { deployment: 'staging', ...labels } }
}

const withResults = (results: RequirementResult[]) => ({ ...report, results })
const untestable = resultFixture({
  verdict: 'skipped',
  noVerdict: { kind: 'untestable', why: 'so' },
})

it('has the last day of a waiver, and counts testable requirements', () => {
  const metrics = metricsOf(1, withResults([...report.results, untestable]))
  const [waiver] = metrics.plumbline_waiver_expiry_timestamp_seconds ?? []
  // The last day counts.
  expect(waiver?.value).toBe(Date.UTC(2026, 1, 11) / 1000)
  expect(metrics.plumbline_testable_requirements).toEqual([
    sample(9, { service: 'code-hosting' }),
    sample(1, { service: 'incident-status' }),
  ])
})

it('has no metric of an unknown value, or without a sample', () => {
  const { waivers: _, ...others } = withResults([resultFixture()])
  const names = Object.keys(metricsOf(0, others)).join()
  expect(names).not.toMatch(/requirement_failed|waiver_expiry/)
  expect(Object.keys(metricsOf()).join()).not.toContain('last_success')
})

it('has the last success of the history, unless all requirements were selected and the status is 0', () => {
  const past = '2026-02-01T00:00:00.000Z'
  const last = (status: RunOutcome['exitStatus'], one = report) =>
    metricsOf(status, one, past).plumbline_last_success_timestamp_seconds?.[0]?.value
  const before = Date.UTC(2026, 1, 1) / 1000
  const unselected = resultFixture({ verdict: 'skipped', noVerdict: { kind: 'not selected' } })
  const statuses = [last(1), last(3), last(0, withResults([unselected]))]
  expect(statuses).toEqual([before, before, before])
  expect(last(0)).toBe(Date.parse(report.run.finishedAt) / 1000)
})

it('escapes labels', () => {
  const deployment = `a "b" \\ \\n\n${hostileText.replaceAll(/[\ud800-\udfff]/g, '')}`
  const waivers = [waiverFixture({ requirement: 'a\n"\\' })]
  const text = textOf(undefined, 3, { ...report, waivers }, deployment)
  const { plumbline_exit_status: [status] = [], ...others } = parseMetrics(text)
  expect(status).toEqual({ value: 3, labels: { deployment } })
  expect(others.plumbline_waiver_expiry_timestamp_seconds?.[0]?.labels.requirement).toBe('a\n"\\')
})
