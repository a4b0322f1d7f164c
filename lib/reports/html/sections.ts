import type { ExchangeRecord } from '../../probe/exchange-record.ts'
import type {
  DescribedObservation,
  ObservationDiff,
  ReviewedWaiver,
} from '../../results/run-report.ts'
import { displayVerdict } from '../../results/verdict.ts'
import { excerpt, printableLine, printableSentence } from '../../text/printable.ts'
import { counted, utcTime } from '../../text/quantities.ts'
import { countIn, type ReportedDeviation, type ReportModel } from '../model.ts'
import { lostCasesText, type ReasonGroup } from '../reason-text.ts'
import { baselineCountsText, narrowingText, stateText, unusedWaiversText } from '../report-text.ts'
import { sweepAdvice } from '../rerun-commands.ts'
import type { HistoryEntry } from '../run-changes.ts'
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
import { advice, exchangeLinks, longText, resultRow, side, waiverFacts } from './rows.ts'

function waiverItem(waiver: ReviewedWaiver, { report }: ReportModel): Markup {
  const { requirement, message } = waiver
  const isShown = report.results.some((result) => result.requirement === requirement)
  return html`<h3>${isShown ? linkTo(requirement) : printableSentence(requirement)}</h3>
<p>${printableSentence(message)}</p>
${waiverFacts(waiver)}`
}

const waivedNote = 'Known deviations with an owner. They do not fail the run.'
const advisoryNote =
  'Deviations that do not fail the run: wordings with PROBE_WORDING=advisory, and requirements that are later than --as-of.'

function deviationRows(
  notes: readonly string[],
  all: readonly ReportedDeviation[],
  context: ReportModel,
): Markup {
  return html`<p class="note">${notes.join(' ')}</p>
<ul class="rows">
${all.map((one) => resultRow(one.result, context, { note: one.note }))}</ul>`
}

/** Prefixes the id, because a requirement may have the same. */
const observationId = (id: string) => `observation/${id}`

function diffItem(diff: ObservationDiff, context: ReportModel): Markup {
  const { id, state, before, after, exchanges } = diff
  const json = (value: unknown) => JSON.stringify(value, null, 2) ?? 'nothing'
  const isNew = state === 'new'
  return html`<li class="listed"><h3>${linkTo(observationId(id), id)}${isNew && ' is not in the baseline'}</h3>
<dl class="difference">${!isNew && side('Baseline', json(before))}${side('Now', json(after))}</dl>
${exchanges.length > 0 && html`<p class="note">Exchanges: ${exchangeLinks(exchanges, context)}.</p>`}</li>
`
}

function baselineContent(context: ReportModel, diffs: readonly ObservationDiff[]): Markup {
  const { baseline } = context.report
  const effect = `A change ${baseline?.pinned ? 'fails' : 'does not fail'} the run.`
  return html`<p class="note">Behavior that the documents do not specify. ${baseline && `${baselineCountsText(baseline)}. `}${effect}</p>
<ul>
${diffs.map((diff) => diffItem(diff, context))}</ul>`
}

