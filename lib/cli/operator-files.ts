import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isMissing, readingProblem } from '../environment/read-file.ts'
import { didYouMean } from '../environment/suggestions.ts'
import { counted } from '../reports/format.ts'
import { reportFileNames } from '../reports/report-files.ts'
import { replaceKeptFile } from '../reports/write-files.ts'
import type { RunReport } from '../results/run-report.ts'
import { isSameTarget } from '../results/snapshot.ts'
import { summarize } from '../results/verdict.ts'
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
  historyLine,
  isForeign,
  readHistory,
} from '../runs/history/history.ts'
import { latestOf } from '../runs/history/trends.ts'
import { withWaivers } from '../runs/waivers/apply.ts'
import { readWaivers } from '../runs/waivers/read.ts'
import {
  type CliContext,
  logError,
  logInternalErrors,
  safeForTerminal,
  UsageError,
} from './context.ts'
import { readNamedFile, requireWritable, writeProblem } from './files.ts'
import type { FinalizedRun } from './present.ts'
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

/** Returns the current day in UTC. */
export const today = () => new Date().toISOString().slice(0, 10)

/** @throws UsageError if two options name the same file, or one names a report file of the run */
function requireDistinctFiles(options: OperatorFileOptions, directory: string): void {
  const { waivers, baseline, history, metrics, reports } = options
  const written = reports === undefined ? [] : reportFileNames.map((name) => join(reports, name))
  const optionOf = new Map(written.map((file) => [resolve(directory, file), '--reports']))
  for (const [option, file] of Object.entries({ waivers, baseline, history, metrics })) {
    if (file === undefined) continue
    const path = resolve(directory, file)
    const other = optionOf.get(path)
    if (other !== undefined) {
      const problem = `${other} and --${option} lead to the same file, ${file}; nothing was sent.`
      throw new UsageError(`${problem} Use a different file for each.`)
    }
    optionOf.set(path, `--${option}`)
  }
}

/** @param update true if the run writes the file: it may be missing or name unknown observations */
function openBaseline(file: string, update: boolean, directory: string): Baseline | undefined {
  if (update) requireWritable('--baseline', file, directory, 'updated')
  if (update && !existsSync(resolve(directory, file))) return undefined
  const createError = (problem: string) => new UsageError(`--baseline: ${file} ${problem}`)
  const read = readBaseline(readNamedFile('--baseline', file, directory))
  if ('problem' in read) {
    const hint = 'Name a file written by --update-baseline, or a new one with --update-baseline.'
    throw createError(`${read.problem}; nothing was sent. ${hint}`)
  }
  const unknown = Object.keys(read.value.observations).find((id) => !observationIds.has(id))
  if (unknown === undefined || update) return read.value
  throw createError(
    `has ${unknown}, which is not an observation; nothing was sent.` +
      `${didYouMean(unknown, observationIds)} --update-baseline removes unknown observations.`,
  )
}

const MAX_SHOWN_RUNS = 30

const requirementIds: ReadonlySet<string> = new Set(
  catalogues.flatMap(({ requirements }) => requirements.map(({ id }) => id)),
)
const observationIds: ReadonlySet<string> = new Set(
  catalogues.flatMap(({ observations = {} }) => Object.keys(observations)),
)

