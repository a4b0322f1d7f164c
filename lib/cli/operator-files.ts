import { existsSync } from 'node:fs'
import { isMetrics } from '../reports/metrics.ts'
import type { RunReport } from '../results/run-report.ts'
import { isSameTarget } from '../results/targets.ts'
import { isOtherFile, readHistory, withFailingSince } from '../runs/history/history.ts'
import { withWaivers } from '../runs/waivers/apply.ts'
import { isMissing, readingProblem } from '../text/read-file.ts'
import { type CliContext, logInternalErrors, UsageError } from './context.ts'
import { openFile } from './files.ts'
import type { FinalizedRun, RunHistory } from './present.ts'
import type { RunOptions } from './run-options.ts'
import { catalogues } from './services.ts'

const otherFileError = (option: string, file: string, kind: string) =>
  new UsageError(
    `${option}: ${file} is not a ${kind}. Name another file: it is created if it does not exist. Nothing was sent.`,
  )

const requirementIds: ReadonlySet<string> = new Set(
  catalogues.flatMap(({ requirements }) => requirements.map(({ id }) => id)),
)

function openHistory(name: string, context: CliContext): RunHistory {
  const { path } = openFile('--history', name, context.directory, 'append')
  if (isOtherFile(path)) throw otherFileError('--history', name, 'history of runs')
  try {
    return { path, earlier: readHistory(path).lines }
  } catch (error) {
    if (isMissing(error)) return { path, earlier: [] }
    throw new UsageError(`--history: ${name} ${readingProblem(error)}. Nothing was sent.`)
  }
}

/** Opens the files that options of a run name, before any request is sent. @throws UsageError */
export async function openOperatorFiles(options: RunOptions, context: CliContext) {
  const { waivers: files, history, metrics } = options
  const { directory } = context
  if (metrics !== undefined) {
    const { path, read } = openFile('--metrics', metrics, directory, 'replace')
    const isOther = existsSync(path) && !isMetrics(read())
    if (isOther) throw otherFileError('--metrics', metrics, 'file of metrics')
  }
  const reader = files && (await import('../runs/waivers/waivers-file.ts'))
  const waivers = files?.flatMap((file) => {
    return reader?.readWaivers(openFile('--waivers', file, directory, 'read').read(), file) ?? []
  })
  return { waivers, history: history === undefined ? undefined : openHistory(history, context) }
}

/** Applies waivers to a finished run, and says since which run of its history requirements fail. */
export function finalizeRun(
  report: RunReport,
  isComplete: boolean,
  { waivers, history }: Awaited<ReturnType<typeof openOperatorFiles>>,
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
