import { idParts } from '../results/ids.ts'
import { countVerdicts, coverageOf } from '../results/outcome.ts'
import { groupBy } from '../text/group-by.ts'
import type { ReportModel } from './facts.ts'
import { runTimeMs } from './report-text.ts'

type Sample = [value: number, labels?: Record<string, string>]

type Metric = [name: string, help: string, samples: readonly Sample[]]

const DAY_SECONDS = 86_400

const seconds = (time: string) => Date.parse(time) / 1000

const escaped = (text: string) =>
  text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

function formatMetric([name, help, samples]: Metric, deployment: string): string[] {
  if (samples.length === 0) return []
  const lines = samples.map(([value, labels = {}]) => {
    const pairs = Object.entries({ deployment, ...labels })
    const list = pairs.map(([label, text]) => `${label}="${escaped(text)}"`).join(',')
    return `plumbline_${name}{${list}} ${value}`
  })
  return [`# HELP plumbline_${name} ${help}`, `# TYPE plumbline_${name} gauge`, ...lines]
}

/** Returns true for the metrics of a run, and for an empty text. */
export const isMetrics = (text: string) => /^(?:$|(?:# HELP )?plumbline_)/.test(text)

/** Returns metrics in the Prometheus text format 0.0.4, without timestamps. @param lastSuccess end of the last earlier run with status 0 */
export function metricsText(
  { report, outcome }: ReportModel,
  deployment: string,
  lastSuccess?: string,
): string {
  const { run, tool, results, waivers = [] } = report
  const isSelection = results.some(({ noVerdict }) => noVerdict?.kind === 'not selected')
  const { exitStatus } = outcome
  const success = exitStatus === 0 && !isSelection ? run.finishedAt : lastSuccess
  const byService = groupBy(results, ({ requirement }) => idParts(requirement).service)
  const counts = [...byService].flatMap(([service, list]) =>
    Object.entries(countVerdicts(list)).map(([verdict, count]): Sample => {
      return [count, { service, verdict }]
    }),
  )
  const failures = results.flatMap(({ requirement, verdict }): Sample[] =>
    verdict === 'fail' ? [[1, { service: idParts(requirement).service, requirement }]] : [],
  )
  const metrics: Metric[] = [
    ['info', 'Version of Plumbline.', [[1, { version: tool.version }]]],
    ['exit_status', 'Exit status of the run: 0, 1 or 3.', [[exitStatus]]],
    ['run_timestamp_seconds', 'End of the run.', [[seconds(run.finishedAt)]]],
    [
      'last_success_timestamp_seconds',
      'End of the last run of all requirements with exit status 0.',
      success === undefined ? [] : [[seconds(success)]],
    ],
    ['requirements', 'Requirements by service and verdict.', counts],
    [
      'testable_requirements',
      'Requirements that a run can judge, by service.',
      [...byService].map(([service, list]) => [coverageOf(list).testable, { service }]),
    ],
    ['requirement_failed', 'Requirement that failed.', failures],
    [
      'waiver_expiry_timestamp_seconds',
      'End of the last day of a waiver.',
      waivers.flatMap(({ requirement, expires }): Sample[] => {
        return expires === undefined ? [] : [[seconds(expires) + DAY_SECONDS, { requirement }]]
      }),
    ],
    ['run_requests', 'Requests of the run, with retries.', [[run.requests]]],
    ['run_duration_seconds', 'Duration of the run.', [[runTimeMs(report) / 1000]]],
  ]
  return `${metrics.flatMap((metric) => formatMetric(metric, deployment)).join('\n')}\n`
}
