import type { RunReport } from '../../conformance/result.ts'
import type { Past } from '../past-runs.ts'
import { baselineSection } from './baseline-section.ts'
import { deviationSection } from './deviation-section.ts'
import { exchangeSection } from './exchange-section.ts'
import { failedSection } from './failed-section.ts'
import { historySection } from './history-section.ts'
import { inconclusiveSection } from './inconclusive-section.ts'
import { leftBehindSection } from './left-behind-section.ts'
import { html, type Markup } from './markup.ts'
import { observationSection } from './observation-section.ts'
import { pageScript, pageStyle } from './page-assets.ts'
import { pageContents, pageSection } from './page-contents.ts'
import { pageContext } from './page-context.ts'
import { pageHead } from './page-head.ts'
import { requirementControls } from './requirement-controls.ts'
import { requirementSections } from './requirement-sections.ts'
import { runHeader, verdictTitle } from './run-header.ts'
import { settingsSection } from './settings-section.ts'
import { skippedSection } from './skipped-section.ts'
import { utcTime } from './times.ts'
import { failingWaiverSection, untriedWaiverSection, waivedSection } from './waiver-section.ts'

function body(report: RunReport, past: Past): Markup {
  const context = pageContext(report)
  const sections = [
    failedSection(context),
    failingWaiverSection(context),
    inconclusiveSection(context),
    waivedSection(context),
    untriedWaiverSection(context),
    deviationSection(context),
    baselineSection(context),
    historySection(past.runs),
    requirementSections(context),
    observationSection(context),
    skippedSection(context),
    leftBehindSection(report),
    settingsSection(report),
    exchangeSection(context),
  ].filter(({ count }) => count > 0)
  return html`<body>
<a class="skip-link" href="#results">Skip to the results</a>
${runHeader(report, past)}
${pageContents(sections)}
<main id="results" tabindex="-1">
${requirementControls(report)}
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
  const title = `${verdictTitle(report)} (Plumbline, ${utcTime(report.run.startedAt)})`
  return `${html`<!doctype html>
<html lang="en">
${pageHead({ title, style: pageStyle, script: pageScript })}
${body(report, past)}
</html>`}
`
}
