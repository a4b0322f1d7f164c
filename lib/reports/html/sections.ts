import type { ExchangeRecord } from '../../probe/exchange-record.ts'
import type { DescribedObservation } from '../../results/run-report.ts'
import { excerpt } from '../../text/printable.ts'
import { joinedTexts, type Section } from '../document.ts'
import type { ReportedDeviation, ReportModel } from '../model.ts'
import { lostCasesText, type ReasonGroup } from '../reason-groups.ts'
import { runSections } from '../run-document.ts'
import { coverageContent } from './coverage.ts'
import { exchangeView, htmlExchangeTitle } from './exchange.ts'
import { failuresContent, reasonGroup } from './failures.ts'
import { anchor, html, joined, linkTo, type Markup, type PageSection } from './markup.ts'
import {
  advice,
  entryItem,
  exchangeLinks,
  longText,
  observationId,
  resultRow,
  textMarkup,
} from './rows.ts'

function deviationRows(all: readonly ReportedDeviation[], context: ReportModel): Markup {
  return html`<ul class="rows">
${all.map(({ result }) => resultRow(result, context))}</ul>`
}

function observation(
  { id, description, value, exchanges }: DescribedObservation,
  context: ReportModel,
): Markup {
  const text = excerpt(JSON.stringify(value) ?? 'undefined', { characters: 1500, lines: 1 })
  const prefixedId = observationId(id)
  return html`<div id="${anchor(prefixedId)}"><dt class="permalink">${linkTo(prefixedId, id)}</dt>
<dd><p>${description}</p><code>${text}</code> <span class="note">${exchangeLinks(exchanges, context)}</span></dd></div>
`
}

function reasonItem(group: ReasonGroup): Markup {
  const { reason, results, lost } = group
  const links = results.map(({ requirement }) => linkTo(requirement))
  const cases = [lostCasesText(group) ?? []].flat()
  return html`<li><p>${results.length > 0 && html`<span class="count">${results.length} ×</span> `}${longText(reason)}</p>
${advice(results[0] ?? lost ?? {})}
<p class="note ids">${joined([...links, ...cases.map((text) => html`${text}`)], ', ')}</p></li>
`
}

function skippedContent({ skipped }: ReportModel): Markup {
  const isUntestable = ({ results }: ReasonGroup) => results[0]?.noVerdict?.kind === 'untestable'
  const changeable = skipped.filter((group) => !isUntestable(group))
  return html`<ul class="reasons">
${[...changeable, ...skipped.filter(isUntestable)].map(reasonItem)}</ul>`
}

function listedExchange(exchange: ExchangeRecord, { report, shownBy }: ReportModel): Markup {
  if (!shownBy.has(exchange.id)) return html`<li>${exchangeView(exchange, report)}</li>\n`
  return html`<li>${linkTo(exchange.id)} ${htmlExchangeTitle(exchange)}, shown above</li>\n`
}

function setting([name, value]: [string, unknown]): Markup {
  const text = excerpt(String(value), { characters: 600, lines: 8 })
  const content = value === `$${name}` ? 'set' : html`<code>${text}</code>`
  return html`<div><dt><code>${name}</code></dt><dd>${content}</dd></div>\n`
}

/** Sections with more than their entries in the document. */
const contents: Record<string, (context: ReportModel) => Markup> = {
  failed: failuresContent,
  inconclusive: (context) =>
    html`${context.inconclusive.map((group, position) => reasonGroup(group, position, context))}`,
  waived: (context) => deviationRows(context.waived, context),
  advisory: (context) => deviationRows(context.advisory, context),
  skipped: skippedContent,
  observations: (context) => html`<details class="observed"><summary>Show them</summary>
<dl class="values">
${context.report.observations.map((each) => observation(each, context))}</dl></details>`,
  requirements: coverageContent,
  settings: ({ report: { settings } }) =>
    html`<details><summary>Effective configuration, including defaults (secrets hidden)</summary>
<dl class="values">
${Object.entries(settings).map(setting)}</dl></details>`,
  exchanges: (context) => html`<details class="further"><summary>Show them</summary>
<ul>
${context.report.exchanges.map((exchange) => listedExchange(exchange, context))}</ul></details>`,
}

function sectionContent(section: Section, context: ReportModel): Markup {
  const { id = '', entries, about, notes = [] } = section
  const texts = [...(about === undefined ? [] : [about]), ...notes]
  return html`${texts.length > 0 && html`<p class="note">${textMarkup(joinedTexts(texts, ' '), context)}</p>\n`}${
    contents[id]?.(context) ??
    html`<ul>
${entries.map((entry) => entryItem(entry, context))}</ul>`
  }`
}

/** Returns the sections of the page: first failures, each with its evidence, and deviations. */
export function pageSections(context: ReportModel): PageSection[] {
  const { report } = context
  const { results, settings, exchanges } = report
  const sections = runSections(context)
  const place = sections.findIndex(({ id }) => id === 'skipped')
  const about =
    'The requests that a failure, a missing verdict or an observation refers to. Variable names replace secrets.'
  const own = { entries: [] }
  const all: Section[] = [
    ...sections.slice(0, place),
    { id: 'requirements', title: 'Requirements', count: results.length, ...own },
    ...sections.slice(place),
    { id: 'settings', title: 'Settings', count: Object.keys(settings).length, ...own },
    { id: 'exchanges', title: 'Exchanges', count: exchanges.length, about, ...own },
  ]
  return all
    .filter(({ count = 0, entries }) => count + entries.length > 0)
    .map((section) => {
      const { id = '', title, entries, count = entries.length } = section
      return { id, title, count, content: sectionContent(section, context) }
    })
}
