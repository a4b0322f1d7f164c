import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { RunReport } from '../conformance/result.ts'
import { printableSentence, shortened } from '../reports/printable.ts'
import { isMissing, readingProblem, readRegularFile } from '../reports/regular-file.ts'
import { isRunReport, reportMisfits } from '../reports/report-json.ts'

const which = 'the report of a run is its report.json'

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

function parsed(path: string, text: string): unknown {
  if (text.trim() === '') {
    throw new UnreadableReportError(path, 'is empty: the run that wrote it did not end properly')
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    const problem = shortened(printableSentence((error as Error).message), 160)
    const what = /^\s*[{[]/.test(text) ? 'is damaged' : `is no JSON; ${which}`
    throw new UnreadableReportError(path, `${what} (${problem})`)
  }
}

/** What is wrong with JSON that is no report of this format. */
function misfit(value: unknown): string {
  const { tool, schema } = (value ?? {}) as Partial<Record<keyof RunReport, unknown>>
  if ((tool as Partial<RunReport['tool']> | undefined)?.name !== 'plumbline') {
    return `is JSON, but no report of Plumbline; ${which}`
  }
  if (schema !== 1) {
    const written = shortened(printableSentence(JSON.stringify(schema) ?? 'none'), 40)
    return (
      `has the report format ${written}, and this version of Plumbline reads format 1: ` +
      'use the version that wrote it, or a newer one'
    )
  }
  const problems = reportMisfits(value).map((text) => shortened(printableSentence(text), 160))
  return `is damaged, or of a later version of Plumbline: ${problems.join('; ')}`
}

/**
 * Reads a `report.json`, or the one in a directory.
 *
 * @throws UnreadableReportError
 */
export function readReport(named: string): StoredReport {
  const { path, text } = readText(named)
  const value = parsed(path, text)
  if (!isRunReport(value)) throw new UnreadableReportError(path, misfit(value))
  const ids = [
    ...value.results.map(({ requirement }) => requirement),
    ...value.observations.map(({ id }) => id),
  ]
  const seen = new Set<string>()
  const twice = ids.find((id) => seen.size === seen.add(id).size)
  if (twice !== undefined) {
    const id = shortened(printableSentence(twice), 120)
    throw new UnreadableReportError(path, `is damaged: ${id} stands in it twice`)
  }
  return { path, report: value }
}
