import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findSchemaErrors } from '../../reports/schema-errors.ts'
import { isReport } from '../../reports/validators.ts'
import type { RunReport } from '../../results/run-report.ts'
import { printableSentence } from '../../text/printable.ts'
import { readingProblem, readRegularFile } from '../../text/read-file.ts'
import { UsageError } from '../../text/usage-error.ts'

const SCHEMA: RunReport['schema'] = 4

/** Parses a report. @throws UsageError with a sentence that begins with the path */
function parseReport(text: string, path: string): RunReport {
  const damaged = (noun: string, cause: string) =>
    new UsageError(`${path} is damaged, or no ${noun} (${printableSentence(cause, 400)}).`)
  let value: { schema?: unknown; results?: unknown } | null
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw damaged('JSON', (error as Error).message)
  }
  const { schema, results } = Object(value)
  if (schema === undefined && results === undefined) {
    throw new UsageError(`${path} is not a Plumbline report.`)
  }
  if (typeof schema === 'number' && schema < SCHEMA) {
    throw new UsageError(
      `${path} has schema ${schema}, and this version of Plumbline reads schema ${SCHEMA}: use the version that wrote it, or write a new report.`,
    )
  }
  const problems = findSchemaErrors(value, isReport)
  if (problems.length === 0) return value as RunReport
  throw damaged('report of this version of Plumbline', problems.join('; '))
}

/** Reads a `report.json`, or the one in a directory. @throws UsageError that names the file */
export function readReport(named: string, directory: string): RunReport {
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
  return parseReport(text, path)
}
