import type {
  LeftBehind,
  Observation,
  ObservationDiff,
  RequirementResult,
} from '../../conformance/result.ts'
import type { PastRun } from '../changes.ts'
import { countIn } from '../model.ts'
import { type ExcerptLimits, excerpt, printableLine, printableSentence } from '../printable.ts'
import type { ReasonGroup } from '../reason-groups.ts'
import { baselineCountsText, counted, stateText, sweepAdvice, utcTime } from '../run-words.ts'
import { judgedCount } from '../verdict-counts.ts'
import { exchangeTitle, listedExchange } from './exchange.ts'
import {
  anchor,
  html,
  joined,
  type Markup,
  observationAnchor,
  type PageSection,
  runVerdictSymbol,
} from './markup.ts'
import { historyChart } from './pictures.ts'
import { advice, exchangeLinks, longText, type PageContext, requirementLink, side } from './rows.ts'

function json(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'nothing'
}

function diffItem({ id, state, before, after, exchanges }: ObservationDiff, context: PageContext) {
  const links = html`<p class="note">Exchanges: ${exchangeLinks(exchanges, context)}.</p>`
  return html`<li class="listed"><h3><a href="#${observationAnchor(id)}">${printableSentence(id)}</a>${state === 'new' ? ' is not in the baseline' : ''}</h3>
<dl class="difference">${state === 'new' ? '' : side('Baseline', json(before))}${side('Now', json(after))}</dl>
${exchanges.length === 0 ? '' : links}</li>
`
}

function baselineSection(context: PageContext): PageSection {
  const { baseline } = context.report
  const diffs = [...context.changedDiffs, ...context.newDiffs]
  const fails =
    baseline?.pinned === true
      ? 'A change fails the run.'
      : 'None of it is part of the verdict, and none of it fails the run.'
  return {
    id: 'baseline',
    title: 'Changed since the baseline',
    count: diffs.length,
    content: html`<p class="note">Where the documents are silent. ${baseline === undefined ? '' : `${baselineCountsText(baseline)}.`} ${fails}</p>
<ul class="lists">
${diffs.map((diff) => diffItem(diff, context))}</ul>`,
  }
}

function runRow({ run, startedAt, verdict, counts, status, reasons = [] }: PastRun): Markup {
  const why = reasons.length === 0 ? '' : `: ${printableSentence(reasons.join('; '))}`
  return html`<tr><th scope="row"><time datetime="${printableSentence(startedAt)}">${utcTime(startedAt)}</time></th><td>${runVerdictSymbol(verdict)} ${verdict}</td><td>${counts.fail}</td><td>${counts.inconclusive}</td><td class="aside">${counts.waived}</td><td class="aside">${judgedCount(counts)}</td><td>${status}${why}</td><td class="aside"><code>${printableSentence(run)}</code></td></tr>
`
}

function historySection(runs: readonly PastRun[]): PageSection {
  const having = (wanted: number) => runs.filter(({ status }) => status === wanted).length
  const summary =
    `Of ${counted(runs.length, 'run', 'runs')}, ${having(0)} ended with status 0, ` +
    `${having(1)} with status 1 (failed), ${having(3)} with status 3 (without a verdict).`
  return {
    id: 'history',
    title: 'The last runs',
    count: runs.length,
    content: html`<p>${summary}</p>
<figure>${historyChart(runs)}
<p class="note">A column for each run, this one last: solid for requirements that failed, outlined for those without a verdict, a thin line for neither. A number counts both; ! stands for a run that failed for another reason.</p></figure>
<details class="runs"><summary>The same as a table</summary>
<table><thead><tr><th scope="col">Started</th><th scope="col">Verdict</th><th scope="col">Failed</th><th scope="col">No verdict</th><th class="aside" scope="col">Waived</th><th class="aside" scope="col">Judged</th><th scope="col">Status</th><th class="aside" scope="col">Run</th></tr></thead>
<tbody>
${runs.toReversed().map(runRow)}</tbody></table></details>`,
  }
}

const observationLimits: ExcerptLimits = { characters: 1500, lines: 1 }

function observation({ id, value, exchanges }: Observation, context: PageContext): Markup {
  const text = excerpt(JSON.stringify(value) ?? 'undefined', observationLimits)
  const name = printableSentence(id)
  return html`<div id="${observationAnchor(id)}"><dt><a class="permalink" href="#${observationAnchor(id)}" title="Link to ${name}"><span class="hash">#</span>${name}</a></dt>
<dd><code>${printableLine(text)}</code></dd>
<dd class="note">${exchangeLinks(exchanges, context)}</dd></div>
`
}

