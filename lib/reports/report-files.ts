import { join } from 'node:path'
import type { RunReport } from '../results/run-report.ts'
import { reportFileNames } from './file-names.ts'
import { evidenceHar } from './har.ts'
import { reportHtml } from './html/report-html.ts'
import { junitXml } from './junit.ts'
import type { ReportModel } from './model.ts'
import { findSchemaErrors } from './schema-errors.ts'
import { summaryMarkdown } from './summary-markdown.ts'
import { isReport } from './validators.ts'
import { runVerdictLabels, runVerdictStyles } from './verdict-labels.ts'
import { type FileStorage, removeFile, replaceFiles } from './write-files.ts'

/**
 * Formats the report with this indentation.
 *
 * @throws Error if it does not match its schema, an internal error of Plumbline
 */
export function reportJson(report: RunReport, indentation = 2): string {
  const text = JSON.stringify(report, null, indentation)
  const problems = findSchemaErrors(JSON.parse(text), isReport, 'the report')
  if (problems.length === 0) return `${text}\n`
  const message = 'Internal error of Plumbline: the report does not match its schema:'
  throw new Error([message, ...problems].join('\n  '))
}

/** Returns a badge for the endpoint of shields.io (https://shields.io/badges/endpoint-badge). */
function badgeJson({ report, outcome }: ReportModel): string {
  const { displayVerdict, counts, coverage } = outcome
  const share = `of ${coverage.testable}`
  const count =
    counts.fail > 0 ? `${counts.fail} ${share} failed` : `${coverage.judged} ${share} judged`
  // The badge of a job that lost its target must not look like a badge of the target.
  const isEmbedded = Object.values(report.target).some(({ embedded }) => embedded === true)
  const place = isEmbedded ? 'reference server: ' : ''
  const message = `${place}${runVerdictLabels[displayVerdict]}, ${count}`
  const color = isEmbedded ? 'lightgrey' : runVerdictStyles[displayVerdict].badge
  const badge = { schemaVersion: 1, label: 'conformance', message, color }
  return `${JSON.stringify(badge, null, 2)}\n`
}

interface OutputOptions {
  /** Report with all exchanges, to write `evidence.har`. */
  evidence?: RunReport | undefined
}

type Format = (model: ReportModel, options: OutputOptions) => string | undefined

const files: Record<(typeof reportFileNames)[number], Format> = {
  'junit.xml': junitXml,
  'report.json': ({ report }) => reportJson(report),
  'report.html': reportHtml,
  'evidence.har': ({ title }, { evidence }) => evidence && evidenceHar(evidence, title),
  'summary.md': summaryMarkdown,
  'badge.json': badgeJson,
}

/** Returns the files of a run by their names. */
export function reportFiles(model: ReportModel, options: OutputOptions = {}) {
  return reportFileNames.flatMap((name) => {
    const content = files[name](model, options)
    return content === undefined ? [] : { name, content }
  })
}

/**
 * Writes all files of a run or none, removes files that only earlier runs wrote, and returns the paths.
 *
 * @throws ReportNotWrittenError for a file system error, Error if the report does not match its schema
 */
export function writeReports(
  model: ReportModel,
  directory: string,
  options?: OutputOptions,
  storage?: FileStorage,
): string[] {
  const files = reportFiles(model, options).map((file) => {
    return { ...file, path: join(directory, file.name) }
  })
  const paths = files.map(({ path }) => path)
  const earlier = reportFileNames.map((name) => join(directory, name))
  replaceFiles(files, storage)
  for (const path of earlier) if (!paths.includes(path)) removeFile(path)
  return paths
}
