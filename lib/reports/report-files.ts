import { join } from 'node:path'
import { readRegularFile, UnsupportedFileError } from '../environment/read-file.ts'
import type { RunReport } from '../results/run-report.ts'
import { evidenceHar } from './har.ts'
import { reportHtml } from './html/report-html.ts'
import { junitXml } from './junit.ts'
import type { PreviousRuns } from './run-changes.ts'
import { findSchemaErrors, parsedJson } from './schema-errors.ts'
import { summaryMarkdown } from './summary-markdown.ts'
import { isReport } from './validators.ts'
import { type FileStorage, replaceFiles } from './write-files.ts'

/** @throws Error when the text, read back, does not fit the schema: a defect of Plumbline */
export function reportJson(report: RunReport): string {
  const text = JSON.stringify(report, null, 2)
  const problems = findSchemaErrors(JSON.parse(text), isReport, 'the report')
  if (problems.length === 0) return `${text}\n`
  const what = 'The report does not fit its own schema, which is a defect of Plumbline:'
  throw new Error([what, ...problems].join('\n  '))
}

/** In the order of writing: what a CI server reads to tell whether a build is good comes first. */
const files: Record<string, (report: RunReport, past: PreviousRuns) => string> = {
  'junit.xml': junitXml,
  'report.json': reportJson,
  'report.html': reportHtml,
  'evidence.har': evidenceHar,
  'summary.md': summaryMarkdown,
}

export const reportFileNames = Object.keys(files)

export function reportFiles(report: RunReport, past: PreviousRuns = {}) {
  return Object.entries(files).map(([name, make]) => ({ name, content: make(report, past) }))
}

/**
 * Writes the files of a run, all of them or none, and returns their paths.
 *
 * @throws ReportNotWrittenError when the file system refuses, or Error where the report misses its schema
 */
export function writeReports(
  report: RunReport,
  directory: string,
  past: PreviousRuns = {},
  storage?: FileStorage,
): string[] {
  const files = reportFiles(report, past).map((file) => ({
    ...file,
    path: join(directory, file.name),
  }))
  replaceFiles(files, storage)
  return files.map(({ path }) => path)
}

/**
 * The report that is about to be replaced. It only adds to the new one: nothing about it is an error.
 *
 * @param tell handed a sentence about a file that is not even looked into
 */
export function readPreviousReport(
  directory: string,
  tell: (sentence: string) => void = () => {},
): RunReport | undefined {
  const path = join(directory, 'report.json')
  try {
    const read = parsedJson(readRegularFile(path), isReport, 'report')
    return 'value' in read ? read.value : undefined
  } catch (error) {
    if (error instanceof UnsupportedFileError) {
      tell(`${path} ${error.message}: what is new since then is not told.`)
    }
    return undefined
  }
}
