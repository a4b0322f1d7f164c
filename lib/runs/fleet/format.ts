import { codeSpan, markdownDocument, markdownTable, plainText } from '../../reports/markdown.ts'
import { printableJson } from '../../reports/printable.ts'
import { verdictLabels } from '../../reports/verdict-labels.ts'
import {
  countMissing,
  day,
  type Fleet,
  type FleetDeployment,
  type FleetResult,
  fleetText,
} from './fleet.ts'

const statusMarks = { 0: '✅', 1: '❌', 3: '⚠️' } as const

/** Returns `failed since 2026-02-02`; without a history, only the verdict. */
export function resultText(result: FleetResult | undefined): string {
  if (result === undefined) return '–'
  const since = result.since === undefined ? '' : ` since ${day(result.since)}`
  return `${verdictLabels[result.verdict]}${since}`
}

function deploymentCells({ name, run }: FleetDeployment): string[] {
  if (run === undefined) return [plainText(name), 'no report', ...Array(6).fill('–')]
  const { toolVersion, startedAt, results, summary } = run
  const { counts, coverage } = summary
  const numbers = [results.size, coverage.judged, counts.pass, counts.fail, countMissing(summary)]
  return [
    plainText(name),
    plainText(toolVersion),
    plainText(day(startedAt)),
    ...numbers.map(String),
  ]
}

/** Formats a fleet as Markdown of at most 60,000 characters. Text of the reports is escaped. */
export function fleetMarkdown(fleet: Fleet): string {
  const { deployments, differing, status } = fleet
  const names = deployments.map(({ name }) => plainText(name))
  const titles = ['Plumbline', 'run', 'requirements', 'judged', 'passed', 'failed', 'no verdict']
  const requirements = differing.map(({ requirement, statement, results }) => {
    const cell = `${codeSpan(requirement, 120)}: ${plainText(statement)}`
    return [cell, ...results.map(resultText)]
  })
  return markdownDocument(
    [`## ${statusMarks[status]} ${fleetText(fleet)}`, ''],
    [
      markdownTable('Deployments', ['deployment', ...titles], deployments.map(deploymentCells)),
      markdownTable('Requirements that differ', ['requirement', ...names], requirements),
    ],
    'with `--format json`',
  )
}

/** Formats a fleet as JSON, see `fleet.schema.json`. */
export function fleetJson({ deployments, differing, status }: Fleet): string {
  return `${printableJson({
    schema: 1,
    status,
    deployments: deployments.map(({ name, path, run }) => ({
      name,
      path,
      ...(run && {
        version: run.toolVersion,
        startedAt: run.startedAt,
        target: run.target,
        verdict: run.summary.verdict,
        counts: run.summary.counts,
        coverage: {
          judged: run.summary.coverage.judged,
          testable: run.summary.coverage.testable,
        },
      }),
    })),
    requirements: differing.map(({ requirement, statement, results }) => ({
      requirement,
      statement,
      results: results.map((result) =>
        result === undefined ? null : { verdict: result.verdict, since: result.since },
      ),
    })),
  })}\n`
}
