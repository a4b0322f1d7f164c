import type { RunReport } from '../conformance/result.ts'
import type { Past } from './changes.ts'
import { evidenceHar } from './har.ts'
import { reportHtml } from './html/report-html.ts'
import { junitXml } from './junit.ts'
import type { ReportFileName } from './report-file-names.ts'
import { reportJson } from './report-json.ts'
import { summaryMarkdown } from './summary-markdown.ts'

/** One of the files that a run leaves. */
export interface ReportFile {
  name: ReportFileName
  content: string
}

/**
 * The files of a run, in the order in which they are written: what a CI server reads to tell whether
 * a build is good comes first.
 *
 * @param past what is known of the time before, to tell what is new
 * @throws Error when the report does not fit its schema
 */
export function reportFiles(report: RunReport, past: Past = {}): ReportFile[] {
  return [
    { name: 'junit.xml', content: junitXml(report) },
    { name: 'report.json', content: reportJson(report) },
    { name: 'report.html', content: reportHtml(report, past) },
    { name: 'evidence.har', content: evidenceHar(report) },
    { name: 'summary.md', content: summaryMarkdown(report, past.previous) },
  ]
}
