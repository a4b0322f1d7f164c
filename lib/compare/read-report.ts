import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { RunReport } from '../conformance/result.ts'
import { isMissing, readingProblem, readRegularFile } from '../environment/bounded-file.ts'
import { printableSentence } from '../reports/printable.ts'
import reportSchema from '../reports/report.schema.json' with { type: 'json' }
import { parsedJson } from '../reports/schemas.ts'

/** A file is no report that can be read; the message names the file and is all a person needs. */
export class UnreadableReportError extends Error {
  override readonly name = 'UnreadableReportError'
  /** Whether there is no such file at all. */
  readonly missing: boolean

  constructor(path: string, problem: string, missing = false) {
    super(`${printableSentence(path)} ${problem}.`)
    this.missing = missing
  }
}

/** A report, and where it was found. */
export interface StoredReport {
  /** The file itself, where a directory was named. */
  path: string
  report: RunReport
}

/**
 * Reads a `report.json`, or the one in a directory.
 *
 * @param directory where a relative path begins
 * @throws UnreadableReportError
 */
export function readReport(named: string, directory: string): StoredReport {
  // An empty variable of a job would name whatever is in the working directory.
  if (named.trim() === '') throw new UnreadableReportError('A report', 'has an empty name')
  let path = resolve(directory, named)
  let text: string
  try {
    if (statSync(path).isDirectory()) path = join(path, 'report.json')
    text = readRegularFile(path)
  } catch (error) {
    throw new UnreadableReportError(path, readingProblem(error), isMissing(error))
  }
  const read = parsedJson<RunReport>(text, reportSchema, 'report')
  if ('problem' in read) throw new UnreadableReportError(path, read.problem)
  return { path, report: read.value }
}
