import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs'
import { basename } from 'node:path'
import { isFleetPage } from '../fleet/page.ts'
import { printableSentence } from '../reports/printable.ts'
import { reportFileNames } from '../reports/report-file-names.ts'
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

/**
 * Lets a page take the place of nothing but an earlier page of `merge`, unless asked otherwise; of a
 * file with the name of a run's report in no case.
 *
 * @throws UsageError when something else is there
 */
export function requireReplaceablePage(path: string, overwrite = false): void {
  const stat = statOf(path)
  if (stat === undefined) return
  const refused = (why: string) =>
    new UsageError(`--output: ${printableSentence(path)} ${why} Nothing was written.`)
  if (stat.isDirectory()) throw refused('is a directory: name a file in it.')
  if (!stat.isFile()) throw refused('is no regular file.')
  if (isFleetPage(beginningOf(path))) return
  if (reportFileNames.some((name) => name === basename(path))) {
    throw refused('is of the reports of a run, which merge never replaces. Name another file.')
  }
  if (overwrite) return
  throw refused(
    'is there already, and is no page of merge. Name another file, or replace it with --overwrite.',
  )
}
