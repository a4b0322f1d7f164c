import { groupBy } from '../../text/group-by.ts'
import { capitalized } from '../../text/printable.ts'
import { counted, utcTime } from '../../text/quantities.ts'
import type { ReportModel } from '../model.ts'
import { addressText, requestsText, runNotes } from '../report-text.ts'
import { coverageText, untestableText, verdictTally } from '../verdict-labels.ts'
import {
  displayName,
  html,
  type Markup,
  pageContents,
  pageHead,
  pageSection,
  verdictSymbol,
} from './markup.ts'
import { Page } from './sections.ts'

function facts({ report, outcome }: ReportModel): Markup[] {
  const { target, run } = report
  const services = Object.entries(target).map(([service, place]) => ({
    name: displayName(service),
    address: addressText(place),
  }))
  const addresses = [...groupBy(services, ({ address }) => address)].map(
    ([address, members]) => [members.map(({ name }) => name).join(', '), address] as const,
  )
  return [
    ...addresses,
    ['Started', utcTime(run.startedAt)],
    ['Traffic', requestsText(report)],
    ['Coverage', [coverageText(outcome.coverage), untestableText(outcome) ?? []].flat().join('; ')],
    ['Exit status', String(outcome.exitStatus)],
    ['Run', html`<code>${run.id}</code>`],
  ].map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)
}

function notices({ report, leakedResources, reminders }: ReportModel): Markup[] {
  const { run } = report
  const leaked = counted(leakedResources.length, 'leaked resource')
  const suffix = leakedResources.some(({ unconfirmed }) => unconfirmed)
    ? ' (some may not exist)'
    : ''
  return [
    run.interrupted === true &&
      html`<strong>Interrupted.</strong> The remaining requirements have no verdict.`,
    ...runNotes(report).map((note) => `${capitalized(note)}.`),
    ...reminders,
    leakedResources.length > 0 && html`<a href="#leaked-resources">${leaked}${suffix}</a>.`,
  ].flatMap((notice) => (notice === false ? [] : [html`<p>${notice}</p>`]))
}

function runHeader(model: ReportModel): Markup {
  const { report, outcome } = model
  // The heading says how many failed or are inconclusive.
  const others = verdictTally(report.results).filter(
    (one) => one.verdict !== 'fail' && one.verdict !== 'inconclusive',
  )
  return html`<header class="run ${outcome.displayVerdict}">
<p class="product">Plumbline ${report.tool.version} conformance report</p>
<h1>${verdictSymbol(outcome.displayVerdict)} ${capitalized(model.title)}</h1>
<p>${others.map(({ text }) => text).join(', ')}</p>
${notices(model)}
<dl class="facts">
${facts(model)}</dl>
</header>`
}

/** Returns search and filters, which are hidden until the script runs. */
function requirementControls({ report }: ReportModel): Markup {
  const buttons = verdictTally(report.results).map(
    ({ verdict, text }) =>
      html`<button type="button" class="filter" aria-pressed="false" data-verdict="${verdict}">${verdictSymbol(verdict)} ${text}</button>\n`,
  )
  return html`<div class="controls" role="search" aria-label="Requirements" hidden>
<label class="search"><span class="unseen">Search</span> <input type="search" id="search" autocomplete="off" spellcheck="false" placeholder="Search id, requirement, or reason"></label>
<div class="filters" role="group" aria-label="Show only requirements that are">
${buttons}</div>
<p id="shown" role="status">${counted(report.results.length, 'requirement')}</p>
</div>`
}

/** Returns a self-contained page, readable without style and script, which an artifact store may forbid. */
export function reportHtml(model: ReportModel): string {
  const { report } = model
  const bases = Object.values(report.target).map(({ baseUrl }) => baseUrl)
  const hosts = bases.map((base) => (URL.canParse(base) ? new URL(base).host : ''))
  const context = [...new Set(hosts), `Plumbline, ${utcTime(report.run.startedAt)}`]
  const title = `${capitalized(model.title)} (${context.filter(Boolean).join(', ')})`
  const sections = new Page(model).sections()
  return `${html`<!doctype html>
<html lang="en">
${pageHead(title)}
<body>
<a class="skip-link" href="#results">Skip to the results</a>
${runHeader(model)}
<div class="bar">
${pageContents(sections)}
${requirementControls(model)}
</div>
<main id="results" tabindex="-1">
<p id="nothing-shown" hidden>No requirement matches. <button type="button" id="show-all">Show everything</button></p>
${sections.map(pageSection)}</main>
<footer><p>Created by Plumbline. report.json has the complete data.</p></footer>
</body>
</html>`}
`
}
