import { groupBy } from '../../environment/group-by.ts'
import type { ExchangeRecord } from '../../probe/exchange-record.ts'
import type {
  DescribedObservation,
  ObservationDiff,
  RequirementResult,
  ReviewedWaiver,
} from '../../results/run-report.ts'
import { furtherDeviations } from '../evidence.ts'
import {
  baselineCountsText,
  counted,
  levels,
  stateText,
  sweepAdvice,
  wideWaiversText,
} from '../format.ts'
import {
  countIn,
  type Failure,
  type InconclusiveGroup,
  type ReportedDeviation,
  type ReportModel,
} from '../model.ts'
import { excerpt, printableLine, printableSentence, truncate } from '../printable.ts'
import type { ReasonGroup } from '../reason-text.ts'
import { runCommand } from '../rerun-commands.ts'
import { coverageContent } from './coverage.ts'
import { commandView, exchangeView, htmlExchangeTitle } from './exchange.ts'
import { historyContent } from './history.ts'
import {
  anchor,
  html,
  joined,
  linkTo,
  type Markup,
  type PageSection,
  verdictMark,
  verdictSymbol,
} from './markup.ts'
import {
  advice,
  differenceAndReason,
  exchangeLinks,
  longText,
  provenance,
  resultRow,
  side,
  waiverFacts,
} from './rows.ts'

/** Returns the exchange of a result, or a link to it if it is already shown. */
function exchangeContent(result: RequirementResult, context: ReportModel, open: boolean): Markup {
  const exchange = context.evidence.of(result)
  if (exchange === undefined) return html`<p class="note">No exchange was recorded for this.</p>`
  const results = context.shownBy.get(exchange.id) ?? []
  return results[0] === result
    ? exchangeView(exchange, context.report, results, open)
    : html`<p class="note">Exchange ${exchangeLinks([exchange.id], context)}, shown above: ${htmlExchangeTitle(exchange)}</p>`
}

function furtherExchanges(results: readonly RequirementResult[], context: ReportModel) {
  const ownIds = new Set(results.map((result) => context.evidence.of(result)?.id))
  const others = [...new Set(results.flatMap(({ exchanges }) => exchanges))].filter(
    (id) => !ownIds.has(id),
  )
  if (others.length === 0) return false
  const lines = others.map((id) => {
    const exchange = context.evidence.exchange(id)
    return html`<li>${exchangeLinks([id], context)} ${exchange && htmlExchangeTitle(exchange)}</li>\n`
  })
  return html`<details class="further"><summary>${counted(others.length, 'related exchange')}</summary>
<ul>${lines}</ul></details>`
}

function alsoDeviating(result: RequirementResult, context: ReportModel): Markup | false {
  const { lines, more } = furtherDeviations(result)
  if (lines.length === 0) return false
  const items = lines.map(({ text, exchange }) => {
    const link = exchange !== undefined && html` ${exchangeLinks([exchange], context)}`
    return html`<li class="searched"><code>${truncate(printableSentence(text), 400)}</code>${link}</li>\n`
  })
  return html`<ul class="further">
${items}${more > 0 && html`<li>and ${more} more, in report.json</li>\n`}</ul>
`
}

function failureIndex(failed: readonly Failure[]): Markup {
  const line = ({ result: { requirement, statement } }: Failure) =>
    html`<li class="entry" data-for="${anchor(requirement)}">${verdictSymbol('fail')}<span>${printableSentence(statement)}</span> <span class="permalink">${linkTo(requirement)}</span></li>\n`
  const lines = [...groupBy(failed, ({ result }) => result.section)].map(
    ([section, members]) => html`<li class="part-of-index"><b>${printableSentence(section)}</b>
<ul>
${members.map(line)}</ul></li>
`,
  )
  return html`<ul class="index">
${lines}</ul>
`
}

function failurePart({ result, reason }: Failure, context: ReportModel): Markup {
  const { requirement, statement, level } = result
  const isNew = context.newFailures.has(result)
  const wording =
    level === 'wording' && html`<p class="note">Exact wording: ${levels.wording}.</p>\n`
  return html`<section class="requirement" id="${anchor(requirement)}" data-verdict="fail"${isNew && html` data-new`} tabindex="-1">
<h3>${verdictMark('fail')}<span class="statement searched">${printableSentence(statement)}</span>${isNew && html` <small>new</small>`}</h3>
<p class="note"><span class="permalink searched">${linkTo(requirement)}</span> ${provenance(result, context)}</p>
${wording}${differenceAndReason(result, reason)}${alsoDeviating(result, context)}</section>
`
}