/** @throws UsageError for a file that cannot be used, before any request is sent */
export function openOperatorFiles(
  options: OperatorFileOptions,
  context: Pick<CliContext, 'directory' | 'errors' | 'redactor'>,
) {
  const { updateBaseline = false, pin: pinned = false, history } = options
  const { directory, redactor } = context
  if (options.baseline === undefined && (updateBaseline || pinned)) {
    throw new UsageError(`${pinned ? '--pin' : '--update-baseline'} needs --baseline FILE.`)
  }
  if (options.name !== undefined && (options.metrics === undefined || options.name.trim() === '')) {
    throw new UsageError(
      '--name is the label of --metrics FILE: use both, and name the deployment.',
    )
  }
  requireDistinctFiles(options, directory)
  if (options.metrics !== undefined) {
    requireWritable('--metrics', options.metrics, directory, 'updated')
  }
  const waivers =
    options.waivers === undefined
      ? undefined
      : readWaivers(readNamedFile('--waivers', options.waivers, directory), options.waivers)
  const before =
    options.baseline === undefined
      ? undefined
      : openBaseline(options.baseline, updateBaseline, directory)
  if (
    history !== undefined &&
    isForeign(requireWritable('--history', history, directory, 'added to'))
  ) {
    throw new UsageError(
      `--history: ${history} is not a history of runs; nothing was sent. Name another file: ` +
        'it is created if it does not exist.',
    )
  }
  const notes: string[] = []

  function isWritten(write: () => void): boolean {
    const problem = writeProblem(write)
    if (problem !== undefined) logError(`${problem}.`, context)
    return problem === undefined
  }

  function reviewRun(report: RunReport): RunReport {
    // The operator's text may contain a secret.
    const redactedWaivers = waivers?.map(({ requirement, expires, ...texts }) => {
      const redact = (text: string | string[]): string | string[] =>
        typeof text === 'string' ? redactor.redact(text) : text.map((one) => redactor.redact(one))
      const redacted = Object.entries(texts).map(([key, text]) => [key, redact(text)])
      return { requirement, expires, ...(Object.fromEntries(redacted) as typeof texts) }
    })
    const waived =
      redactedWaivers === undefined ? report : withWaivers(report, redactedWaivers, requirementIds)
    if (before === undefined) return waived
    const baseline = reviewBaseline(waived, before, { pinned, known: observationIds })
    notes.push(...otherPlaces(report, before))
    if (pinned && baseline.observations.every(({ state }) => state === 'new')) {
      notes.push(
        `The baseline ${options.baseline} has no observation of this target. ` +
          'Add them with --update-baseline.',
      )
    }
    return { ...waived, baseline }
  }

  /** Returns false if the baseline could not be written. */
  function writeBaseline(file: string, report: RunReport, isComplete: boolean): boolean {
    if (report.run.interrupted === true || !isComplete) {
      notes.push(`The baseline ${file} was not written: the run is not complete.`)
      return true
    }
    const updated = updatedBaseline(report, before, observationIds)
    const text = baselineText(updated)
    if (!isWritten(() => replaceKeptFile(resolve(directory, file), text))) return false
    const count = counted(Object.keys(updated.observations).length, 'observation', 'observations')
    notes.push(`${before === undefined ? 'Created' : 'Updated'} baseline ${file}: ${count}.`)
    return true
  }

  /** Adds the run to the history, and returns the previous runs of its target. */
  function recordRun(file: string, report: RunReport, isComplete: boolean) {
    const path = resolve(directory, file)
    const line = historyLine(report, summarize(report).exitStatus || (isComplete ? 0 : 3))
    let earlier: HistoryLine[] = []
    let isNew = false
    try {
      const { lines, endsWithInvalidLine: endsLeftOut } = readHistory(path)
      earlier = lines.filter((one) => isSameTarget(one.target, report.target))
      if (endsLeftOut) {
        const problem = `--history: the last line of ${file} is not a complete run, and was skipped.`
        logError(`${problem} Changes are reported since the run before it.`, context)
      }
    } catch (error) {
      isNew = isMissing(error)
      if (!isNew) logError(`--history: ${file} ${readingProblem(error)}.`, context)
    }
    const isRecorded = isWritten(() => appendHistory(path, line))
    if (isNew && isRecorded) notes.push(`Created history file ${file}.`)
    const runs = [...earlier, line].slice(-MAX_SHOWN_RUNS)
    const success = earlier.findLast((one) => one.status === 0 && one.selection !== true)
    const lastSuccess = success?.finishedAt
    const previousRuns = { previous: latestOf(earlier), runs, lastSuccess }
    return { previousRuns, isComplete: isComplete && isRecorded }
  }

  return {
    /** Ids of requirements with a waiver that is valid today. */
    waived: new Set(
      waivers?.flatMap(({ requirement, expires }) => (expires >= today() ? requirement : [])),
    ),
    /** Applies waivers and baseline to a finished run, and writes the baseline and the history. */
    finalizeRun(report: RunReport, isComplete: boolean): FinalizedRun {
      try {
        const judged = reviewRun(report)
        const { baseline } = options
        const isSaved =
          baseline === undefined || !updateBaseline || writeBaseline(baseline, judged, isComplete)
        const state = { isComplete: isComplete && isSaved }
        const recorded =
          history === undefined ? state : recordRun(history, judged, state.isComplete)
        const safe = notes.map((note) => safeForTerminal(note, redactor))
        return { report: judged, ...recorded, notes: safe }
      } catch (error) {
        // An error here must not lose the reports.
        logInternalErrors([error], context)
        return { report, isComplete: false }
      }
    },
  }
}
