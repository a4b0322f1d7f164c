import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { RunReport } from '../conformance/result.ts'
import { printableSentence, shortened } from '../reports/printable.ts'
import { isMissing, readingProblem, readRegularFile } from '../reports/regular-file.ts'
import { isRunReport, reportMisfits } from '../reports/report-json.ts'

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

function readText(named: string): { path: string; text: string } {
  let path = named
  try {
    if (statSync(named).isDirectory()) path = join(named, 'report.json')
    return { path, text: readRegularFile(path).replace(/^\ufeff/, '') }
  } catch (error) {
    throw new UnreadableReportError(path, readingProblem(error), isMissing(error))
  }
}

function shown(text: string): string {
  return shortened(printableSentence(text), 160)
}

/** What is wrong with JSON that is no report of this format. */
function misfit(value: unknown): string {
  const { tool, schema } = (value ?? {}) as Partial<RunReport>
  if (tool?.name !== 'plumbline') {
    return 'is JSON, but no report of Plumbline; the report of a run is its report.json'
  }
  if (schema !== 1) {
    return (
      `has the report format ${shown(JSON.stringify(schema) ?? 'none')}, and this version of Plumbline reads format 1: ` +
      'use the version that wrote it, or a newer one'
    )
  }
  const problems = reportMisfits(value).map(shown)
  return `is damaged, or of a later version of Plumbline: ${problems.join('; ')}`
}

/**
 * Reads a `report.json`, or the one in a directory.
 *
 * @throws UnreadableReportError
 */
export function readReport(named: string): StoredReport {
  const { path, text } = readText(named)
  let report: unknown
  try {
    report = JSON.parse(text)
  } catch (error) {
    const problem = shown((error as Error).message)
    throw new UnreadableReportError(path, `is damaged, or no JSON (${problem})`)
  }
  if (!isRunReport(report)) throw new UnreadableReportError(path, misfit(report))
  return { path, report }
}
