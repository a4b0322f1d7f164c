import { accessSync, constants, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Baseline, readBaseline } from '../baseline/baseline.ts'
import type { Waiver } from '../conformance/result.ts'
import { isForeign } from '../history/history.ts'
import { printableSentence } from '../reports/printable.ts'
import { readingProblem, readRegularFile } from '../reports/regular-file.ts'
import { reportFileNames } from '../reports/report-file-names.ts'
import { counted } from '../reports/run-words.ts'
import { didYouMean } from '../target/nearest.ts'
import { systemReason } from '../target/system-reason.ts'
import { readWaivers, waiversProblemsText } from '../waivers/read.ts'
import { UsageError } from './usage-error.ts'

const shownIds = 5

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

/**
 * The text of a file that an option names.
 *
 * @throws UsageError when it cannot be read
 */
export function readNamedFile(option: string, file: string, directory: string): string {
  if (file.trim() === '') throw new UsageError(`${option} names no file.`)
  try {
    return readRegularFile(resolve(directory, file)).replace(/^\ufeff/, '')
  } catch (error) {
    const name = printableSentence(file)
    throw new UsageError(`${option}: ${name} ${readingProblem(error)}; nothing was sent.`)
  }
}

/** The folder, or the nearest one above it that is there, is one in which something can be made. */
function requireFolder(folder: string): void {
  let existing = folder
  let stat = statSync(existing, { throwIfNoEntry: false })
  while (stat === undefined) {
    existing = dirname(existing)
    stat = statSync(existing, { throwIfNoEntry: false })
  }
  // Older versions of Node.js throw it themselves.
  if (!stat.isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' })
  accessSync(existing, constants.W_OK)
}

/** Nothing is sent when it is clear beforehand that a file cannot be written. */
export function requireWritable(option: string, file: string, directory: string): void {
  if (file.trim() === '') throw new UsageError(`${option} names no file.`)
  const path = resolve(directory, file)
  const name = printableSentence(file)
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat?.isDirectory()) throw new UsageError(`${option}: ${name} is a directory.`)
    if (stat?.isFile() === false) throw new UsageError(`${option}: ${name} is no regular file.`)
    if (stat === undefined) requireFolder(dirname(path))
    else accessSync(path, constants.W_OK)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(
      `${option}: ${name} cannot be written to: ${systemReason(error)}; nothing was sent.`,
    )
  }
}

/** @throws UsageError for a file to which no run can be added, or had better not be */
export function requireHistory(file: string, directory: string): void {
  requireWritable('--history', file, directory)
  if (!isForeign(resolve(directory, file))) return
  throw new UsageError(
    `--history: ${printableSentence(file)} holds something else than runs; nothing was sent. ` +
      'Name another file: it is made where there is none.',
  )
}

/** @throws UsageError that tells every problem of the file */
export function openWaivers(file: string, directory: string): Waiver[] {
  const read = readWaivers(readNamedFile('--waivers', file, directory))
  if ('problems' in read) throw new UsageError(waiversProblemsText(file, read.problems))
  return read.waivers
}

function requireKnown(file: string, ids: readonly string[], known: ReadonlySet<string>): void {
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length === 0) return
  const told = unknown.slice(0, shownIds).map((id) => `${id}.${didYouMean(id, known)}`)
  const more = unknown.length - told.length
  throw new UsageError(
    `--baseline: ${printableSentence(file)} has ${counted(unknown.length, 'id', 'ids')} of no ` +
      `observation; nothing was sent: ${printableSentence(told.join(' '))}` +
      `${more > 0 ? ` And ${more} more.` : ''} ` +
      'Correct the file, or run with --update-baseline, which takes away what is not known.',
  )
}

/**
 * @param update whether it is to be written, so that there need not be one yet, and what it has of
 *   observations that are not known is to go
 * @param known ids of all observations
 * @throws UsageError
 */
export function openBaseline(
  file: string,
  update: boolean,
  directory: string,
  known: ReadonlySet<string>,
): Baseline | undefined {
  if (update) requireWritable('--baseline', file, directory)
  const path = resolve(directory, file)
  if (statSync(path, { throwIfNoEntry: false }) === undefined) {
    if (update) return undefined
    throw new UsageError(
      `--baseline: ${printableSentence(file)} does not exist; nothing was sent. ` +
        'Write it with --update-baseline, from a run whose observations are as they should be.',
    )
  }
  const read = readBaseline(readNamedFile('--baseline', file, directory))
  if ('baseline' in read) {
    if (!update) requireKnown(file, Object.keys(read.baseline.observations), known)
    return read.baseline
  }
  throw new UsageError(
    `--baseline: ${printableSentence(file)} cannot be used: ${read.problem}; nothing was sent. ` +
      'Name the file that --update-baseline wrote, or restore it; where there is none yet, name a ' +
      'new one and add --update-baseline.',
  )
}

/** @throws UsageError for options that do not go together */
export function requireSense({ baseline, updateBaseline, pin }: OperatorFileOptions): void {
  for (const [option, given] of [
    ['--update-baseline', updateBaseline],
    ['--pin', pin],
  ] as const) {
    if (given === true && baseline === undefined) {
      throw new UsageError(`${option} needs --baseline FILE.`)
    }
  }
  if (pin === true && updateBaseline === true) {
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
export function requireApart(
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
