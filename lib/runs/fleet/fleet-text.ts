import type { Entry, Section, Text } from '../../reports/document.ts'
import { markdownDocument } from '../../reports/markdown.ts'
import { lineRows, sectionLines, type TerminalLine } from '../../reports/terminal-document.ts'
import { terminalStyle } from '../../reports/terminal-style.ts'
import {
  runVerdictStyles,
  runVerdictText,
  statusStyles,
  verdictLabels,
} from '../../reports/verdict-labels.ts'
import { printableJson } from '../../text/printable.ts'
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
  const failing = differing.filter(({ failures }) => failures > 0)
  const entries = failing.map(({ requirement, failures, results }): Entry => {
    const failed = results.filter((result) => result?.verdict === 'fail')
    const [first] = failed.flatMap((result) => result?.since ?? []).toSorted()
    const since = first === undefined ? '' : `, since ${day(first)}`
    return { name: [{ ids: [requirement] }, `: on ${failures} of ${deployments.length}${since}`] }
  })
  // A terminal shows the end; of many deployments, only the others are listed.
  const isListed = (one: FleetDeployment) =>
    deployments.length <= MAX_LISTED || verdictOn(one) !== 'conformant'
  const listed = deployments.toReversed().filter(isListed)
  const omitted = deployments.length - listed.length
  const { color } = runVerdictStyles[fleet.verdict]
  const lines: TerminalLine[] = [
    ['', omitted > 0 ? `${omitted} that conform are on the page.` : undefined, 'dim'],
    ...listed.flatMap(({ name, run }): TerminalLine[] => {
      const text = run === undefined ? 'no report' : runVerdictText(run.summary)
      const { color } = runVerdictStyles[run?.summary.displayVerdict ?? 'inconclusive']
      return [
        ['', name, 'bold'],
        ['  ', text, color],
      ]
    }),
    ...sectionLines({ title: 'Failing', entries }),
    '',
    ['page: ', file],
    { row: `${fleetText(fleet)} (exit status ${status})`, color },
  ]
  return `${lineRows(lines, terminalStyle(options)).join('\n')}\n`
}

/** Returns `failed since 2026-02-02`; without a history, only the verdict. */
function resultText(result: FleetResult | undefined): string {
  if (result === undefined) return '–'
  const since = result.since === undefined ? '' : ` since ${day(result.since)}`
  return `${verdictLabels[result.verdict]}${since}`
}

function deploymentEntry(deployment: FleetDeployment): Entry {
  const { name, run } = deployment
  const { counts, coverage } = run?.summary ?? {}
  const cells = [
    ...(run === undefined ? ['no report', ''] : [run.toolVersion, day(run.startedAt)]),
    ...[coverage?.testable, coverage?.judged, counts?.pass, counts?.fail],
    run && countMissing(deployment),
  ]
  return { name, details: cells.map((cell = '') => ({ text: `${cell}` })) }
}

/** Formats a fleet as Markdown of at most 60,000 characters. */
export function fleetMarkdown(fleet: Fleet): string {
  const { deployments, differing, status } = fleet
  const titles = ['Plumbline', 'run', 'testable', 'judged', 'passed', 'failed', 'no verdict']
  const requirements = differing.map(({ requirement, statement, results }): Entry => {
    const name: Text = [{ ids: [requirement] }, `: ${statement}`]
    return { name, details: results.map((result) => ({ text: resultText(result) })) }
  })
  const sections: Section[] = [
    {
      title: 'Deployments',
      columns: ['deployment', ...titles],
      entries: deployments.map(deploymentEntry),
    },
    {
      title: 'Requirements that differ',
      columns: ['requirement', ...deployments.map(({ name }) => name)],
      entries: requirements,
    },
  ]
  const heading = `## ${statusStyles[status].mark} ${fleetText(fleet)}`
  return markdownDocument([heading], sections, 'with `--format json`')
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
