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
import { didYouMean, nearestOf } from '../environment/nearest.ts'
import { codeOf } from '../environment/problems.ts'
import { appendHistory, historyLine, isForeign, readHistory } from '../history/history.ts'
import { latestOf, runsOfTarget } from '../history/review.ts'
import type { Past } from '../reports/changes.ts'
import { exitStatus, type RunExitStatus } from '../reports/exit-status.ts'
import { printableSentence } from '../reports/printable.ts'
import { ReportNotWrittenError, replaceFile } from '../reports/replace-files.ts'
import { reportFileNames } from '../reports/report-files.ts'
import { counted } from '../reports/run-words.ts'
import { withWaivers } from '../waivers/apply.ts'
import { readWaivers, waiversProblemsText } from '../waivers/read.ts'
import { type CliContext, UsageError } from './context.ts'
import { readNamedFile, requireWritable } from './files.ts'
import { fatalText, safeForTerminal } from './output.ts'
import { catalogues } from './services.ts'

/** What an operator keeps beside the reports, and a run reads or writes. */
export interface OperatorFileOptions {
  waivers?: string
  baseline?: string
  updateBaseline?: boolean
  pin?: boolean
  history?: string
  /** The directory of the reports, where the run writes any. */
  reports?: string
}

/** The day by which waivers run out, in UTC. */
export function today(): string {
  return new Date().toISOString().slice(0, 10)
}

/** @throws UsageError that tells every problem of the file */
export function parsedWaivers(text: string, file: string, options = {}): Waiver[] {
  const read = readWaivers(text, options)
  if ('problems' in read) throw new UsageError(waiversProblemsText(file, read.problems))
  return read.waivers
}

/** @throws UsageError for a file to which no run can be added, or had better not be */
function requireHistory(file: string, directory: string): void {
  if (!isForeign(requireWritable('--history', file, directory, 'added to'))) return
  throw new UsageError(
    `--history: ${printableSentence(file)} holds something else than runs; nothing was sent. ` +
      'Name another file: it is made where there is none.',
  )
}

/** @throws UsageError for observations that the suites do not make, which are told with the nearest */
function requireKnown(file: string, { observations }: Baseline): void {
  const unknown = Object.keys(observations).filter((id) => !observationIds.has(id))
  if (unknown.length === 0) return
  const told = unknown.slice(0, 5).map((id) => `${id}.${didYouMean(id, observationIds)}`)
  const count = counted(unknown.length, 'id', 'ids')
  throw new UsageError(
    `--baseline: ${printableSentence(file)} has ${count} of no observation; nothing was sent: ` +
      `${printableSentence(told.join(' '))} ` +
      'Correct the file, or run with --update-baseline, which takes away what is not known.',
  )
}

/**
 * @param update whether it is to be written, so that there need not be one yet, and what it has of
 *   observations that are not known is to go
 * @throws UsageError
 */
function openBaseline(file: string, update: boolean, directory: string): Baseline | undefined {
  if (update) requireWritable('--baseline', file, directory)
  const name = printableSentence(file)
  if (!existsSync(resolve(directory, file))) {
    if (update) return undefined
    throw new UsageError(
      `--baseline: ${name} does not exist; nothing was sent. ` +
        'Write it with --update-baseline, from a run whose observations are as they should be.',
    )
  }
  const read = readBaseline(readNamedFile('--baseline', file, directory))
  if ('value' in read) {
    if (!update) requireKnown(file, read.value)
    return read.value
  }
  throw new UsageError(
    `--baseline: ${name} ${read.problem}; nothing was sent. ` +
      'Name the file that --update-baseline wrote, or restore it; where there is none yet, name a ' +
      'new one and add --update-baseline.',
  )
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

/**
 * One file for two purposes would be destroyed by one of them.
 *
 * @throws UsageError where two options name one file, or one of them a file that the run writes
 */
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
        `${other} and --${option} lead to the same file, ${printableSentence(file)}; nothing was ` +
          'sent. Give each a file of its own.',
      )
    }
    taken.set(path, `--${option}`)
  }
}

type Place = Pick<CliContext, 'directory' | 'errors' | 'redactor'>

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

/** What a baseline is worth that a run with this exit status wrote. */
const writtenInSpite: Record<RunExitStatus, string> = {
  0: '',
  1: ' The run failed all the same: a baseline holds what the documents leave open, and excuses no failure.',
  3: ' The run did not get every verdict: what it could not observe is not in it, or as it was before.',
}

/** The files of an operator, which have been read. */
export class OperatorFiles {
  readonly #options: OperatorFileOptions
  readonly #place: Place
  readonly #waivers: Waiver[] | undefined
  readonly #baseline: Baseline | undefined
  readonly #notes: string[] = []

