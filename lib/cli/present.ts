import { appendFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { annotations } from '../reports/annotations.ts'
import { metricsText, replaceMetrics } from '../reports/metrics.ts'
import { reportModel } from '../reports/model.ts'
import { withReferredExchanges } from '../reports/referred-exchanges.ts'
import { writeReports } from '../reports/report-files.ts'
import { hostsOf } from '../reports/report-text.ts'
import { summaryMarkdown } from '../reports/summary-markdown.ts'
import { terminalSummary } from '../reports/terminal.ts'
import type { RunReport } from '../results/run-report.ts'
import { outcomeOf } from '../results/verdict.ts'
import { type HistoryLine, historyLine, lastSuccessOf } from '../runs/history/history.ts'
import { printableJson } from '../text/printable.ts'
import {
  type CliContext,
  logError,
  logInternalErrors,
  terminalOptions,
  writeOutput,
} from './context.ts'
import { writeProblem } from './files.ts'

export interface RunHistory {
  /** Earlier runs of the same target, oldest first. */
  earlier: readonly HistoryLine[]
  /** Adds the run. @throws ReportNotWrittenError */
  append(line: HistoryLine): void
  /** Sentence for the end of the summary after the run was added, safe for a terminal. */
  note?: string
}

/** A run after its waivers and history were applied. */
export interface FinalizedRun {
  report: RunReport
  /** True if there was no internal error. */
  isComplete: boolean
  history?: RunHistory
}

export interface Presentation {
  /** Shows only failures, inconclusive requirements, and the verdict. */
  quiet?: boolean
  verbose?: boolean
  format?: 'text' | 'json'
  /** Writes `evidence.har`; without it, only if the variable CI is true. */
  har?: boolean
  metrics?: string
}

type PresentationContext = Pick<
  CliContext,
  'output' | 'errors' | 'directory' | 'environment' | 'redactor'
>

/**
 * Writes reports, metrics and history, in this order. If one cannot be written, the outcome changes, and the files
 * before it are written again with it; a history, which has no second line of a run, is the last.
 */
function writeRun(
  { report: whole, isComplete, history }: FinalizedRun,
  directory: string,
  context: PresentationContext,
  { har = false, metrics }: Presentation,
) {
  const { redactor, directory: workingDirectory, environment } = context
  const report = withReferredExchanges(whole)
  const { earlier = [] } = history ?? {}
  const problems: string[] = []
  const errors: unknown[] = []
  const notes: string[] = []
  let reportFiles: string[] = []
  const toModel = (isComplete: boolean) => {
    const outcome = outcomeOf(report, isComplete)
    return reportModel(report, { lastSuccess: lastSuccessOf(earlier) }, outcome)
  }
  let model = toModel(isComplete)
  const { exitStatus } = model.outcome
  function isWritten(write: () => void, toMessage: (problem: string) => string): boolean {
    try {
      const problem = writeProblem(write)
      if (problem === undefined) return true
      problems.push(toMessage(problem))
    } catch (error) {
      errors.push(error)
    }
    model = toModel(false)
    return false
  }
  const replaceable: Parameters<typeof isWritten>[] = [
    [
      () => {
        const evidence = har || environment.CI === 'true' ? whole : undefined
        const files = writeReports(model, directory, { evidence })
        reportFiles = files
          .filter((path) => dirname(path) === directory)
          .map((path) => relative(workingDirectory, path))
      },
      (problem) =>
        `${problem}. No report files were written. Fix the problem or choose another ` +
        'directory with --reports, and run again.',
    ],
  ]
  if (metrics !== undefined) {
    const deployment = redactor.redact(hostsOf(report))
    const path = resolve(workingDirectory, metrics)
    const write = () => replaceMetrics(path, metricsText(model, deployment))
    replaceable.push([write, (problem) => `--metrics: ${problem}.`])
  }
  const written = replaceable.filter((file) => isWritten(...file))
  if (history !== undefined) {
    const append = () => history.append(historyLine(report, model.outcome))
    const isAdded = isWritten(append, (problem) => `--history: ${problem}.`)
    if (isAdded && history.note !== undefined) notes.push(history.note)
  }
  if (model.outcome.exitStatus !== exitStatus) for (const file of written) isWritten(...file)
  return { model, reportFiles, notes, problems, errors }
}

/**
 * Writes and shows the report, and returns the exit status. The summary is shown even if no file can be
 * written; the status is then never 0.
 */
export function present(
  run: FinalizedRun,
  directory: string,
  context: PresentationContext,
  options: Presentation = {},
): number {
  const { quiet, verbose, format } = options
  // Standard output contains only the report then.
  const textContext = format === 'json' ? { ...context, output: context.errors } : context
  const { output, environment } = textContext
  const written = writeRun(run, directory, textContext, options)
  const { model, reportFiles, notes, problems, errors } = written
  // Only these workflow commands of Plumbline are printed; texts of the target never are.
  if (environment.GITHUB_ACTIONS === 'true') output.write(annotations(model))
  const summary = { ...terminalOptions(textContext), reportFiles, notes, quiet, verbose }
  writeOutput(`${terminalSummary(model, summary)}\n`, textContext)
  if (format === 'json') writeOutput(`${printableJson(model.report)}\n`, context)
  logInternalErrors(errors, textContext)
  for (const problem of problems) logError(problem, textContext)
  // GitHub shows it on the page of the job; an error does not change the exit status.
  const jobSummary = environment.GITHUB_STEP_SUMMARY ?? ''
  try {
    if (jobSummary !== '') appendFileSync(jobSummary, `${summaryMarkdown(model)}\n`)
  } catch (error) {
    const { message } = error as Error
    logError(`the summary was not added to $GITHUB_STEP_SUMMARY: ${message}`, textContext)
  }
  return model.outcome.exitStatus
}
