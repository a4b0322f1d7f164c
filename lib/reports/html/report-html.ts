import type { RunReport } from '../../conformance/result.ts'
import type { Past } from '../changes.ts'
import { type ReportModel, reportModel } from '../model.ts'
import { utcTime } from '../run-words.ts'
import { requirementControls, runHeader, verdictTitle } from './header.ts'
import { historySection } from './history.ts'
import {
  baselineSection,
  exchangeSection,
  leftBehindSection,
  observationSection,
  settingsSection,
  skippedSection,
} from './lists.ts'
import { html, type Markup } from './markup.ts'
import { pageContents, pageHead, pageScript, pageSection, pageStyle } from './page.ts'
import { pageContext } from './page-context.ts'
import { requirementSections } from './services.ts'
import { verdictSections } from './verdict-sections.ts'

function body(model: ReportModel, { runs }: Past): Markup {
  const { report } = model
  const context = pageContext(model)
  const sections = [
    ...verdictSections(context),
    baselineSection(context),
    historySection(runs),
    requirementSections(context),
    observationSection(context),
    skippedSection(context),
    leftBehindSection(report),
    settingsSection(report),
    exchangeSection(context),
  ].filter(({ count }) => count > 0)
  return html`<body>
<a class="skip-link" href="#results">Skip to the results</a>
${runHeader(model)}
${pageContents(sections)}
<main id="results" tabindex="-1">
${requirementControls(model)}
<p id="nothing-shown" hidden>No requirement matches. <button type="button" id="show-all">Show everything</button></p>
${sections.map(pageSection)}</main>
<footer><p>Made by Plumbline from report.json, which has everything in full.</p></footer>
</body>`
}

/**
 * The run as one HTML page that needs nothing else: failures first, each with its exchange and a
 * command that repeats it. Text from the deployment is escaped, and what would be obeyed or could
 * not be seen is written out; the page's own policy keeps it from loading or sending anything. It
 * can be read without its style and its script, which an artifact store may forbid.
 */
export function reportHtml(report: RunReport, past: Past = {}): string {
  const model = reportModel(report, past)
  const title = `${verdictTitle(model)} (Plumbline, ${utcTime(report.run.startedAt)})`
  return `${html`<!doctype html>
<html lang="en">
${pageHead({ title, style: pageStyle, script: pageScript })}
${body(model, past)}
</html>`}
`
}
