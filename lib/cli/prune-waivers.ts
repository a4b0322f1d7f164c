import { isDeepStrictEqual } from 'node:util'
import { replaceFiles } from '../reports/write-files.ts'
import type { ReviewedWaiver, Waiver, WaiverState } from '../results/run-report.ts'
import { readReport } from '../runs/compare/read-report.ts'
import { changedWaivers, readWaivers } from '../runs/waivers/waivers-file.ts'
import { counted } from '../text/quantities.ts'
import { type CliContext, logError, safeForTerminal, UsageError } from './context.ts'
import { readNamedFile, requireWritable, writeProblem } from './files.ts'
import { selectItems } from './prepare-run.ts'

/** Reasons for the removal of an entry, by its state in the run. */
const removable: Partial<Record<WaiverState, string>> = {
  unused: 'the requirement passes',
  unknown: 'no requirement has this id',
}

/** Returns true if two entries of a requirement cover the same. */
const isSameEntry = (one: Waiver, other: Waiver | undefined) =>
  isDeepStrictEqual([one.actual, one.deviations], [other?.actual, other?.deviations])

/** Removes the waivers that the last run did not need. Needs no configuration and sends nothing. */
export function pruneWaivers(
  patterns: readonly string[],
  { reports, waivers: file }: { reports: string; waivers: string },
  context: CliContext,
): number {
  const { directory, output, redactor } = context
  const { report } = readReport(reports, directory)
  const { waivers: reviewed, run } = report
  if (reviewed === undefined) {
    throw new UsageError(`waive: run ${run.id} had no --waivers: run with ${file} first.`)
  }
  const path = requireWritable('--waivers', file, directory, 'updated')
  const text = readNamedFile('--waivers', file, directory)
  const entries = new Map(readWaivers(text, file).map((entry) => [entry.requirement, entry]))
  const idOf = ({ requirement }: ReviewedWaiver) => requirement
  const present = reviewed.filter((one) => entries.has(idOf(one)))
  const unused = present.filter(({ state }) => removable[state] !== undefined)
  const selected = selectItems(unused, idOf, patterns, (pattern) => {
    return `waive: ${pattern} matches no entry that run ${run.id} did not need.`
  })
  // The run says nothing about an entry that was written after it.
  const isReviewed = (one: ReviewedWaiver) => isSameEntry(one, entries.get(idOf(one)))
  const removed = selected.filter(isReviewed)
  const others = selected.filter((one) => !isReviewed(one))
  if (removed.length > 0) {
    const content = changedWaivers(text, { removed: new Set(removed.map(idOf)) })
    const problem = writeProblem(() => replaceFiles([{ path, content }]))
    if (problem !== undefined) {
      logError(`${problem}.`, context)
      return 3
    }
  }
  const expired = present.filter(({ state }) => state === 'expired')
  const rows = [
    `${file}: ${counted(removed.length, 'entry', 'entries')} removed`,
    ...removed.map((one) => `  ${idOf(one)}: ${removable[one.state]}`),
    ...(others.length > 0 ? [`Not as in run ${run.id}, unchanged:`] : []),
    ...others.map((one) => `  ${idOf(one)}`),
    ...(expired.length > 0 ? ['Expired, unchanged:'] : []),
    ...expired.map((one) => `  ${idOf(one)}, until ${one.expires}`),
  ]
  output.write(`${safeForTerminal(rows.join('\n'), redactor)}\n`)
  return 0
}