function observation(
  { id, description, value, exchanges }: DescribedObservation,
  context: ReportModel,
): Markup {
  const text = excerpt(JSON.stringify(value) ?? 'undefined', { characters: 1500, lines: 1 })
  const prefixedId = observationId(id)
  return html`<div id="${anchor(prefixedId)}"><dt class="permalink">${linkTo(prefixedId, id)}</dt>
<dd><p>${printableSentence(description)}</p><code>${printableLine(text)}</code> <span class="note">${exchangeLinks(exchanges, context)}</span></dd></div>
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

function leakedResourcesContent({ leakedResources, report }: ReportModel): Markup {
  const code = (text: string) => (text.includes(' ') ? `“${text}”` : text)
  const items = leakedResources.map(
    ({ kind, name, account, unconfirmed }) =>
      html`<li>${printableSentence(kind)} <code>${printableSentence(name)}</code>, account ${printableSentence(account)}${stateText({ unconfirmed })}</li>\n`,
  )
  return html`<p>The run did not delete these resources. ${sweepAdvice(leakedResources, code, report.run)}</p>
<ul>
${items}</ul>`
}

function listedExchange(exchange: ExchangeRecord, { report, shownBy }: ReportModel): Markup {
  if (!shownBy.has(exchange.id)) return html`<li>${exchangeView(exchange, report)}</li>\n`
  return html`<li>${linkTo(exchange.id)} ${htmlExchangeTitle(exchange)}, shown above</li>\n`
}

function setting([name, value]: [string, unknown]): Markup {
  const text = printableLine(excerpt(String(value), { characters: 600, lines: 8 }))
  const content = value === `$${name}` ? 'set' : html`<code>${text}</code>`
  return html`<div><dt><code>${printableLine(name)}</code></dt><dd>${content}</dd></div>\n`
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
  const reasonText = reasons.length > 0 && ` (${printableSentence(reasons.join('; '))})`
  return html`<li>${utcTime(startedAt)} ${verdictSymbol(verdict)} ${runVerdictLabels[verdict]}: ${verdictCountsText(counts)}, ${judged}, status ${status}${reasonText}. Run <code>${printableSentence(run)}</code></li>
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

/** Returns the sections of the page: first failures, each with its evidence, and deviations. */
export function pageSections(context: ReportModel): PageSection[] {
  const { report, failed, failingWaivers, inconclusive, waived, unverifiedWaivers, advisory } =
    context
  const { leakedResources, runs } = context
  const { results, observations, settings, exchanges } = report
  const diffs = [...context.changedDiffs, ...context.newDiffs]
  const narrowing = [
    narrowingText(context.waiversWithoutDeviations, report.run.program) ?? [],
  ].flat()
  const unused = unusedWaiversText(failingWaivers, report.run.program)
  const sections: [id: string, title: string, count: number, content: Markup | Markup[]][] = [
    ['failed', 'Failed', failed.length, failuresContent(context)],
    [
      'failing-waivers',
      'Waivers that fail the run',
      failingWaivers.length,
      html`<p class="note">A waiver needs a failing requirement and must not be expired. The verdict of the requirement is unchanged.${unused !== undefined && ` ${unused}`}</p>
${failingWaivers.map((waiver) => html`<article class="failure">${waiverItem(waiver, context)}</article>\n`)}`,
    ],
    [
      'inconclusive',
      'Inconclusive',
      countIn(inconclusive),
      inconclusive.map((group, position) => reasonGroup(group, position, context)),
    ],
    ['waived', 'Waived', waived.length, deviationRows([waivedNote, ...narrowing], waived, context)],
    [
      'untried-waivers',
      'Unverified waivers',
      unverifiedWaivers.length,
      html`<ul>
${unverifiedWaivers.map((waiver) => html`<li class="listed">${waiverItem(waiver, context)}</li>\n`)}</ul>`,
    ],
    ['deviations', 'Advisory', advisory.length, deviationRows([advisoryNote], advisory, context)],
    ['baseline', 'Changed since the baseline', diffs.length, baselineContent(context, diffs)],
    ['history', 'Recent runs', runs.length, historyContent(runs)],
    ['requirements', 'Requirements', results.length, coverageContent(context)],
    ['skipped', 'Skipped', countIn(context.skipped), skippedContent(context)],
    [
      'observations',
      'Observations',
      observations.length,
      html`<p class="note">Behavior that the documents do not specify. It does not affect the verdict.</p>
<details class="observed"><summary>Show them</summary>
<dl class="values">
${observations.map((each) => observation(each, context))}</dl></details>`,
    ],
    ['left-behind', 'Leaked resources', leakedResources.length, leakedResourcesContent(context)],
    [
      'settings',
      'Settings',
      Object.keys(settings).length,
      html`<details><summary>Effective configuration, including defaults (secrets hidden)</summary>
<dl class="values">
${Object.entries(settings).map(setting)}</dl></details>`,
    ],
    [
      'exchanges',
      'Exchanges',
      exchanges.length,
      html`<p class="note">All requests in the order of sending, with their responses. Variable names replace secrets.</p>
<details class="further"><summary>Show them</summary>
<ul>
${exchanges.map((exchange) => listedExchange(exchange, context))}</ul></details>`,
    ],
  ]
  return sections
    .map(([id, title, count, content]) => ({ id, title, count, content: html`${content}` }))
    .filter(({ id, count }) => count > 0 || (id === 'skipped' && context.skipped.length > 0))
}
