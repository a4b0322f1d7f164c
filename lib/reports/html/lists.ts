import type {
  LeftBehind,
  Observation,
  RequirementResult,
  ReviewedPin,
  RunReport,
} from '../../conformance/result.ts'
import { baselineCountsText, mayExistNotes, stateText } from '../list-words.ts'
import { countIn } from '../model.ts'
import {
  type ExcerptLimits,
  excerpt,
  printableLine,
  printableSentence,
  printableText,
} from '../printable.ts'
import type { ReasonGroup } from '../reason-groups.ts'
import { exchangeTitle, listedExchange } from './exchange.ts'
import { anchor, html, joined, type Markup, observationAnchor } from './markup.ts'
import type { PageSection } from './page.ts'
import type { PageContext } from './page-context.ts'
import { exchangeLinks, howToJudge, linkedText } from './result-row.ts'

const pinLimits: ExcerptLimits = { characters: 4000, lines: 60 }

function value(label: string, kind: string, json: unknown): Markup {
  const text = printableText(excerpt(JSON.stringify(json, null, 2) ?? 'nothing', pinLimits))
  return html`<div class="${kind}"><dt>${label}</dt><dd><code>${text}</code></dd></div>`
}

function pinItem({ id, state, before, after, exchanges }: ReviewedPin, context: PageContext) {
  const links =
    exchanges.length === 0
      ? ''
      : html`<p class="note">Exchanges: ${exchangeLinks(exchanges, context)}.</p>`
  const baseline = state === 'new' ? '' : value('Baseline', 'baseline', before)
  return html`<li class="listed"><h3><a href="#${observationAnchor(id)}">${printableSentence(id)}</a>${state === 'new' ? ' is not in the baseline' : ''}</h3>
<dl class="difference">${baseline}${value('Now', 'now', after)}</dl>
${links}</li>
`
}

/** What the deployment does otherwise than when its baseline was written. */
export function baselineSection(context: PageContext): PageSection {
  const { baseline } = context.report
  const pins = [...context.changedPins, ...context.newPins]
  const fails =
    baseline?.pinned === true
      ? 'A change fails the run.'
      : 'None of it is part of the verdict, and none of it fails the run.'
  return {
    id: 'baseline',
    title: 'Changed since the baseline',
    count: pins.length,
    requirements: false,
    content: html`<p class="note">Where the documents are silent. ${baseline === undefined ? '' : `${baselineCountsText(baseline)}.`} ${fails}</p>
<ul class="lists">
${pins.map((pin) => pinItem(pin, context))}</ul>`,
  }
}

const observationLimits: ExcerptLimits = { characters: 1500, lines: 1 }

function observation({ id, value, exchanges }: Observation, context: PageContext): Markup {
  const text = excerpt(JSON.stringify(value) ?? 'undefined', observationLimits)
  const name = printableSentence(id)
  const rest = exchanges.length === 0 ? '' : exchangeLinks(exchanges, context)
  return html`<div id="${observationAnchor(id)}"><dt><a class="permalink" href="#${observationAnchor(id)}" title="Link to ${name}"><span class="hash">#</span>${name}</a></dt>
<dd><code>${printableLine(text)}</code></dd>
<dd class="note">${rest}</dd></div>
`
}

/** What the deployment does where its document is silent; never part of the verdict. */
export function observationSection(context: PageContext): PageSection {
  const { observations } = context.report
  return {
    id: 'observations',
    title: 'Observations',
    count: observations.length,
    requirements: false,
    content: html`<p class="note">What the deployment does where its document is silent. None of it is part of the verdict.</p>
<dl class="values">
${observations.map((each) => observation(each, context))}</dl>`,
  }
}

function requirementLinks(results: readonly RequirementResult[]): Markup {
  const links = results.map(
    ({ requirement }) =>
      html`<a href="#${anchor(requirement)}">${printableSentence(requirement)}</a>`,
  )
  return html`<p class="note ids">${joined(links, ', ')}</p>`
}

function reasonItem({ reason, results }: ReasonGroup, context: PageContext): Markup {
  return html`<li><p class="count">${results.length} ×</p>
<p class="why">${linkedText(reason, context)}</p>
<p class="hint">${linkedText(howToJudge({ reason, unjudged: results[0]?.unjudged }), context)}</p>
${requirementLinks(results)}</li>
`
}