function requirementLinks(results: readonly RequirementResult[]): Markup {
  const links = results.map(({ requirement }) => requirementLink(requirement))
  return html`<p class="note ids">${joined(links, ', ')}</p>`
}

function reasonItem({ reason, results }: ReasonGroup): Markup {
  return html`<li><p class="count">${results.length} ×</p>
<p class="why">${longText(reason)}</p>
${advice(results[0])}
${requirementLinks(results)}</li>
`
}

function reasonList(title: string, groups: readonly ReasonGroup[]): Markup {
  if (groups.length === 0) return html``
  return html`<h3>${title} <span class="count">${countIn(groups)}</span></h3>
<ul class="reasons">
${groups.map(reasonItem)}</ul>
`
}

function untestableList(results: readonly RequirementResult[]): Markup {
  if (results.length === 0) return html``
  return html`<h3>Cannot be tested <span class="count">${results.length}</span></h3>
<p class="note">No setting changes that: nothing that the documents show would tell.</p>
<ul class="reasons untestable">
${results.map(
  (result) => html`<li><p>${printableSentence(result.statement)}</p>
<p>${printableSentence(result.unjudged?.kind === 'untestable' ? result.unjudged.why : '')}</p>
${requirementLinks([result])}</li>\n`,
)}</ul>
`
}

/** What was not judged, or only in part, by reason, and what would change that. */
function skippedSection(context: PageContext): PageSection {
  const { skipped, reserved } = context
  const isUntestable = ({ results }: ReasonGroup) => results[0]?.unjudged?.kind === 'untestable'
  const missing = skipped.filter((group) => !isUntestable(group))
  const untestable = skipped.filter(isUntestable).flatMap(({ results }) => results)
  return {
    id: 'skipped',
    title: 'Skipped, and what would change that',
    count: countIn(skipped),
    content: html`${reasonList('Something is missing', missing)}${reasonList('Passed, with a part left out', reserved)}${untestableList(untestable)}`,
  }
}

function leftBehindContent(leftBehind: readonly LeftBehind[]): Markup {
  const code = (text: string) => (text.includes(' ') ? `“${text}”` : text)
  const items = leftBehind.map(
    ({ kind, name, account, mayExist }) =>
      html`<li>${printableSentence(kind)} <code>${printableSentence(name)}</code>, account ${printableSentence(account)}${stateText({ mayExist })}</li>\n`,
  )
  return html`<p>The run asked for these and did not take them away. ${printableSentence(sweepAdvice(leftBehind, code))}</p>
<ul class="left-behind">
${items}</ul>`
}

const settingLimits: ExcerptLimits = { characters: 600, lines: 8 }

function setting([name, value]: [string, string | number | boolean]): Markup {
  const text = excerpt(String(value), settingLimits)
  return html`<div><dt><code>${printableLine(name)}</code></dt><dd>${text === `$${name}` ? 'set' : html`<code>${printableLine(text)}</code>`}</dd></div>
`
}

/** What does not fail the run; `requirements` has its place among it. */
export function listSections(
  context: PageContext,
  runs: readonly PastRun[],
  requirements: PageSection,
): PageSection[] {
  const { report, shownBy } = context
  const { observations, leftBehind, settings = {}, exchanges } = report
  const listed = exchanges.map((exchange) =>
    shownBy.has(exchange.id)
      ? html`<li class="shown-above"><a href="#${anchor(exchange.id)}">${printableLine(exchange.id)}</a> ${exchangeTitle(exchange)}, shown further up</li>\n`
      : html`<li>${listedExchange(exchange, report)}</li>\n`,
  )
  return [
    baselineSection(context),
    historySection(runs),
    requirements,
    {
      id: 'observations',
      title: 'Observations',
      count: observations.length,
      content: html`<p class="note">What the deployment does where its document is silent. None of it is part of the verdict.</p>
<dl class="values">
${observations.map((each) => observation(each, context))}</dl>`,
    },
    skippedSection(context),
    {
      id: 'left-behind',
      title: 'Left on the target',
      count: leftBehind.length,
      content: leftBehindContent(leftBehind),
    },
    {
      id: 'settings',
      title: 'Settings',
      count: Object.keys(settings).length,
      content: html`<details><summary>What the run went by, its defaults too; secrets are not shown</summary>
<dl class="values">
${Object.entries(settings).map(setting)}</dl></details>`,
    },
    {
      id: 'exchanges',
      title: 'Exchanges',
      count: exchanges.length,
      content: html`<p class="note">Every request in the order of sending, with what came back. Secrets are written as the names of their variables.</p>
<details class="all-exchanges"><summary>Show them</summary>
<ul class="exchanges">
${listed}</ul></details>`,
    },
  ]
}