  /** @throws UsageError for a file that cannot be used; then nothing may be sent */
  constructor(options: OperatorFileOptions, place: Place) {
    requireSense(options)
    requireApart(options, place.directory)
    const { waivers, baseline, updateBaseline = false, history } = options
    this.#options = options
    this.#place = place
    const { directory } = place
    if (waivers !== undefined) {
      this.#waivers = parsedWaivers(readNamedFile('--waivers', waivers, directory), waivers)
    }
    if (baseline !== undefined) {
      this.#baseline = openBaseline(baseline, updateBaseline, directory)
    }
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
   * @param sound whether the run met no defect of Plumbline
   */
  settled(report: RunReport, sound: boolean): SettledRun {
    try {
      const reviewed = this.#reviewed(report)
      return { report: reviewed, ...this.#recorded(reviewed, sound), notes: this.#notes }
    } catch (error) {
      // A run must not lose its reports over it.
      this.#place.errors.write(fatalText(error, this.#place.redactor))
      return { report, sound: false, past: {}, notes: this.#notes }
    }
  }

  #reviewed(report: RunReport): RunReport {
    const { redactor } = this.#place
    const waivers = this.#waivers?.map(({ reason, owner, link, ...waiver }) => ({
      ...waiver,
      reason: redactor.redact(reason),
      owner: redactor.redact(owner),
      ...(link === undefined ? {} : { link: redactor.redact(link) }),
    }))
    const known = {
      ids: requirementIds,
      nearest: (id: string) => nearestOf(id, requirementIds),
    }
    const waived = waivers === undefined ? report : withWaivers(report, waivers, known)
    if (this.#baseline === undefined) return waived
    const baseline = reviewBaseline(waived, this.#baseline, {
      pinned: this.#options.pin === true,
      known: observationIds,
    })
    return { ...waived, baseline }
  }

  #recorded(report: RunReport, sound: boolean): { past: Past; sound: boolean } {
    this.#noteDoubts(report)
    const written = this.#writeBaseline(report, sound)
    const { history } = this.#options
    if (history === undefined) return { past: {}, sound: sound && written }
    const path = resolve(this.#place.directory, history)
    const status = exitStatus(report) || (sound && written ? 0 : 3)
    const line = historyLine(report, status)
    const before = this.#pastLines(path, report)
    const begun = !existsSync(path)
    const kept = this.#try(() => appendHistory(path, line))
    if (begun && kept) this.#note(`The history ${history} was begun.`)
    const runs = [...before, line].slice(-shownRuns)
    return { past: { previous: latestOf(before), runs }, sound: sound && written && kept }
  }

  #pastLines(path: string, { target }: RunReport) {
    try {
      const { lines, endsLeftOut } = readHistory(path)
      if (endsLeftOut) {
        this.#tell(
          `--history: the last line of ${this.#options.history} is no run, or only a part of one, and ` +
            'left out: what is new is told from the run before it.',
        )
      }
      return runsOfTarget(lines, target)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') {
        this.#tell(`--history: the runs before could not be read (${codeOf(error)}).`)
      }
      return []
    }
  }

  #noteDoubts(report: RunReport): void {
    if (this.#baseline === undefined) return
    for (const { service, baseline, probed } of otherPlaces(report, this.#baseline)) {
      this.#note(
        `The baseline of ${service} was written for ${baseline}, and ${probed} was probed.`,
      )
    }
    const { pinned, observations = [] } = report.baseline ?? {}
    if (pinned !== true || observations.some(({ state }) => state !== 'new')) return
    this.#note(
      `The baseline ${this.#options.baseline} pins nothing of what was probed: it has no observation ` +
        'of it. Write them with --update-baseline.',
    )
  }

  #writeBaseline(report: RunReport, sound: boolean): boolean {
    const { baseline: file, updateBaseline } = this.#options
    if (file === undefined || updateBaseline !== true) return true
    if (report.run.interrupted === true || !sound) {
      this.#note(`The baseline ${file} was not written: the run did not come to its end.`)
      return true
    }
    const updated = updatedBaseline(report, this.#baseline, observationIds)
    const path = resolve(this.#place.directory, file)
    const text = baselineText(updated)
    if (!this.#try(() => replaceFile(path, text))) return false
    const before = this.#baseline === undefined ? undefined : baselineText(this.#baseline)
    const became = before === undefined ? 'was begun' : 'was updated'
    const count = Object.keys(updated.observations).length
    this.#note(
      `The baseline ${file} ${before === text ? 'is as it was' : became}: ` +
        `${counted(count, 'observation', 'observations')}.` +
        writtenInSpite[exitStatus(report)],
    )
    return true
  }

  #try(write: () => void): boolean {
    try {
      write()
      return true
    } catch (error) {
      if (!(error instanceof ReportNotWrittenError)) throw error
      this.#tell(`plumbline: ${error.message}.`)
      return false
    }
  }

  #note(text: string): void {
    this.#notes.push(safeForTerminal(text, this.#place.redactor))
  }

  #tell(text: string): void {
    const { errors, redactor } = this.#place
    errors.write(`${safeForTerminal(text, redactor)}\n`)
  }
}