function reasonList(title: string, groups: readonly ReasonGroup[], context: PageContext): Markup {
  if (groups.length === 0) return html``
  return html`<h3>${title} <span class="count">${countIn(groups)}</span></h3>
<ul class="reasons">
${groups.map((group) => reasonItem(group, context))}</ul>
`
}

function whyUntestable({ unjudged }: RequirementResult): string | undefined {
  return unjudged?.kind === 'untestable' ? unjudged.why : undefined
}

function untestableList(results: readonly RequirementResult[]): Markup {
  if (results.length === 0) return html``
  return html`<h3>Cannot be tested <span class="count">${results.length}</span></h3>
<p class="note">No setting changes that: nothing that the documents show would tell.</p>
<ul class="reasons untestable">
${results.map(
  (result) => html`<li><p>${printableSentence(result.statement)}</p>
<p>${printableSentence(whyUntestable(result) ?? '')}</p>
${requirementLinks([result])}</li>\n`,
)}</ul>
`
}

/** What was not judged, or only in part, by reason, and what would change that. */
export function skippedSection(context: PageContext): PageSection {
  const { skipped, reserved } = context
  const isUntestable = ({ results }: ReasonGroup) =>
    results.every((result) => whyUntestable(result) !== undefined)
  const missing = skipped.filter((group) => !isUntestable(group))
  const untestable = skipped.filter(isUntestable).flatMap(({ results }) => results)
  return {
    id: 'skipped',
    title: 'Skipped, and what would change that',
    count: countIn(skipped),
    requirements: false,
    content: html`${reasonList('Something is missing', missing, context)}${reasonList('Passed, with a part left out', reserved, context)}${untestableList(untestable)}`,
  }
}

function thing(left: LeftBehind): Markup {
  const { kind, name, account } = left
  return html`<li>${printableSentence(kind)} <code>${printableSentence(name)}</code>, account ${printableSentence(account)}${stateText(left)}</li>
`
}

function tokensNote(leftBehind: readonly LeftBehind[]): Markup {
  return leftBehind.some(({ kind }) => kind === 'access token')
    ? html`<p class="hint">Both a run and a sweep take access tokens away where <code>CODE_HOSTING_TOKEN_DELETE_PATH</code> says how.</p>`
    : html``
}

/** What somebody has to delete on the target. */
export function leftBehindSection({ leftBehind }: RunReport): PageSection {
  return {
    id: 'left-behind',
    title: 'Left on the target',
    count: leftBehind.length,
    requirements: false,
    content: html`<p>The run asked for these and did not take them away. ${mayExistNotes(leftBehind).map((note) => `${note} `)}<code>plumbline sweep</code> does, by the ledger in the reports directory; otherwise delete them by hand.</p>
${tokensNote(leftBehind)}
<ul class="left-behind">
${leftBehind.map(thing)}</ul>`,
  }
}

const settingLimits: ExcerptLimits = { characters: 600, lines: 8 }

function setting([name, value]: [string, string | number | boolean]): Markup {
  const text = excerpt(String(value), settingLimits)
  return html`<div><dt><code>${printableLine(name)}</code></dt><dd>${text === `$${name}` ? 'set' : html`<code>${printableLine(text)}</code>`}</dd></div>
`
}

/** What the run went by. */
export function settingsSection({ settings = {} }: RunReport): PageSection {
  const entries = Object.entries(settings)
  return {
    id: 'settings',
    title: 'Settings',
    count: entries.length,
    requirements: false,
    content: html`<details><summary>What the run went by, its defaults too; secrets are not shown</summary>
<dl class="values">
${entries.map(setting)}</dl></details>`,
  }
}

/** Every exchange in the order of sending; one that is shown further up is linked there. */
export function exchangeSection({ report, shownBy }: PageContext): PageSection {
  const items = report.exchanges.map((exchange) =>
    shownBy.has(exchange.id)
      ? html`<li class="shown-above"><a href="#${anchor(exchange.id)}">${printableLine(exchange.id)}</a> ${exchangeTitle(exchange)}, shown further up</li>\n`
      : html`<li>${listedExchange(exchange)}</li>\n`,
  )
  return {
    id: 'exchanges',
    title: 'Exchanges',
    count: items.length,
    requirements: false,
    content: html`<p class="note">Every request in the order of sending, with what came back. Secrets are written as the names of their variables.</p>
<details class="all-exchanges"><summary>Show them</summary>
<ul class="exchanges">
${items}</ul></details>`,
  }
}
