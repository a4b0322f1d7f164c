import type { RunReport } from '../results/run-report.ts'
import { annotations } from './annotations.ts'
import { reportModel } from './facts.ts'
import { evidenceHar } from './har.ts'
import { reportHtml } from './html/report-html.ts'
import { junitXml } from './junit.ts'
import { summaryMarkdown } from './markdown.ts'
import { terminalSummary } from './terminal.ts'
import { terminalStyle } from './terminal-document.ts'

export function textsOf(
  report: RunReport,
  options: Partial<Parameters<typeof terminalSummary>[1]> = {},
) {
  const model = reportModel(report)
  return {
    terminal: terminalSummary(model, {
      ...terminalStyle({ color: false, width: 100 }),
      reportFiles: [],
      ...options,
    }),
    annotations: annotations(model),
    summary: summaryMarkdown(model),
    junit: junitXml(model),
    page: reportHtml(model),
    archive: evidenceHar(report, model.title),
  }
}
