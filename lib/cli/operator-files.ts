import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { reportFileNames } from '../reports/file-names.ts'
import { isMetrics } from '../reports/metrics.ts'
import type { RunReport, Waiver } from '../results/run-report.ts'
import { isSameTarget } from '../results/snapshot.ts'
import { outcomeOf } from '../results/verdict.ts'
import {
  appendHistory,
  failingSince,
  type HistoryLine,
  historyLine,
  isOtherFile,
  readHistory,
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
import { readNamedFile, reportFolders, requireWritable } from './files.ts'
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
  const written = (reports === undefined ? reportFolders : [reports]).flatMap((folder) =>
    reportFileNames.map((name) => join(folder, name)),
  )
  const optionOf = new Map(written.map((file) => [resolve(directory, file), '--reports']))
  const named = [
    ...waivers.map((file) => ['--waivers', file] as const),
    ...Object.entries({ '--history': history, '--metrics': metrics }),
  ]
  for (const [option, file] of named) {
    if (file === undefined) continue
    const path = resolve(directory, file)
    const other = optionOf.get(path)
    if (other !== undefined) {
      const problem = `${other} and ${option} lead to the same file, ${file}.`
      throw new UsageError(`${problem} Use a different file for each. Nothing was sent.`)
    }
    optionOf.set(path, option)
  }
}

/** @throws UsageError if the file cannot be written, or has text other than metrics of a run */
function requireMetricsFile(file: string, directory: string): void {
  const path = requireWritable('--metrics', file, directory, 'replaced')
  const text = existsSync(path) ? readNamedFile('--metrics', file, directory) : ''
  if (isMetrics(text)) return
  throw new UsageError(
    `--metrics: ${file} is not a file of metrics and would be replaced. Name another file: it is ` +
      'created if it does not exist. Nothing was sent.',
  )
}

const requirementIds: ReadonlySet<string> = new Set(
  catalogues.flatMap(({ requirements }) => requirements.map(({ id }) => id)),
)

export class OperatorFiles {
  /** Ids of requirements with a waiver that is valid today. */
  readonly waived: ReadonlySet<string>
  readonly #options: OperatorFileOptions
  readonly #context: OperatorFileContext
  readonly #waivers: readonly Waiver[] | undefined
  /** Path of the history, without links. */
  readonly #history: string | undefined

  /** @throws UsageError for a file that cannot be used, before any request is sent */
  static async open(options: OperatorFileOptions, context: OperatorFileContext) {
    const { waivers } = options
    const reader = waivers === undefined ? {} : await import('../runs/waivers/waivers-file.ts')
    return new OperatorFiles(options, context, reader)
  }

  /** @param reader reads waivers, if the options name files of them */
  constructor(
    options: OperatorFileOptions,
    context: OperatorFileContext,
    { readWaivers }: Partial<typeof import('../runs/waivers/waivers-file.ts')>,
  ) {
    this.#options = options
    this.#context = context
    const { waivers, history, metrics } = options
    const { directory } = context
    requireDistinctFiles(options, directory)
    if (metrics !== undefined) requireMetricsFile(metrics, directory)
    this.#waivers = waivers?.flatMap((file) => {
      return readWaivers?.(readNamedFile('--waivers', file, directory), file) ?? []
    })
    const day = today()
    const valid = this.#waivers?.filter(({ expires = day }) => expires >= day)
    this.waived = new Set(valid?.map(({ requirement }) => requirement))
    if (history === undefined) return
    this.#history = requireWritable('--history', history, directory, 'added to')
    if (isOtherFile(this.#history)) {
      throw new UsageError(
        `--history: ${history} is not a history of runs. Name another file: ` +
          'it is created if it does not exist. Nothing was sent.',
      )
    }
  }

  /** Applies waivers to a finished run, and reads its history. */
  finalizeRun(report: RunReport, isComplete: boolean): FinalizedRun {
    try {
      const judged = this.#withWaivers(report)
      if (this.#history === undefined) return { report: judged, isComplete }
      const history = this.#openHistory(this.#history, judged)
      const line = historyLine(judged, outcomeOf(judged, isComplete))
      const since = failingSince([...history.earlier, line])
      const results = judged.results.map((result) => {
        const first = result.verdict === 'fail' ? since.get(result.requirement) : undefined
        return { ...result, ...(first && { failingSince: first }) }
      })
      return { report: { ...judged, results }, isComplete, history }
    } catch (error) {
      // An error here must not lose the reports.
      logInternalErrors([error], this.#context)
      return { report, isComplete: false }
    }
  }

  #withWaivers(report: RunReport): RunReport {
    if (this.#waivers === undefined) return report
    // The operator's text may contain a secret.
    const redact = (text: string) => this.#context.redactor.redact(text)
    const waivers = this.#waivers.map(({ requirement, expires, ...texts }): Waiver => {
      const redacted = JSON.parse(JSON.stringify(texts), (_key, part) =>
        typeof part === 'string' ? redact(part) : part,
      )
      return { requirement, ...(expires !== undefined && { expires }), ...redacted }
    })
    return withWaivers(report, waivers, requirementIds)
  }

  #openHistory(path: string, report: RunReport): RunHistory {
    const file = this.#options.history
    const append = (line: HistoryLine) => appendHistory(path, line)
    try {
      const { lines, endsWithInvalidLine } = readHistory(path)
      if (endsWithInvalidLine) {
        const problem = `--history: the last line of ${file} is not a complete run, and was skipped.`
        logError(`${problem} Changes are reported since the run before it.`, this.#context)
      }
      return { earlier: lines.filter((one) => isSameTarget(one.target, report.target)), append }
    } catch (error) {
      if (isMissing(error)) {
        const note = safeForTerminal(`Created history file ${file}.`, this.#context.redactor)
        return { earlier: [], append, note }
      }
      logError(`--history: ${file} ${readingProblem(error)}.`, this.#context)
      return { earlier: [], append }
    }
  }
}
