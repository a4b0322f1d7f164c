import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isMetrics } from '../reports/metrics.ts'
import { reportFileNames } from '../reports/report-text.ts'
import type { RunReport, Waiver } from '../results/run-report.ts'
import { isSameTarget } from '../results/snapshot.ts'
import {
  appendHistory,
  type HistoryLine,
  isOtherFile,
  readHistory,
  withFailingSince,
} from '../runs/history/history.ts'
import { withWaivers } from '../runs/waivers/apply.ts'
import { isMissing, readingProblem } from '../text/read-file.ts'
import {
  type CliContext,
  logError,
  logInternalErrors,
  safeForTerminal,
  UsageError,
} from './context.ts'
import { openFile, reportFolders } from './files.ts'
import type { FinalizedRun, RunHistory } from './present.ts'
import { catalogues } from './services.ts'

export interface OperatorFileOptions {
  waivers?: string[]
  history?: string
  metrics?: string
  reports?: string
}

type OperatorFileContext = Pick<CliContext, 'directory' | 'errors' | 'redactor'>

export const today = () => new Date().toISOString().slice(0, 10)

/** @throws UsageError if two options name the same file, or one names a report file of the run */
function requireDistinctFiles(options: OperatorFileOptions, directory: string): void {
  const { waivers = [], history, metrics, reports } = options
  const optionOf = new Map<string, string>()
  const add = (option: string, file: string) => {
    const path = resolve(directory, file)
    const other = optionOf.get(path)
    optionOf.set(path, option)
    if (other === undefined) return
    const problem = `${other} and ${option} lead to the same file, ${file}.`
    throw new UsageError(`${problem} Use a different file for each. Nothing was sent.`)
  }
  for (const folder of reports === undefined ? reportFolders : [reports]) {
    for (const name of reportFileNames) add('--reports', join(folder, name))
  }
  for (const file of waivers) add('--waivers', file)
  if (history !== undefined) add('--history', history)
  if (metrics !== undefined) add('--metrics', metrics)
}

const otherFileError = (option: string, file: string, kind: string) =>
  new UsageError(
    `${option}: ${file} is not a ${kind}. Name another file: it is created if it does not exist. Nothing was sent.`,
  )

const requirementIds: ReadonlySet<string> = new Set(
  catalogues.flatMap(({ requirements }) => requirements.map(({ id }) => id)),
)

export class OperatorFiles {
  /** Ids of requirements with a waiver that is valid today. */
  readonly waived: ReadonlySet<string>
  readonly #context: OperatorFileContext
  readonly #waivers: readonly Waiver[] | undefined
  readonly #history: { name: string; path: string } | undefined

  /** @throws UsageError for a file that cannot be used, before any request is sent */
  static async open(options: OperatorFileOptions, context: OperatorFileContext) {
    const isNeeded = options.waivers !== undefined
    const reader = isNeeded ? await import('../runs/waivers/waivers-file.ts') : {}
    return new OperatorFiles(options, context, reader)
  }

  /** @param reader reads waivers, if the options name files of them */
  constructor(
    options: OperatorFileOptions,
    context: OperatorFileContext,
    { readWaivers }: Partial<typeof import('../runs/waivers/waivers-file.ts')>,
  ) {
    this.#context = context
    const { waivers, history: name, metrics } = options
    const { directory } = context
    requireDistinctFiles(options, directory)
    if (metrics !== undefined) {
      const { path, read } = openFile('--metrics', metrics, directory, 'replace')
      const isOther = existsSync(path) && !isMetrics(read())
      if (isOther) throw otherFileError('--metrics', metrics, 'file of metrics')
    }
    this.#waivers = waivers?.flatMap((file) => {
      return readWaivers?.(openFile('--waivers', file, directory, 'read').read(), file) ?? []
    })
    const day = today()
    const valid = this.#waivers?.filter(({ expires = day }) => expires >= day)
    this.waived = new Set(valid?.map(({ requirement }) => requirement))
    if (name === undefined) return
    const { path } = openFile('--history', name, directory, 'append')
    if (isOtherFile(path)) throw otherFileError('--history', name, 'history of runs')
    this.#history = { name, path }
  }

  /** Applies waivers to a finished run, and reads its history. */
  finalizeRun(report: RunReport, isComplete: boolean): FinalizedRun {
    const redact = (text: string) => this.#context.redactor.redact(text)
    try {
      const judged =
        this.#waivers === undefined
          ? report
          : withWaivers(report, this.#waivers, requirementIds, redact)
      if (this.#history === undefined) return { report: judged, isComplete }
      const history = this.#readHistory(this.#history, judged)
      const whole = withFailingSince(judged, isComplete, history.earlier)
      return { report: whole, isComplete, history }
    } catch (error) {
      // An error here must not lose the reports.
      logInternalErrors([error], this.#context)
      return { report, isComplete: false }
    }
  }

  #readHistory({ name, path }: { name: string; path: string }, { target }: RunReport): RunHistory {
    const append = (line: HistoryLine) => appendHistory(path, line)
    try {
      const { lines, endsWithInvalidLine } = readHistory(path)
      if (endsWithInvalidLine) {
        const problem = `--history: the last line of ${name} is not a complete run, and was skipped.`
        logError(`${problem} Changes are reported since the run before it.`, this.#context)
      }
      return { earlier: lines.filter((one) => isSameTarget(one.target, target)), append }
    } catch (error) {
      const note = safeForTerminal(`Created history file ${name}.`, this.#context.redactor)
      if (isMissing(error)) return { earlier: [], append, note }
      logError(`--history: ${name} ${readingProblem(error)}.`, this.#context)
      return { earlier: [], append }
    }
  }
}
