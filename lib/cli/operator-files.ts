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
import type { SettledRun } from './present.ts'
import { catalogues } from './services.ts'

export interface OperatorFileOptions {
  waivers?: string
  baseline?: string
  updateBaseline?: boolean
  pin?: boolean
  history?: string
  /** The folder of the reports. */
  reports?: string
}

/** The day by which waivers run out, in UTC. */
export const today = () => new Date().toISOString().slice(0, 10)

/** @throws UsageError where two options name one file, or one of them a file that the run writes */
function requireApart(options: OperatorFileOptions, directory: string): void {
  const { waivers, baseline, history, reports } = options
  const written = reports === undefined ? [] : reportFileNames.map((name) => join(reports, name))
  const taken = new Map(written.map((file) => [resolve(directory, file), '--reports']))
  for (const [option, file] of Object.entries({ waivers, baseline, history })) {
    if (file === undefined) continue
    const path = resolve(directory, file)
    const other = taken.get(path)
    if (other !== undefined) {
      const words = `${other} and --${option} lead to the same file, ${file}; nothing was sent.`
      throw new UsageError(`${words} Give each a file of its own.`)
    }
    taken.set(path, `--${option}`)
  }
}

/** @param update it is to be written: there need not be one yet, and what is not known may go */
function openBaseline(file: string, update: boolean, directory: string): Baseline | undefined {
  if (update) requireWritable('--baseline', file, directory, 'updated')
  if (update && !existsSync(resolve(directory, file))) return undefined
  const refused = (words: string) => new UsageError(`--baseline: ${file} ${words}`)
  const read = readBaseline(readNamedFile('--baseline', file, directory))
  if ('problem' in read) {
    const hint = 'Name a file that --update-baseline wrote, or a new one and --update-baseline.'
    throw refused(`${read.problem}; nothing was sent. ${hint}`)
  }
  const unknown = Object.keys(read.value.observations).find((id) => !observationIds.has(id))
  if (unknown === undefined || update) return read.value
  throw refused(
    `has ${unknown}, which is no observation; nothing was sent.` +
      `${didYouMean(unknown, observationIds)} --update-baseline takes away what is not known.`,
  )
}

const requirementIds: ReadonlySet<string> = new Set(
  catalogues.flatMap(({ requirements }) => requirements.map(({ id }) => id)),
)
const observationIds: ReadonlySet<string> = new Set(
  catalogues.flatMap(({ observations = {} }) => Object.keys(observations)),
)

/** @throws UsageError for a file that cannot be used; then nothing may be sent */
export function openOperatorFiles(
  options: OperatorFileOptions,
  context: Pick<CliContext, 'directory' | 'errors' | 'redactor'>,
) {
  const { updateBaseline = false, pin: pinned = false, history } = options
  const { directory, redactor } = context
  if (options.baseline === undefined && (updateBaseline || pinned)) {
    throw new UsageError(`${pinned ? '--pin' : '--update-baseline'} needs --baseline FILE.`)
  }
  requireApart(options, directory)
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
      `--history: ${history} holds something else than runs; nothing was sent. Name another file: ` +
        'it is made where there is none.',
    )
  }
  const notes: string[] = []

  function isWritten(write: () => void): boolean {
    const problem = writeProblem(write)
    if (problem !== undefined) logError(`${problem}.`, context)
    return problem === undefined
  }

  function reviewed(report: RunReport): RunReport {
    // What an operator has written may hold a secret.
    const safe = waivers?.map(({ requirement, expires, ...texts }) => {
      const redact = (text: string | string[]): string | string[] =>
        typeof text === 'string' ? redactor.redact(text) : text.map((one) => redactor.redact(one))
      const redacted = Object.entries(texts).map(([key, text]) => [key, redact(text)])
      return { requirement, expires, ...(Object.fromEntries(redacted) as typeof texts) }
    })
    const waived = safe === undefined ? report : withWaivers(report, safe, requirementIds)
    if (before === undefined) return waived
    const baseline = reviewBaseline(waived, before, { pinned, known: observationIds })
    notes.push(...otherPlaces(report, before))
    if (pinned && baseline.observations.every(({ state }) => state === 'new')) {
      notes.push(
        `The baseline ${options.baseline} has no observation of what was probed. ` +
          'Write them with --update-baseline.',
      )
    }
    return { ...waived, baseline }
  }

  /** @returns whether it could be written, or was not to be */
  function writeBaseline(file: string, report: RunReport, isSound: boolean): boolean {
    if (report.run.interrupted === true || !isSound) {
      notes.push(`The baseline ${file} was not written: the run did not come to its end.`)
      return true
    }
    const updated = updatedBaseline(report, before, observationIds)
    const text = baselineText(updated)
    if (!isWritten(() => replaceKeptFile(resolve(directory, file), text))) return false
    const count = counted(Object.keys(updated.observations).length, 'observation', 'observations')
    notes.push(`The baseline ${file} was ${before === undefined ? 'begun' : 'updated'}: ${count}.`)
    return true
  }

  /** Adds the run to the history. @returns what the history tells of those before it */
  function recorded(file: string, report: RunReport, sound: boolean) {
    const path = resolve(directory, file)
    const line = historyLine(report, summarize(report).exitStatus || (sound ? 0 : 3))
    let earlier: HistoryLine[] = []
    let isNew = false
    try {
      const { lines, endsLeftOut } = readHistory(path)
      earlier = lines.filter((one) => isSameTarget(one.target, report.target))
      if (endsLeftOut) {
        const words = `--history: the last line of ${file} is no run, or only a part of one, and left out:`
        logError(`${words} what is new is told from the run before it.`, context)
      }
    } catch (error) {
      isNew = isMissing(error)
      if (!isNew) logError(`--history: ${file} ${readingProblem(error)}.`, context)
    }
    const isKept = isWritten(() => appendHistory(path, line))
    if (isNew && isKept) notes.push(`The history ${file} was begun.`)
    // A picture shows no more.
    const runs = [...earlier, line].slice(-30)
    return { past: { previous: latestOf(earlier), runs }, sound: sound && isKept }
  }

  return {
    /** Ids of requirements whose failure is waived today. */
    waived: new Set(
      waivers?.flatMap(({ requirement, expires }) => (expires >= today() ? requirement : [])),
    ),
    /** Reviews a run that has ended, and writes the baseline and the history. */
    settled(report: RunReport, isSound: boolean): SettledRun {
      try {
        const judged = reviewed(report)
        const { baseline } = options
        const isKept =
          baseline === undefined || !updateBaseline || writeBaseline(baseline, judged, isSound)
        const sound = isSound && isKept
        const told = history === undefined ? { sound } : recorded(history, judged, sound)
        const safe = notes.map((note) => safeForTerminal(note, redactor))
        return { report: judged, ...told, notes: safe }
      } catch (error) {
        // A run must not lose its reports over it.
        logInternalErrors([error], context)
        return { report, sound: false }
      }
    },
  }
}
