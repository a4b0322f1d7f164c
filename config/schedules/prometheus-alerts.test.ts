import { parser } from '@prometheus-io/lezer-promql'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { parseMetrics } from '../../lib/reports/metrics.fixture.ts'
import { metricsText } from '../../lib/reports/metrics.ts'
import { reportFixture } from '../../lib/reports/report.fixture.ts'
import { outcomeOf } from '../../lib/results/outcome.ts'
import { template } from './template.fixture.ts'

interface Rule {
  alert: string
  expr: string
  labels: Record<string, string>
  annotations: Record<string, string>
}

const { groups }: { groups: { name: string; rules: Rule[] }[] } = parse(
  template('prometheus-alerts.yml'),
)
const rules = groups.flatMap((group) => group.rules)

/** Returns the names of the nodes of a PromQL expression; those of a wrong one contain an error. */
function nodesOf(expression: string): string[] {
  const names: string[] = []
  parser.parse(expression).iterate({
    enter: ({ type }) => void names.push(type.isError ? 'error' : type.name),
  })
  return names
}

it('the alerts are rules of Prometheus about metrics that a run writes', () => {
  const report = reportFixture()
  const parts = { deployment: 'staging', outcome: outcomeOf(report, true) }
  const written = parseMetrics(metricsText(report, {}, parts))
  expect(groups.map(({ name }) => name)).toEqual(['plumbline'])
  expect(rules.map(({ alert }) => alert)).toEqual(['PlumblineFailure', 'PlumblineNoRun'])
  for (const { expr, labels, annotations, ...others } of rules) {
    expect(nodesOf(expr)).not.toContain('error')
    const [metric = ''] = /plumbline_\w+/.exec(expr) ?? []
    expect(written).toHaveProperty(metric)
    expect(Object.keys(labels)).toEqual(['severity'])
    expect(Object.keys(annotations)).toEqual(['summary', 'description'])
    expect(Object.keys(others)).toEqual(['alert'])
    const names = annotations.description?.match(/plumbline_\w+/g) ?? []
    for (const name of names) expect(written).toHaveProperty(name)
  }
  expect(nodesOf('plumbline_exit_status ==')).toContain('error')
})

it('a missing nightly run is noticed after two hours', () => {
  const [, product = ''] = /> ([\d *]+)$/.exec(rules[1]?.expr ?? '') ?? []
  const seconds = product.split('*').reduce((all, factor) => all * Number(factor), 1)
  expect(seconds).toBe(26 * 3600)
})
