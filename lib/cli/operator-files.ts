import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  type Baseline,
  baselineText,
  otherPlaces,
  readBaseline,
  reviewBaseline,
  updatedBaseline,
} from '../baseline/baseline.ts'
import type { RunReport, Waiver } from '../conformance/result.ts'
import { didYouMean } from '../environment/nearest.ts'
import { codeOf } from '../environment/problems.ts'
import { appendHistory, historyLine, isForeign, readHistory } from '../history/history.ts'
import { latestOf } from '../history/review.ts'
import { isSameTarget, type Past } from '../reports/changes.ts'
import { exitStatus } from '../reports/exit-status.ts'
import { replaceFile } from '../reports/replace-files.ts'
import { reportFileNames } from '../reports/report-files.ts'
import { counted } from '../reports/run-words.ts'
import { withWaivers } from '../waivers/apply.ts'
import { readWaivers } from '../waivers/read.ts'
import {
  type CliContext,
  complain,
  complainOfDefects,
  safeForTerminal,
  UsageError,
} from './context.ts'
import { readNamedFile, requireWritable, writeProblem } from './files.ts'
import { catalogues } from './services.ts'

/** What an operator keeps beside the reports, and a run reads or writes. */
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
export function today(): string {
  return new Date().toISOString().slice(0, 10)
}

/** @throws UsageError for options that do not go together */
function requireSense({ baseline, updateBaseline, pin }: OperatorFileOptions): void {
  if (baseline === undefined && (updateBaseline || pin)) {
    throw new UsageError(`${pin ? '--pin' : '--update-baseline'} needs --baseline FILE.`)
  }
  if (pin && updateBaseline) {
    throw new UsageError(
      '--pin fails a run for a change and --update-baseline accepts it: give one of them.',
    )
  }
}

/** @throws UsageError where two options name one file, or one of them a file that the run writes */
function requireApart(
  { waivers, baseline, history, reports }: OperatorFileOptions,
  directory: string,
): void {
  const written = reports === undefined ? [] : reportFileNames.map((name) => join(reports, name))
  const taken = new Map(written.map((file) => [resolve(directory, file), '--reports']))
  for (const [option, file] of Object.entries({ waivers, baseline, history })) {
    if (file === undefined) continue
    const path = resolve(directory, file)
    const other = taken.get(path)
    if (other !== undefined) {
      throw new UsageError(
        `${other} and --${option} lead to the same file, ${file}; nothing was sent. Give each a file ` +
          'of its own.',
      )
    }
    taken.set(path, `--${option}`)
  }
}

/**
 * @param update whether it is to be written, so that there need not be one yet, and what it has of
 *   observations that are not known is to go
 * @throws UsageError
 */
function openBaseline(file: string, update: boolean, directory: string): Baseline | undefined {
  if (update) requireWritable('--baseline', file, directory)
  if (update && !existsSync(resolve(directory, file))) return undefined
  const read = readBaseline(readNamedFile('--baseline', file, directory))
  if ('problem' in read) {
    throw new UsageError(
      `--baseline: ${file} ${read.problem}; nothing was sent. ` +
        'Name a file that --update-baseline wrote, or a new one and --update-baseline.',
    )
  }
  const ids = Object.keys(read.value.observations)
  const unknown = ids.find((id) => !observationIds.has(id))
  if (unknown === undefined || update) return read.value
  throw new UsageError(
    `--baseline: ${file} has ${unknown}, which is no observation; nothing was sent.` +
      `${didYouMean(unknown, observationIds)} --update-baseline takes away what is not known.`,
  )
}

/** @throws UsageError for a file to which no run can be added, or had better not be */
function requireHistory(file: string, directory: string): void {
  if (!isForeign(requireWritable('--history', file, directory, 'added to'))) return
  throw new UsageError(
    `--history: ${file} holds something else than runs; nothing was sent. Name another file: it is ` +
      'made where there is none.',
  )
}

/** Most runs that a picture shows. */
const shownRuns = 30

const requirementIds: ReadonlySet<string> = new Set(
  catalogues.flatMap(({ requirements }) => requirements.map(({ id }) => id)),
)
const observationIds: ReadonlySet<string> = new Set(
  catalogues.flatMap(({ observations = {} }) => Object.keys(observations)),
)

/** What became of a run beside the files of an operator. */
export interface SettledRun {
  report: RunReport
  /** Whether it met no defect of Plumbline, and everything was written. */
  sound: boolean
  past: Past
  /** Sentences for the end of the summary; they are fit for a terminal. */
  notes: string[]
}

type Place = Pick<CliContext, 'directory' | 'errors' | 'redactor'>

/** The files of an operator, which have been read. */
export class OperatorFiles {
  readonly #options: OperatorFileOptions
  readonly #context: Place
  readonly #waivers: Waiver[] | undefined
  readonly #baseline: Baseline | undefined
  readonly #notes: string[] = []

