import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { RunReport } from '../conformance/result.ts'
import { annotations } from '../reports/annotations.ts'
import { lastRunBefore, type Past } from '../reports/changes.ts'
import { exitStatus } from '../reports/exit-status.ts'
import { readPreviousReport, writeReports } from '../reports/report-files.ts'
import { summaryMarkdown } from '../reports/summary-markdown.ts'
import { terminalSummary } from '../reports/terminal.ts'
import {
  type CliContext,
  complain,
  complainOfDefects,
  terminalOptions,
  writeOutput,
} from './context.ts'
import { writeProblem } from './files.ts'

const INCONCLUSIVE = 3

type Place = Pick<CliContext, 'output' | 'errors' | 'directory' | 'environment' | 'redactor'>

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
  const { output, environment } = place
  const earlier = readPreviousReport(directory, (sentence) => complain(sentence, place))
  const previous = lastRunBefore(report, [earlier, past.previous])
  let files: string[] = []
  let problem: string | undefined
  let defect: unknown
  try {
    problem = writeProblem(() => {
      files = writeReports(report, directory, { previous, runs: past.runs })
    })
  } catch (error) {
    defect = error
  }
  const isKept = problem === undefined && defect === undefined
  const status = exitStatus(report) || (sound && isKept ? 0 : INCONCLUSIVE)
  const reportFiles = files.map((path) => relative(place.directory, path))
  // On GitHub Actions the lines of the output can be commands: ours are, a deployment's never.
  if (environment.GITHUB_ACTIONS === 'true') output.write(annotations(report))
  const options = { ...terminalOptions(place), previous, reportFiles, status, notes }
  writeOutput(`${terminalSummary(report, options)}\n`, place)
  if (defect !== undefined) complainOfDefects([defect], place)
  if (problem !== undefined) {
    complain(
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
    complain(`the summary was not added to $GITHUB_STEP_SUMMARY: ${message}`, place)
  }
  return status
}
