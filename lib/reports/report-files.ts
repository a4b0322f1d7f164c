import { join } from 'node:path'
import type { RunReport } from '../conformance/result.ts'
import type { Past } from './changes.ts'
import { evidenceHar } from './har.ts'
import { reportHtml } from './html/report-html.ts'
import { junitXml } from './junit.ts'
import { type FileStorage, replaceFiles } from './replace-files.ts'
import { reportJson } from './report-json.ts'
import { summaryMarkdown } from './summary-markdown.ts'

/** In the order of writing: what a CI server reads to tell whether a build is good comes first. */
const files: Record<string, (report: RunReport, past: Past) => string> = {
  'junit.xml': junitXml,
  'report.json': reportJson,
  'report.html': reportHtml,
  'evidence.har': evidenceHar,
  'summary.md': (report, { previous }) => summaryMarkdown(report, previous),
}

export const reportFileNames = Object.keys(files)

/** @throws Error when the report does not fit its schema */
export function reportFiles(
  report: RunReport,
  past: Past = {},
): { name: string; content: string }[] {
  return Object.entries(files).map(([name, make]) => ({ name, content: make(report, past) }))
}

/**
 * Writes the files of a run into the directory, all of them or none, and returns their paths.
 *
 * @throws ReportNotWrittenError when the file system refuses
 * @throws Error when the report does not fit its schema; nothing is written then
 */
export function writeReports(
  report: RunReport,
  directory: string,
  past: Past = {},
  storage?: FileStorage,
): string[] {
  const written = reportFiles(report, past).map(({ name, content }) => {
    return { path: join(directory, name), content }
  })
  replaceFiles(written, storage)
  return written.map(({ path }) => path)
}
