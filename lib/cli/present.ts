import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { RunReport } from '../conformance/result.ts'
import type { Redactor } from '../probe/redaction.ts'
import { annotations, withoutWorkflowCommands } from '../reports/annotations.ts'
import { type EarlierRun, lastRunBefore, type Past } from '../reports/changes.ts'
import { exitStatus } from '../reports/exit-status.ts'
import { ReportNotWrittenError } from '../reports/replace-files.ts'
import { writeReports } from '../reports/report-files.ts'
import { readPreviousReport } from '../reports/report-json.ts'
import { summaryMarkdown } from '../reports/summary-markdown.ts'
import { type TerminalSummaryOptions, terminalSummary } from '../reports/terminal.ts'
import type { CliContext } from './context.ts'
import { fatalText, terminalOptions } from './output.ts'

const INCONCLUSIVE = 3

type Place = Pick<CliContext, 'output' | 'errors' | 'directory' | 'environment' | 'redactor'>

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
  previous: EarlierRun | undefined,
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

function notWrittenText(error: unknown, redactor: Redactor): string {
  if (!(error instanceof ReportNotWrittenError)) return fatalText(error, redactor)
  return (
    `plumbline: ${redactor.redact(error.message)}. The summary above is all there is of this run: ` +
    'mend that, or name another directory with --reports, and run again.\n'
  )
}

/**
 * Writes and shows the report, and returns the exit status. What cannot be written is shown all the
 * same; a run that leaves no report is never a success.
 *
 * @param settled.sound whether the run met no defect of Plumbline, and all else that it had to write is
 * @param settled.past what a history tells, where one is kept
 * @param settled.notes sentences for the end of the summary
 */
export function present(
  report: RunReport,
  directory: string,
  place: Place,
  { sound = true, past = {}, notes }: { sound?: boolean; past?: Past; notes?: string[] } = {},
): number {
  const tell = (sentence: string) => place.errors.write(`plumbline: ${sentence}\n`)
  const previous = lastRunBefore(report, [readPreviousReport(directory, tell), past.previous])
  let files: string[] = []
  let notWritten: unknown
  try {
    files = writeReports(report, directory, { previous, runs: past.runs })
  } catch (error) {
    notWritten = error
  }
  const status = exitStatus(report) || (sound && notWritten === undefined ? 0 : INCONCLUSIVE)
  const options = {
    ...terminalOptions(place),
    previous,
    reportFiles: files.map((path) => relative(place.directory, path)),
    status,
    notes,
  }
  show(report, options, place)
  if (notWritten !== undefined) place.errors.write(notWrittenText(notWritten, place.redactor))
  appendToJob(report, previous, place)
  return status
}
