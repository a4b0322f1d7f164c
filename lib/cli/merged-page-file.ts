import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { printableSentence } from '../reports/printable.ts'
import { kindOfText } from '../upgrade/file-kind.ts'
import { isFleetPage } from '../upgrade/merge-page.ts'
import { UsageError } from './usage-error.ts'

/** A page tells what it is behind its style, which is some ten thousand characters long. */
const ENOUGH_BYTES = 262_144

/** The beginning of a file; an empty text where it cannot be read. */
function beginningOf(path: string): string {
  try {
    const file = openSync(path, 'r')
    try {
      const buffer = Buffer.alloc(ENOUGH_BYTES)
      return buffer.toString('utf8', 0, readSync(file, buffer))
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}

/** `undefined` where nothing can be there, so that nothing is replaced: writing tells why. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** The product line of a run's page, which that of a fleet has otherwise. */
const runPage = /<p class="product">Plumbline [^<]* conformance report<\/p>/

/** Whether a text begins like a file that a run writes into its reports folder. */
function isOfReports(beginning: string): boolean {
  const kind = kindOfText(beginning)
  if (kind === 'HTML') return runPage.test(beginning)
  return kind === 'report' || kind === 'JUnit' || kind === 'HAR'
}

/**
 * Lets a page take the place of nothing but an earlier page of `merge`, unless asked otherwise; of
 * what a run has written in no case.
 *
 * @throws UsageError when something else is there
 */
export function assureReplaceablePage(path: string, overwrite = false): void {
  const stat = statOf(path)
  if (stat === undefined) return
  const name = printableSentence(path)
  if (stat.isDirectory()) {
    throw new UsageError(
      `--output: ${name} is a directory: name a file in it. Nothing was written.`,
    )
  }
  if (!stat.isFile()) {
    throw new UsageError(`--output: ${name} is no regular file. Nothing was written.`)
  }
  const beginning = beginningOf(path)
  if (isFleetPage(beginning)) return
  if (isOfReports(beginning)) {
    throw new UsageError(
      `--output: ${name} is of the reports of a run, which merge never replaces. Name another file. ` +
        'Nothing was written.',
    )
  }
  if (overwrite) return
  throw new UsageError(
    `--output: ${name} is there already, and is no page of merge. Name another file, or replace it ` +
      'with --overwrite. Nothing was written.',
  )
}
