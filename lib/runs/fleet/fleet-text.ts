import { codeSpan, markdownDocument, markdownTable, plainText } from '../../reports/markdown.ts'
import { lineRows, type TerminalLine } from '../../reports/terminal-sections.ts'
import { terminalStyle } from '../../reports/terminal-style.ts'
import {
  runVerdictStyles,
  runVerdictText,
  statusStyles,
  verdictLabels,
} from '../../reports/verdict-labels.ts'
import { printableJson, printableLine, printableSentence } from '../../text/printable.ts'
import { counted, utcTime } from '../../text/quantities.ts'
import {
  countMissing,
  deploymentVerdicts,
  type Fleet,
  type FleetDeployment,
  type FleetResult,
  verdictOn,
} from './fleet.ts'

const verdictTexts: Record<(typeof deploymentVerdicts)[number], string> = {
  nonconformant: 'failing',
  inconclusive: 'without a verdict',
  'no report': 'without a report',
  belowThreshold: 'with less than half judged',
  deviating: 'passing with known deviations',
  conformant: 'conforming',
}

/** Summarizes a fleet without text of the reports: `5 deployments: 2 failing, 3 conforming`. */
export function fleetText({ deployments }: Pick<Fleet, 'deployments'>): string {
  const parts = deploymentVerdicts.flatMap((verdict) => {
    const { length } = deployments.filter((one) => verdictOn(one) === verdict)
    return length === 0 ? [] : [`${length} ${verdictTexts[verdict]}`]
  })
  return `${counted(deployments.length, 'deployment')}: ${parts.join(', ')}`
}

/** Returns the day of a time, in UTC. */
export function day(time: string): string {
  return utcTime(time).slice(0, 10)
}

const MAX_LISTED = 40

/** Formats a fleet for a terminal. @param options.file path of the page; absent if it was not written */
export function mergedText(
  fleet: Fleet,
  { file, status, ...options }: { color: boolean; width: number; file?: string; status: number },
): string {
  const { deployments, differing } = fleet
  const style = terminalStyle(options)
  const failing = differing.filter(({ failures }) => failures > 0)
  const failures = failing.map(({ requirement, failures, results }): TerminalLine => {
    const failed = results.filter((result) => result?.verdict === 'fail')
    const [first] = failed.flatMap((result) => result?.since ?? []).toSorted()
    const since = first === undefined ? '' : `, since ${day(first)}`
    const text = `${requirement}: on ${failures} of ${deployments.length}${since}`
    return ['  ', printableSentence(text)]
  })
  // A terminal shows the end; of many deployments, only the others are listed.
  const isListed = (one: FleetDeployment) =>
    deployments.length <= MAX_LISTED || verdictOn(one) !== 'conformant'
  const listed = deployments.toReversed().filter(isListed)
  const omitted = deployments.length - listed.length
  const lines: TerminalLine[] = [
    ...(omitted > 0 ? [style.colors.dim(`${omitted} that conform are on the page.`)] : []),
    ...listed.flatMap(({ name, run }): TerminalLine[] => {
      const text = run === undefined ? 'no report' : printableSentence(runVerdictText(run.summary))
      const { color } = runVerdictStyles[run?.summary.displayVerdict ?? 'inconclusive']
      return [
        ['', printableSentence(name), 'bold'],
        ['  ', text, color],
      ]
    }),
    ...(failing.length === 0 ? [] : ['', `Failing (${failing.length})`]),
    ...failures,
    '',
    ['page: ', file && printableLine(file)],
    style.colors[runVerdictStyles[fleet.verdict].color](
      `${fleetText(fleet)} (exit status ${status})`,
    ),
  ]
  return `${lineRows(lines, style).join('\n')}\n`
}

/** Returns `failed since 2026-02-02`; without a history, only the verdict. */
function resultText(result: FleetResult | undefined): string {
  if (result === undefined) return '–'
  const since = result.since === undefined ? '' : ` since ${day(result.since)}`
  return `${verdictLabels[result.verdict]}${since}`
}

function deploymentCells(deployment: FleetDeployment): string[] {
  const { name, run } = deployment
  if (run === undefined) return [plainText(name), 'no report', ...Array(6).fill('–')]
  const { counts, coverage } = run.summary
  const numbers = [coverage.testable, coverage.judged, counts.pass, counts.fail]
  const cells = [name, run.toolVersion, day(run.startedAt)].map(plainText)
  return [...cells, ...[...numbers, countMissing(deployment)].map(String)]
}

/** Formats a fleet as Markdown of at most 60,000 characters. Text of the reports is escaped. */
export function fleetMarkdown(fleet: Fleet): string {
  const { deployments, differing, status } = fleet
  const names = deployments.map(({ name }) => plainText(name))
  const titles = ['Plumbline', 'run', 'testable', 'judged', 'passed', 'failed', 'no verdict']
  const requirements = differing.map(({ requirement, statement, results }) => {
    const cell = `${codeSpan(requirement, 120)}: ${plainText(statement)}`
    return [cell, ...results.map(resultText)]
  })
  return markdownDocument(
    [`## ${statusStyles[status].mark} ${fleetText(fleet)}`, ''],
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
    deployments: deployments.map(({ name, path, run }) => {
      if (run === undefined) return { name, path }
      const { toolVersion: version, startedAt, target, summary } = run
      const { verdict, counts } = summary
      const { judged, testable } = summary.coverage
      const coverage = { judged, testable }
      return { name, path, version, startedAt, target, verdict, counts, coverage }
    }),
    requirements: differing.map(({ requirement, statement, results }) => ({
      requirement,
      statement,
      results: results.map((result) =>
        result === undefined ? null : { verdict: result.verdict, since: result.since },
      ),
    })),
  })}\n`
}
