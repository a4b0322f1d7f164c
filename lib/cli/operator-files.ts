import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { reportFileNames } from '../reports/file-names.ts'
import { isMetrics } from '../reports/metrics.ts'
import { replaceFiles } from '../reports/write-files.ts'
import type { RunReport, Waiver } from '../results/run-report.ts'
import { isSameTarget } from '../results/snapshot.ts'
import {
  type Baseline,
  baselineText,
  otherPlaces,
  readBaseline,
  reviewBaseline,
  updatedBaseline,
} from '../runs/baseline/baseline.ts'
import {
  appendHistory,
  type HistoryLine,
  isOtherFile,
  readHistory,
} from '../runs/history/history.ts'
import { withWaivers } from '../runs/waivers/apply.ts'
import { counted } from '../text/quantities.ts'
import { isMissing, readingProblem } from '../text/read-file.ts'
import { didYouMean } from '../text/suggestions.ts'
import {
  type CliContext,
  logError,
  logInternalErrors,
  safeForTerminal,
  UsageError,
} from './context.ts'
import { readNamedFile, reportFolders, requireWritable, writeProblem } from './files.ts'
import type { FinalizedRun, RunHistory } from './present.ts'
import { catalogues } from './services.ts'

export interface OperatorFileOptions {
  waivers?: string
  baseline?: string
  updateBaseline?: boolean
  pin?: boolean
  history?: string
  metrics?: string
  /** Label of the metrics. */
  name?: string
  reports?: string
}

type OperatorFileContext = Pick<CliContext, 'directory' | 'errors' | 'redactor'>

export const today = () => new Date().toISOString().slice(0, 10)

