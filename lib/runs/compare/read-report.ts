import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UsageError } from '../../environment/errors.ts'
import { parsedJson } from '../../reports/schema-errors.ts'
import { isReport } from '../../reports/validators.ts'
import type { RunReport } from '../../results/run-report.ts'
import { readingProblem, readRegularFile } from '../../text/read-file.ts'

export interface StoredReport {
  /** Path of the file, also if a directory was named. */
  path: string
  report: RunReport
}

/** Reads a `report.json`, or the one in a directory. @throws UsageError that names the file */
export function readReport(named: string, directory: string): StoredReport {
  // An empty variable of a CI job would select the working directory.
  if (named.trim() === '') throw new UsageError('A report has an empty name.')
  let path = resolve(directory, named)
  let text: string
  try {
    if (statSync(path).isDirectory()) path = join(path, 'report.json')
    text = readRegularFile(path)
  } catch (error) {
    throw new UsageError(`${path} ${readingProblem(error)}.`)
  }
  const read = parsedJson<RunReport>(text, isReport, 'report')
  if ('problem' in read) throw new UsageError(`${path} ${read.problem}.`)
  return { path, report: read.value }
}
