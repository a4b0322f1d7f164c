import { capitalized } from '../../text/printable.ts'
import { counted, utcTime } from '../../text/quantities.ts'
import type { ReportModel } from '../facts.ts'
import { hostsOf, requestsText, targetTexts } from '../report-text.ts'
import {
  coverageText,
  runVerdictStyles,
  verdictCountsText,
  verdictTally,
} from '../verdict-labels.ts'
import { html, type Markup, pageHead, symbolView } from './markup.ts'
import { Page, type PageSection } from './sections.ts'

function facts({ report, outcome }: ReportModel): Markup[] {
  return [
    ['Services', targetTexts(report.target).join(', ')],
    ['Started', utcTime(report.run.startedAt)],
    ['Traffic', requestsText(report)],
    ['Coverage', coverageText(outcome.coverage)],
    ['Exit status', String(outcome.exitStatus)],
    ['Run', html`<code>${report.run.id}</code>`],
  ].map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)
}

function runHeader(model: ReportModel): Markup {
  const { report, outcome } = model
  const { displayVerdict } = outcome
  return html`<header class="run ${displayVerdict}">
<p class="product">Plumbline ${report.tool.version} conformance report</p>
<h1>${symbolView(runVerdictStyles[displayVerdict].symbol, displayVerdict)} ${capitalized(model.title)}</h1>
<p>${verdictCountsText(outcome.counts)}</p>
${model.reminders.map((text) => html`<p>${text}</p>`)}
<dl class="facts">
${facts(model)}</dl>
</header>`
}

/** Returns links to the sections, and search and filters, which are hidden until the script runs. */
function bar({ report, outcome }: ReportModel, sections: readonly PageSection[]): Markup {
  const links = sections.map(
    ({ id, title, count }) =>
      html`<li><a href="#${id}">${title}</a> <span class="count">${count}</span></li>\n`,
  )
  const buttons = verdictTally(outcome.counts).map(
    ({ verdict, symbol, text }) =>
      html`<button type="button" class="filter" aria-pressed="false" data-verdict="${verdict}">${symbolView(symbol, verdict)} ${text}</button>\n`,
  )
  return html`<div class="bar">
<nav aria-label="Sections of this report"><ul class="contents">
${links}</ul></nav>
<div class="controls" role="search" aria-label="Requirements" hidden>
<label class="search"><span class="unseen">Search</span> <input type="search" id="search" autocomplete="off" spellcheck="false" placeholder="Search id, requirement, or reason"></label>
<div class="filters" role="group" aria-label="Show only requirements that are">
${buttons}</div>
<p id="shown" role="status">${counted(report.results.length, 'requirement')}</p>
</div>
</div>`
}

const sectionView = ({ id, title, count, content }: PageSection): Markup =>
  html`<section class="part" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title} <span class="count">${count}</span></h2>
${content}
</section>
`

/** Returns a self-contained page, readable without style and script, which an artifact store may forbid. */
export function reportHtml(model: ReportModel): string {
  const { report } = model
  const context = `${hostsOf(report)}, Plumbline, ${utcTime(report.run.startedAt)}`
  const sections = new Page(model).sections()
  return `${html`<!doctype html>
<html lang="en">
${pageHead(`${capitalized(model.title)} (${context})`)}
<body>
<a class="skip-link" href="#results">Skip to the results</a>
${runHeader(model)}
${bar(model, sections)}
<main id="results" tabindex="-1">
<p id="nothing-shown" hidden>No requirement matches. <button type="button" id="show-all">Show everything</button></p>
${sections.map(sectionView)}</main>
<footer><p>Created by Plumbline. report.json has the complete data.</p></footer>
</body>
</html>`}
`
}
