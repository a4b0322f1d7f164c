import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { reportModel } from '../../lib/reports/facts.ts'
import { parseMetrics } from '../../lib/reports/metrics.fixture.ts'
import { metricsText } from '../../lib/reports/metrics.ts'
import { reportFixture, resultFixture } from '../../lib/reports/report.fixture.ts'
import { waiverFixture } from '../../lib/reports/reviewed-report.fixture.ts'
import type { RunReport } from '../../lib/results/run-report.ts'
import { template } from './template.fixture.ts'

interface Rule {
  alert: string
  expr: string
}

const { groups }: { groups: { rules: Rule[] }[] } = parse(template('prometheus-alerts.yml'))
const rules = groups.flatMap((group) => group.rules)

/** Returns the metrics of a run whose last success is its start, by name. */
function metricsOf(report: RunReport) {
  const model = reportModel(report)
  return parseMetrics(metricsText(model, 'staging', report.run.startedAt))
}

const DAY_MS = 86_400_000

/** Returns the alerts about a run that it is this many days after. */
function alertsAfter(days: number, parts: Partial<RunReport>): string[] {
  const report = reportFixture(parts)
  const metrics = metricsOf(report)
  const now = Date.parse(report.run.finishedAt) / 1000 + (days * DAY_MS) / 1000
  return rules.flatMap(({ alert, expr }) => {
    const valuesOf = (name: string) => metrics[name]?.map(({ value }) => value) ?? []
    const [metric = ''] = /plumbline_\w+/.exec(expr) ?? []
    const isFiring = valuesOf(metric).some((value) =>
      runInNewContext(expr, { [metric]: value, time: () => now }),
    )
    return isFiring ? [alert] : []
  })
}

it.each<[number, Partial<RunReport>, string[]]>([
  [1.1, { results: [resultFixture()] }, ['PlumblineNoRun']],
  [8, { results: [resultFixture()] }, ['PlumblineNoRun', 'PlumblineNoSuccess']],
  [0, { results: [resultFixture({ verdict: 'fail' })] }, ['PlumblineFailure']],
  [0, { results: [resultFixture({ verdict: 'skipped' })] }, ['PlumblineNoVerdict']],
  [
    0,
    { results: [resultFixture()], waivers: [waiverFixture({ expires: '2026-02-16' })] },
    ['PlumblineWaiverExpires'],
  ],
  [0, { results: [resultFixture()], waivers: [waiverFixture({ expires: '2026-02-17' })] }, []],
])('%d days after a run with %j, the alerts are %j', (days, parts, alerts) => {
  expect(alertsAfter(days, parts)).toEqual(alerts)
})
