import type { ExchangeRecord } from '../../probe/exchange-record.ts'
import type { DescribedObservation } from '../../results/run-report.ts'
import { displayVerdict } from '../../results/verdict.ts'
import { excerpt } from '../../text/printable.ts'
import { counted, utcTime } from '../../text/quantities.ts'
import { joinedTexts, type Section } from '../document.ts'
import type { ReportedDeviation, ReportModel } from '../model.ts'
import { lostCasesText, type ReasonGroup } from '../reason-groups.ts'
import type { HistoryEntry } from '../run-changes.ts'
import { runSections } from '../run-document.ts'
import { coverageText, runVerdictLabels, verdictCountsText } from '../verdict-labels.ts'
import { coverageContent } from './coverage.ts'
import { exchangeView, htmlExchangeTitle } from './exchange.ts'
import { failuresContent, reasonGroup } from './failures.ts'
import {
  anchor,
  html,
  joined,
  linkTo,
  type Markup,
  type PageSection,
  picture,
  verdictSymbol,
} from './markup.ts'
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

/** Returns a column for each run: failed (solid) below inconclusive requirements (hollow), and their number. */
function historyChart(runs: readonly HistoryEntry[]): Markup {
  const [slot, floor] = [20, 80]
  const maxCount = Math.max(...runs.map(({ counts }) => counts.fail + counts.inconclusive))
  const height = (count: number) => (count === 0 ? 0 : 4 + Math.round((count / maxCount) * 56))
  const columns = runs.map(({ counts, status }, index) => {
    const [solid, hollow] = [height(counts.fail), height(counts.inconclusive)]
    const top = floor - solid - hollow
    const x = index * slot + 3
    const number = counts.fail + counts.inconclusive
    const label = number > 0 ? number : status === 1 ? '!' : ''
    return html`<path class="skipped" d="M${x} ${floor}h14v2h-14z"/><path class="fail" d="M${x} ${floor}v-${solid}h14v${solid}z"/>${hollow > 0 && html`<path class="inconclusive" d="M${x} ${top}h14v${hollow}h-14zm1.5 1.5v${hollow - 3}h11v-${hollow - 3}z"/>`}<text x="${x + 7}" y="${top - 3}" text-anchor="middle" font-size="10">${label}</text>`
  })
  return picture(runs.length * slot, floor + 2, columns)
}

function runItem(past: HistoryEntry): Markup {
  const { run, startedAt, counts, coverage, status, selection, reasons = [] } = past
  const verdict = displayVerdict(past)
  const scope = selection ? ' of a selection' : ''
  const judged = `${coverageText(coverage)} judged${scope}`
  const reasonText = reasons.length > 0 && ` (${reasons.join('; ')})`
  return html`<li>${utcTime(startedAt)} ${verdictSymbol(verdict)} ${runVerdictLabels[verdict]}: ${verdictCountsText(counts)}, ${judged}, status ${status}${reasonText}. Run <code>${run}</code></li>
`
}

function historyContent(runs: readonly HistoryEntry[]): Markup {
  const count = (requested: number) => runs.filter(({ status }) => status === requested).length
  return html`<p>Of ${counted(runs.length, 'run')}, ${count(0)} ended with status 0, ${count(1)} with status 1 (failed), ${count(3)} with status 3 (inconclusive).</p>
<figure>${historyChart(runs)}
<p class="note">One column for each run, this run last: failed requirements solid, inconclusive requirements hollow, and the number of both. ! marks a run that failed for another reason.</p></figure>
<details class="further"><summary>Runs as text</summary>
<ul>
${runs.toReversed().map(runItem)}</ul></details>`
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
  history: ({ runs }) => historyContent(runs),
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
  const { report, runs } = context
  const { results, settings, exchanges } = report
  const sections = runSections(context)
  const place = sections.findIndex(({ id }) => id === 'skipped')
  const about =
    'The requests that a failure, a missing verdict or an observation refers to. Variable names replace secrets.'
  const own = { entries: [] }
  const all: Section[] = [
    ...sections.slice(0, place),
    { id: 'history', title: 'Recent runs', count: runs.length, ...own },
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
