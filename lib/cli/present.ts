import { appendFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { annotations } from '../reports/annotations.ts'
import { reportModel } from '../reports/facts.ts'
import { summaryMarkdown } from '../reports/markdown.ts'
import { isMetrics, metricsText } from '../reports/metrics.ts'
import { withReferredExchanges, writeReports } from '../reports/report-files.ts'
import { hostsOf } from '../reports/report-text.ts'
import { terminalSummary } from '../reports/terminal.ts'
import { styleOf } from '../reports/terminal-document.ts'
import { outcomeOf } from '../results/outcome.ts'
import type { RunReport, Waiver } from '../results/run-report.ts'
import { isSameTarget } from '../results/targets.ts'
import {
  appendHistory,
  type HistoryLine,
  historyLine,
  lastSuccessOf,
  withFailingSince,
} from '../runs/history/history.ts'
import { withWaivers } from '../runs/waivers/apply.ts'
import { printableJson } from '../text/printable.ts'
import { replaceFiles } from '../text/write-files.ts'
import { type CliContext, logError, logInternalErrors, writeOutput } from './context.ts'
import { writeProblem } from './files.ts'
import type { RunOptions } from './run-options.ts'
import { catalogues } from './services.ts'

export interface RunHistory {
  path: string
  /** Earlier runs, oldest first. */
  earlier: readonly HistoryLine[]
}

export interface FinalizedRun {
  report: RunReport
  /** True if there was no internal error. */
  isComplete: boolean
  history?: RunHistory
}

const requirementIds: ReadonlySet<string> = new Set(
  catalogues.flatMap(({ requirements }) => requirements.map(({ id }) => id)),
)

/** Applies waivers to a finished run, and says since which run of its history requirements fail. */
export function finalizeRun(
  report: RunReport,
  isComplete: boolean,
  { waivers, history }: { waivers?: readonly Waiver[]; history?: RunHistory },
  context: CliContext,
): FinalizedRun {
  const redact = (text: string) => context.redactor.redact(text)
  try {
    const judged =
      waivers === undefined ? report : withWaivers(report, waivers, requirementIds, redact)
    if (history === undefined) return { report: judged, isComplete }
    const earlier = history.earlier.filter((one) => isSameTarget(one.target, judged.target))
    const whole = withFailingSince(judged, isComplete, earlier)
    return { report: whole, isComplete, history: { ...history, earlier } }
  } catch (error) {
    // An error here must not lose the reports.
    logInternalErrors([error], context)
    return { report, isComplete: false }
  }
}

/**
 * Writes reports, metrics and history, in this order. If one cannot be written, the outcome changes, and the files
 * before it are written again with it; a history, which has no second line of a run, is the last.
 */
function writeRun(
  { report: whole, isComplete, history }: FinalizedRun,
  directory: string,
  context: CliContext,
  { har = context.environment.CI === 'true', metrics }: RunOptions,
) {
  const report = withReferredExchanges(whole)
  const deployment = context.redactor.redact(hostsOf(report))
  const lastSuccess = lastSuccessOf(history?.earlier ?? [])
  const toModel = (isWhole: boolean) => reportModel(report, outcomeOf(report, isWhole))
  let model = toModel(isComplete)
  const { exitStatus } = model.outcome
  let reportFiles: string[] = []
  const problems: string[] = []
  const errors: unknown[] = []
  const writers: Record<string, () => void> = {
    '--reports'() {
      const written = writeReports(model, directory, har ? whole : undefined)
      const shown = written.filter((path) => dirname(path) === directory)
      reportFiles = shown.map((path) => relative(context.directory, path))
    },
    '--metrics'() {
      if (metrics === undefined) return
      const path = resolve(context.directory, metrics)
      const content = metricsText(model, deployment, lastSuccess)
      // A file of something else may have appeared during the run.
      replaceFiles([{ path, content, mayReplace: isMetrics }])
    },
    '--history'() {
      if (history) appendHistory(history.path, historyLine(report, model.outcome))
    },
  }

  /** Returns the options whose files were written. */
  const write = (options: readonly string[]) =>
    options.filter((option) => {
      try {
        const problem = writeProblem(() => writers[option]?.())
        if (problem === undefined) return true
        problems.push(`${problem}. Fix it, or name another place with ${option}, and run again`)
      } catch (error) {
        errors.push(error)
      }
      model = toModel(false)
      return false
    })

  const written = write(Object.keys(writers))
  if (model.outcome.exitStatus !== exitStatus) write(written.filter((one) => one !== '--history'))
  return { model, reportFiles, problems, errors }
}

/** Writes and shows the report, also if a file cannot be written, and returns the exit status. */
export function present(
  run: FinalizedRun,
  directory: string,
  context: CliContext,
  options: RunOptions = {},
): number {
  const { quiet, verbose, format } = options
  // Standard output contains only the report then.
  const textContext = format === 'json' ? { ...context, output: context.errors } : context
  const { output, environment } = textContext
  const { model, problems, errors, ...written } = writeRun(run, directory, textContext, options)
  // Only these workflow commands of Plumbline are printed; texts of the target never are.
  if (environment.GITHUB_ACTIONS === 'true') output.write(annotations(model))
  const summary = { ...styleOf(textContext), ...written, quiet, verbose }
  writeOutput(`${terminalSummary(model, summary)}\n`, textContext)
  if (format === 'json') writeOutput(`${printableJson(model.report)}\n`, context)
  logInternalErrors(errors, textContext)
  for (const problem of problems) logError(`${problem}.`, textContext)
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
