import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { RunReport } from '../conformance/result.ts'
import { annotations, withoutWorkflowCommands } from '../reports/annotations.ts'
import { exitStatus } from '../reports/exit-status.ts'
import { readPreviousReport } from '../reports/previous-report.ts'
import { summaryMarkdown } from '../reports/summary-markdown.ts'
import { type TerminalSummaryOptions, terminalSummary } from '../reports/terminal.ts'
import { ReportNotWrittenError, writeReports } from '../reports/write-reports.ts'
import type { Surroundings } from './surroundings.ts'

const WIDTH_WITHOUT_TERMINAL = 100

type Place = Pick<Surroundings, 'output' | 'errors' | 'directory' | 'environment'>

/** A terminal that knows colours, and nobody who does not want them (https://no-color.org). */
function wantsColor({ output, environment }: Place): boolean {
  const { NO_COLOR = '', TERM } = environment
  return output.isTTY === true && NO_COLOR === '' && TERM !== 'dumb'
}

/** On GitHub Actions the lines of the output can be commands: ours are, a deployment's never. */
function show(
  report: RunReport,
  options: TerminalSummaryOptions,
  { output, environment }: Place,
): void {
  const summary = `${terminalSummary(report, options)}\n`
  if (environment.GITHUB_ACTIONS !== 'true') {
    output.write(summary)
    return
  }
  output.write(annotations(report))
  output.write(withoutWorkflowCommands(summary))
}

/** Adds to the summary that GitHub shows of a job, where there is one; the verdict stands without. */
function appendToJob(
  report: RunReport,
  previous: RunReport | undefined,
  { errors, environment }: Place,
): void {
  const path = environment.GITHUB_STEP_SUMMARY ?? ''
  if (path === '') return
  try {
    appendFileSync(path, `${summaryMarkdown(report, previous)}\n`)
  } catch (error) {
    const { message } = error as Error
    errors.write(`plumbline: the summary was not added to $GITHUB_STEP_SUMMARY: ${message}\n`)
  }
}

/** Writes and shows the report, and returns the exit status. */
export function present(report: RunReport, directory: string, place: Place): number {
  const previous = readPreviousReport(directory)
  const options = {
    color: wantsColor(place),
    width: place.output.columns ?? WIDTH_WITHOUT_TERMINAL,
    previous,
  }
  try {
    const files = writeReports(report, directory, previous)
    const reportFiles = files.map((path) => relative(place.directory, path))
    show(report, { ...options, reportFiles }, place)
    return exitStatus(report)
  } catch (error) {
    if (!(error instanceof ReportNotWrittenError)) throw error
    const status = exitStatus(report) || 3
    show(report, { ...options, reportFiles: [], status }, place)
    place.errors.write(`plumbline: ${error.message}\n`)
    return status
  } finally {
    appendToJob(report, previous, place)
  }
}
