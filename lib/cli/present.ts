import { appendFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { annotations } from '../reports/annotations.ts'
import { hostsOf } from '../reports/format.ts'
import { metricsText, replaceMetrics } from '../reports/metrics.ts'
import { reportModel } from '../reports/model.ts'
import { printableJson } from '../reports/printable.ts'
import { readPreviousReport, writeReports } from '../reports/report-files.ts'
import type { PreviousRuns } from '../reports/run-changes.ts'
import { summaryMarkdown } from '../reports/summary-markdown.ts'
import { terminalSummary } from '../reports/terminal.ts'
import type { RunReport } from '../results/run-report.ts'
import { lastRunBefore, snapshotOf } from '../results/snapshot.ts'
import {
  type CliContext,
  logError,
  logInternalErrors,
  terminalOptions,
  writeOutput,
} from './context.ts'
import { writeProblem } from './files.ts'

/** A run after its waivers, baseline and history were applied. */
export interface FinalizedRun {
  report: RunReport
  /** True if there was no internal error, and all of the operator's files were written. */
  isComplete: boolean
  previousRuns?: PreviousRuns
  /** Sentences for the end of the summary, safe for a terminal. */
  notes?: string[]
}

export interface Presentation {
  /** Shows only failures, inconclusive requirements, and the verdict. */
  quiet?: boolean
  verbose?: boolean
  format?: 'text' | 'json'
  /** File of the metrics. */
  metrics?: string
  /** Name of the deployment in the metrics; default: the hosts. */
  name?: string
}

/**
 * Writes and shows the report, and returns the exit status. The summary is shown even if no file can be
 * written; the status is then never 0.
 */
export function present(
  { report, isComplete, previousRuns = {}, notes }: FinalizedRun,
  directory: string,
  context: Pick<CliContext, 'output' | 'errors' | 'directory' | 'environment' | 'redactor'>,
  { quiet, verbose, format, metrics, name }: Presentation = {},
): number {
  // Standard output contains only the report then.
  const textContext = format === 'json' ? { ...context, output: context.errors } : context
  const { output, environment } = textContext
  const earlier = readPreviousReport(directory, (sentence) => logError(sentence, textContext))
  const previous = lastRunBefore(report, [earlier && snapshotOf(earlier), previousRuns.previous])
  const model = reportModel(report, { previous, runs: previousRuns.runs })
  let reportFiles: string[] = []
  let problem: string | undefined
  const errors: unknown[] = []
  try {
    problem = writeProblem(() => {
      const files = writeReports(model, directory)
      reportFiles = files.map((path) => relative(textContext.directory, path))
    })
  } catch (error) {
    errors.push(error)
  }
  const isWhole = isComplete && reportFiles.length > 0
  const written = model.summary.exitStatus || (isWhole ? 0 : 3)
  const deployment = context.redactor.redact(name ?? hostsOf(report))
  const metricsProblem =
    metrics === undefined
      ? undefined
      : writeProblem(() => {
          const text = metricsText(
            report,
            { ...previousRuns, previous },
            { deployment, status: written },
          )
          replaceMetrics(resolve(context.directory, metrics), text)
        })
  const status = written || (metricsProblem === undefined ? 0 : 3)
  // Only these workflow commands of Plumbline are printed; texts of the target never are.
  if (environment.GITHUB_ACTIONS === 'true') output.write(annotations(model))
  const options = {
    ...terminalOptions(textContext),
    reportFiles,
    status,
    notes,
    quiet,
    verbose,
  }
  writeOutput(`${terminalSummary(model, options)}\n`, textContext)
  if (format === 'json') writeOutput(`${printableJson(report)}\n`, context)
  logInternalErrors(errors, textContext)
  if (problem !== undefined) {
    logError(
      `${problem}. No report files were written. Fix the problem or choose another ` +
        'directory with --reports, and run again.',
      textContext,
    )
  }
  if (metricsProblem !== undefined) logError(`--metrics: ${metricsProblem}.`, textContext)
  // GitHub shows it on the page of the job; an error does not change the exit status.
  const jobSummary = environment.GITHUB_STEP_SUMMARY ?? ''
  try {
    if (jobSummary !== '') appendFileSync(jobSummary, `${summaryMarkdown(model)}\n`)
  } catch (error) {
    const { message } = error as Error
    logError(`the summary was not added to $GITHUB_STEP_SUMMARY: ${message}`, textContext)
  }
  return status
}