/** Returns failures of the same exchange with that exchange. */
function failureCard(failures: readonly Failure[], context: ReportModel): Markup {
  const results = failures.map(({ result }) => result)
  const ids = results.map(({ requirement }) => requirement)
  const [first] = results
  const evidence = html`${first && exchangeContent(first, context, true)}
${furtherExchanges(results, context)}
${commandView('Run again', runCommand(ids, context.report), `to check ${ids.join(' and ')} again`)}`
  // Folded in long lists.
  const folded = html`<details class="evidence"><summary>Evidence</summary>
${evidence}</details>`
  return html`<article class="card failure">
${failures.map((failure) => failurePart(failure, context))}
${context.failed.length > 10 ? folded : evidence}
</article>
`
}

function failureCards({ failed, evidence }: ReportModel): (readonly Failure[])[] {
  const exchangeOf = ({ result }: Failure) => evidence.of(result)?.id ?? result.requirement
  return [...groupBy(failed, exchangeOf).values()]
}

function reasonGroup(group: InconclusiveGroup, position: number, context: ReportModel): Markup {
  const { reason, results, example } = group
  return html`<div class="group">
<h3>${truncate(printableSentence(reason), 300)}</h3>
<p class="note">${counted(results.length, 'requirement is', 'requirements are')} inconclusive for this reason.</p>
${example && exchangeContent(example, context, position < 6)}
<ul class="rows">
${results.map((result) => resultRow(result, context))}</ul>
</div>
`
}

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

function reasonItem({ reason, results }: ReasonGroup): Markup {
  const links = results.map(({ requirement }) => linkTo(requirement))
  return html`<li><p><span class="count">${results.length} ×</span> ${longText(reason)}</p>
${advice(results[0] ?? {})}
<p class="note ids">${joined(links, ', ')}</p></li>
`
}

function skippedContent({ skipped, partial }: ReportModel): Markup {
  const isUntestable = ({ results }: ReasonGroup) => results[0]?.noVerdict?.kind === 'untestable'
  const changeable = skipped.filter((group) => !isUntestable(group))
  return html`<ul class="reasons">
${[...changeable, ...skipped.filter(isUntestable)].map(reasonItem)}</ul>
${
  partial.length > 0 &&
  html`<h3>Passed, partly checked <span class="count">${countIn(partial)}</span></h3>
<ul class="reasons">
${partial.map(reasonItem)}</ul>`
}`
}

function leakedResourcesContent({ leakedResources, report }: ReportModel): Markup {
  const code = (text: string) => (text.includes(' ') ? `“${text}”` : text)
  const items = leakedResources.map(
    ({ kind, name, account, unconfirmed }) =>
      html`<li>${printableSentence(kind)} <code>${printableSentence(name)}</code>, account ${printableSentence(account)}${stateText({ unconfirmed })}</li>\n`,
  )
  return html`<p>The run did not delete these resources. ${sweepAdvice(leakedResources, code, report.run.program)}</p>
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

/** Returns the sections of the page: first failures, each with its evidence, and deviations. */
export function pageSections(context: ReportModel): PageSection[] {
  const { report, failed, failingWaivers, noVerdict, waived, unverifiedWaivers, advisory } = context
  const { leakedResources, runs } = context
  const { results, observations, settings, exchanges } = report
  const diffs = [...context.changedDiffs, ...context.newDiffs]
  const wide = [wideWaiversText(context.wideWaivers, report.run.program) ?? []].flat()
  const sections: [id: string, title: string, count: number, content: Markup | Markup[]][] = [
    [
      'failed',
      'Failed',
      failed.length,
      html`${failed.length > 3 && failureIndex(failed)}${failureCards(context).map((failures) => failureCard(failures, context))}`,
    ],
    [
      'failing-waivers',
      'Waivers that fail the run',
      failingWaivers.length,
      html`<p class="note">A waiver needs a failing requirement and must not be expired. The verdict of the requirement is unchanged.</p>
${failingWaivers.map((waiver) => html`<article class="failure">${waiverItem(waiver, context)}</article>\n`)}`,
    ],
    [
      'inconclusive',
      'Inconclusive',
      countIn(noVerdict),
      noVerdict.map((group, position) => reasonGroup(group, position, context)),
    ],
    ['waived', 'Waived', waived.length, deviationRows([waivedNote, ...wide], waived, context)],
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
    .filter(({ count }) => count > 0)
}