/** @throws UsageError if two options name the same file, or one names a report file of the run */
function requireDistinctFiles(options: OperatorFileOptions, directory: string): void {
  const { waivers, baseline, history, metrics, reports } = options
  const written = (reports === undefined ? reportFolders : [reports]).flatMap((folder) =>
    reportFileNames.map((name) => join(folder, name)),
  )
  const optionOf = new Map(written.map((file) => [resolve(directory, file), '--reports']))
  for (const [option, file] of Object.entries({ waivers, baseline, history, metrics })) {
    if (file === undefined) continue
    const path = resolve(directory, file)
    const other = optionOf.get(path)
    if (other !== undefined) {
      const problem = `${other} and --${option} lead to the same file, ${file}.`
      throw new UsageError(`${problem} Use a different file for each. Nothing was sent.`)
    }
    optionOf.set(path, `--${option}`)
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

/** @param update true if the run writes the file: it may be missing or name unknown observations */
function openBaseline(file: string, update: boolean, directory: string): Baseline | undefined {
  if (update && !existsSync(resolve(directory, file))) return undefined
  const createError = (problem: string) =>
    new UsageError(`--baseline: ${file} ${problem} Nothing was sent.`)
  const read = readBaseline(readNamedFile('--baseline', file, directory))
  if ('problem' in read) {
    const hint = 'Name a file written by --update-baseline, or a new file with --update-baseline.'
    throw createError(`${read.problem}. ${hint}`)
  }
  const unknown = Object.keys(read.value.observations).find((id) => !observationIds.has(id))
  if (unknown === undefined || update) return read.value
  throw createError(
    `has ${unknown}, which is not an observation.` +
      `${didYouMean(unknown, observationIds)} --update-baseline removes unknown observations.`,
  )
}

const requirementIds: ReadonlySet<string> = new Set(
  catalogues.flatMap(({ requirements }) => requirements.map(({ id }) => id)),
)
const observationIds: ReadonlySet<string> = new Set(
  catalogues.flatMap(({ observations = {} }) => Object.keys(observations)),
)

export class OperatorFiles {
  /** Ids of requirements with a waiver that is valid today. */
  readonly waived: ReadonlySet<string>
  readonly #options: OperatorFileOptions
  readonly #context: OperatorFileContext
  readonly #waivers: readonly Waiver[] | undefined
  readonly #before: Baseline | undefined
  /** Paths of the files that the run writes, without links. */
  readonly #paths: { baseline?: string; history?: string } = {}
  readonly #notes: string[] = []

  /** @throws UsageError for a file that cannot be used, before any request is sent */
  static async open(options: OperatorFileOptions, context: OperatorFileContext) {
    const { waivers } = options
    const reader = waivers === undefined ? {} : await import('../runs/waivers/waivers-file.ts')
    return new OperatorFiles(options, context, reader)
  }

  /** @param reader reads waivers, if the options name a file of them */
  constructor(
    options: OperatorFileOptions,
    context: OperatorFileContext,
    { readWaivers }: Partial<typeof import('../runs/waivers/waivers-file.ts')>,
  ) {
    this.#options = options
    this.#context = context
    const { waivers, baseline, updateBaseline = false, pin, history, metrics, name } = options
    const { directory } = context
    if (baseline === undefined && (updateBaseline || pin)) {
      throw new UsageError(`${pin ? '--pin' : '--update-baseline'} needs --baseline FILE.`)
    }
    if (name !== undefined && (metrics === undefined || name.trim() === '')) {
      throw new UsageError(
        '--name is the label of --metrics FILE: use both, and name the deployment.',
      )
    }
    requireDistinctFiles(options, directory)
    if (metrics !== undefined) requireMetricsFile(metrics, directory)
    if (waivers !== undefined) {
      this.#waivers = readWaivers?.(readNamedFile('--waivers', waivers, directory), waivers)
    }
    const valid = this.#waivers?.filter(({ expires }) => expires >= today())
    this.waived = new Set(valid?.map(({ requirement }) => requirement))
    if (baseline !== undefined && updateBaseline) {
      this.#paths.baseline = requireWritable('--baseline', baseline, directory, 'updated')
    }
    if (baseline !== undefined) this.#before = openBaseline(baseline, updateBaseline, directory)
    if (history === undefined) return
    this.#paths.history = requireWritable('--history', history, directory, 'added to')
    if (isOtherFile(this.#paths.history)) {
      throw new UsageError(
        `--history: ${history} is not a history of runs. Name another file: ` +
          'it is created if it does not exist. Nothing was sent.',
      )
    }
  }

  /** Applies waivers and baseline to a finished run, writes the baseline, and reads the history. */
  finalizeRun(report: RunReport, isComplete: boolean): FinalizedRun {
    const { baseline, history } = this.#paths
    try {
      const judged = this.#review(report)
      const isWritten = baseline === undefined || this.#writeBaseline(baseline, judged, isComplete)
      const recorded = history === undefined ? {} : { history: this.#openHistory(history, judged) }
      const notes = this.#notes.map((note) => safeForTerminal(note, this.#context.redactor))
      return { report: judged, isComplete: isComplete && isWritten, ...recorded, notes }
    } catch (error) {
      // An error here must not lose the reports.
      logInternalErrors([error], this.#context)
      return { report, isComplete: false }
    }
  }

  #isWritten(write: () => void): boolean {
    const problem = writeProblem(write)
    if (problem !== undefined) logError(`${problem}.`, this.#context)
    return problem === undefined
  }

  #review(report: RunReport): RunReport {
    // The operator's text may contain a secret.
    const redact = (text: string) => this.#context.redactor.redact(text)
    const redactTexts = <Value>(value: Value): Value =>
      JSON.parse(JSON.stringify(value), (_key, part) =>
        typeof part === 'string' ? redact(part) : part,
      )
    const waivers = this.#waivers?.map(({ requirement, expires, ...texts }) => {
      return { requirement, expires, ...redactTexts(texts) }
    })
    const waived = waivers === undefined ? report : withWaivers(report, waivers, requirementIds)
    const before = this.#before
    if (before === undefined) return waived
    const { pin: pinned = false, baseline: file } = this.#options
    const baseline = reviewBaseline(waived, before, { pinned, known: observationIds })
    this.#notes.push(...otherPlaces(report, before))
    if (pinned && baseline.observations.every(({ state }) => state === 'new')) {
      this.#notes.push(
        `The baseline ${file} has no observation of this target. ` +
          'Add them with --update-baseline.',
      )
    }
    return { ...waived, baseline }
  }

  /** Returns false if the baseline could not be written. */
  #writeBaseline(path: string, report: RunReport, isComplete: boolean): boolean {
    const file = this.#options.baseline
    if (report.run.interrupted === true || !isComplete) {
      this.#notes.push(`The baseline ${file} was not written: the run is not complete.`)
      return true
    }
    const updated = updatedBaseline(report, this.#before, observationIds)
    const content = baselineText(updated)
    if (!this.#isWritten(() => replaceFiles([{ path, content }]))) return false
    const count = counted(Object.keys(updated.observations).length, 'observation', 'observations')
    this.#notes.push(
      `${this.#before === undefined ? 'Created' : 'Updated'} baseline ${file}: ${count}.`,
    )
    return true
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