  /** @throws UsageError for a file that cannot be used; then nothing may be sent */
  constructor(options: OperatorFileOptions, context: Place) {
    const { waivers, baseline, updateBaseline = false, history } = options
    const { directory } = context
    requireSense(options)
    requireApart(options, directory)
    this.#options = options
    this.#context = context
    if (waivers !== undefined) {
      this.#waivers = readWaivers(readNamedFile('--waivers', waivers, directory), waivers)
    }
    if (baseline !== undefined) this.#baseline = openBaseline(baseline, updateBaseline, directory)
    if (history !== undefined) requireHistory(history, directory)
  }

  /** Ids of requirements whose failure is waived today. */
  get waived(): ReadonlySet<string> {
    const day = today()
    const current = this.#waivers?.filter(({ expires }) => expires >= day) ?? []
    return new Set(current.map(({ requirement }) => requirement))
  }

  /**
   * A run that has ended, beside the waivers and the baseline, and what the history tells of those
   * before it. Writes the baseline and the history.
   *
   * @param isSound whether the run met no defect of Plumbline
   */
  settled(report: RunReport, isSound: boolean): SettledRun {
    const { redactor } = this.#context
    try {
      const reviewed = this.#reviewed(report)
      const written = this.#writeBaseline(reviewed, isSound)
      const { past, sound } = this.#recorded(reviewed, isSound && written)
      const notes = this.#notes.map((note) => safeForTerminal(note, redactor))
      return { report: reviewed, past, sound, notes }
    } catch (error) {
      // A run must not lose its reports over it.
      complainOfDefects([error], this.#context)
      return { report, sound: false, past: {}, notes: [] }
    }
  }

  #reviewed(report: RunReport): RunReport {
    const { redactor } = this.#context
    const waivers = this.#waivers?.map(({ reason, owner, link, ...waiver }) => ({
      ...waiver,
      reason: redactor.redact(reason),
      owner: redactor.redact(owner),
      ...(link === undefined ? {} : { link: redactor.redact(link) }),
    }))
    const waived = waivers === undefined ? report : withWaivers(report, waivers, requirementIds)
    if (this.#baseline === undefined) return waived
    const { baseline: file, pin: pinned = false } = this.#options
    const baseline = reviewBaseline(waived, this.#baseline, { pinned, known: observationIds })
    this.#notes.push(...otherPlaces(report, this.#baseline))
    if (pinned && baseline.observations.every(({ state }) => state === 'new')) {
      this.#notes.push(
        `The baseline ${file} has no observation of what was probed. ` +
          'Write them with --update-baseline.',
      )
    }
    return { ...waived, baseline }
  }

  /** @returns whether it could be written, or was not to be */
  #writeBaseline(report: RunReport, sound: boolean): boolean {
    const { baseline: file, updateBaseline } = this.#options
    if (file === undefined || updateBaseline !== true) return true
    if (report.run.interrupted === true || !sound) {
      this.#notes.push(`The baseline ${file} was not written: the run did not come to its end.`)
      return true
    }
    const updated = updatedBaseline(report, this.#baseline, observationIds)
    const path = resolve(this.#context.directory, file)
    if (!this.#isWritten(() => replaceFile(path, baselineText(updated)))) return false
    const count = counted(Object.keys(updated.observations).length, 'observation', 'observations')
    const became = this.#baseline === undefined ? 'begun' : 'updated'
    this.#notes.push(`The baseline ${file} was ${became}: ${count}.`)
    return true
  }

  #recorded(report: RunReport, sound: boolean): Pick<SettledRun, 'past' | 'sound'> {
    const { history } = this.#options
    if (history === undefined) return { past: {}, sound }
    const path = resolve(this.#context.directory, history)
    const line = historyLine(report, exitStatus(report) || (sound ? 0 : 3))
    const isNew = !existsSync(path)
    const before = isNew ? [] : this.#pastLines(path, report)
    const kept = this.#isWritten(() => appendHistory(path, line))
    if (isNew && kept) this.#notes.push(`The history ${history} was begun.`)
    const runs = [...before, line].slice(-shownRuns)
    return { past: { previous: latestOf(before), runs }, sound: sound && kept }
  }

  #pastLines(path: string, { target }: RunReport) {
    try {
      const { lines, endsLeftOut } = readHistory(path)
      if (endsLeftOut) {
        complain(
          `--history: the last line of ${this.#options.history} is no run, or only a part of one, and ` +
            'left out: what is new is told from the run before it.',
          this.#context,
        )
      }
      return lines.filter((line) => isSameTarget(line.target, target))
    } catch (error) {
      complain(`--history: the runs before could not be read (${codeOf(error)}).`, this.#context)
      return []
    }
  }

  #isWritten(write: () => void): boolean {
    const problem = writeProblem(write)
    if (problem !== undefined) complain(`${problem}.`, this.#context)
    return problem === undefined
  }
}
