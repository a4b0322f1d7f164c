import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { annotations } from '../reports/annotations.ts'
import { printableJson } from '../reports/printable.ts'
import { readPreviousReport, writeReports } from '../reports/report-files.ts'
import type { PreviousRuns } from '../reports/run-changes.ts'
import { summaryMarkdown } from '../reports/summary-markdown.ts'
import { terminalSummary } from '../reports/terminal.ts'
import type { RunReport } from '../results/run-report.ts'
import { lastRunBefore, snapshotOf } from '../results/snapshot.ts'
import { summarize } from '../results/verdict.ts'
import {
  type CliContext,
  logError,
  logInternalErrors,
  terminalOptions,
  writeOutput,
} from './context.ts'
import { writeProblem } from './files.ts'

/** What became of a run beside the files of an operator. */
export interface SettledRun {
  report: RunReport
  /** Whether it met no defect of Plumbline, and everything was written. */
  sound: boolean
  past?: PreviousRuns
  /** Sentences for the end of the summary; they are fit for a terminal. */
  notes?: string[]
}

export interface Presentation {
  /** What fails and what got no verdict are shown, and the verdict. */
  quiet?: boolean
  /** What was observed is shown too. */
  verbose?: boolean
  format?: 'text' | 'json'
}

/**
 * Writes and shows the report, and returns the exit status. What cannot be written is shown all the
 * same; a run that leaves no report is never a success.
 */
export function present(
  { report, sound, past = {}, notes }: SettledRun,
  directory: string,
  context: Pick<CliContext, 'output' | 'errors' | 'directory' | 'environment' | 'redactor'>,
  { quiet, verbose, format }: Presentation = {},
): number {
  // The report is alone on the standard output then.
  const place = format === 'json' ? { ...context, output: context.errors } : context
  const { output, environment } = place
  const earlier = readPreviousReport(directory, (sentence) => logError(sentence, place))
  const previous = lastRunBefore(report, [earlier && snapshotOf(earlier), past.previous])
  let reportFiles: string[] = []
  let problem: string | undefined
  const defects: unknown[] = []
  try {
    problem = writeProblem(() => {
      const files = writeReports(report, directory, { previous, runs: past.runs })
      reportFiles = files.map((path) => relative(place.directory, path))
    })
  } catch (error) {
    defects.push(error)
  }
  const status = summarize(report).exitStatus || (sound && reportFiles.length > 0 ? 0 : 3)
  // On GitHub Actions the lines of the output can be commands: ours are, a deployment's never.
  if (environment.GITHUB_ACTIONS === 'true') output.write(annotations(report, { previous }))
  const options = {
    ...terminalOptions(place),
    previous,
    reportFiles,
    status,
    notes,
    quiet,
    verbose,
  }
  writeOutput(`${terminalSummary(report, options)}\n`, place)
  if (format === 'json') writeOutput(`${printableJson(report)}\n`, context)
  logInternalErrors(defects, place)
  if (problem !== undefined) {
    logError(
      `${problem}. The summary above is all there is of this run: mend that, or name another ` +
        'directory with --reports, and run again.',
      place,
    )
  }
  // GitHub shows it of a job; the verdict stands without.
  const jobSummary = environment.GITHUB_STEP_SUMMARY ?? ''
  try {
    if (jobSummary !== '') appendFileSync(jobSummary, `${summaryMarkdown(report, { previous })}\n`)
  } catch (error) {
    const { message } = error as Error
    logError(`the summary was not added to $GITHUB_STEP_SUMMARY: ${message}`, place)
  }
  return status
}
