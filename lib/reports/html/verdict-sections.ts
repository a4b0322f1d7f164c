import type { RequirementResult, ReviewedWaiver } from '../../conformance/result.ts'
import { saysOnlyWhatDiffers } from '../evidence.ts'
import { printableSentence, shortened } from '../printable.ts'
import type { ReasonGroup } from '../reason-groups.ts'
import { relatedFailures, relatedText } from '../related-failures.ts'
import { counted } from '../run-words.ts'
import { failingWaivers, unjudgedWaivers } from '../waiver-words.ts'
import { exchangeOf, exchangeTitle } from './exchange.ts'
import { anchor, html, type Markup, verdictMark } from './markup.ts'
import type { PageSection } from './page.ts'
import { exampleOf, type PageContext } from './page-context.ts'
import {
  difference,
  exchangeLinks,
  linkedText,
  permalink,
  provenance,
  resultRow,
  waiverFacts,
} from './result-row.ts'

// Beyond these a reader looks for one failure, and finds it sooner when the exchanges are folded.
const openExchanges = 10

/** The other exchanges that a verdict rests on, each as a line. */
function furtherExchanges(result: RequirementResult, context: PageContext): Markup {
  const shown = context.evidence.of(result)?.id
  const others = result.exchanges.filter((id) => id !== shown)
  if (others.length === 0) return html``
  const lines = others.map((id) => {
    const exchange = context.exchanges.get(id)
    return html`<li>${exchangeLinks([id], context)} ${exchange === undefined ? '' : exchangeTitle(exchange)}</li>\n`
  })
  return html`<details class="further"><summary>${counted(others.length, 'more exchange', 'more exchanges')} that this rests on</summary>
<ul>${lines}</ul></details>`
}

/** Which other failures probably have the same cause. */
function relatedParagraph(
  result: RequirementResult,
  failed: readonly RequirementResult[],
  context: PageContext,
): Markup {
  const text = relatedText(relatedFailures(result, failed))
  return text === '' ? html`` : html`<p class="note">Related: ${linkedText(text, context)}.</p>\n`
}

function failure(
  result: RequirementResult,
  position: number,
  failed: readonly RequirementResult[],
  context: PageContext,
): Markup {
  const { requirement, statement, reason } = result
  return html`<article class="requirement failure" id="${anchor(requirement)}" data-verdict="fail" tabindex="-1">
<h3>${verdictMark('fail')}<span class="statement searched">${printableSentence(statement)}</span></h3>
<p class="note"><span class="searched">${permalink(result)}</span> ${provenance(result)}</p>
${difference(result)}
${reason === undefined || saysOnlyWhatDiffers(result) ? '' : html`<p class="reason searched">${linkedText(reason, context)}</p>`}
${relatedParagraph(result, failed, context)}${exchangeOf(result, context, { open: position < openExchanges })}
${furtherExchanges(result, context)}
</article>
`
}

/** Every failure with its evidence; none is left out. */
export function failedSection(context: PageContext): PageSection {
  const failed = context.report.results.filter(({ verdict }) => verdict === 'fail')
  return {
    id: 'failed',
    title: 'Failed',
    count: failed.length,
    requirements: true,
    content: html`${failed.map((result, position) => failure(result, position, failed, context))}`,
  }
}

const longestTitle = 300
const openExamples = 6

function reasonGroup(group: ReasonGroup, position: number, context: PageContext): Markup {
  const example = exampleOf(group, context.evidence)
  return html`<div class="group rows-holder">
<h3>${shortened(printableSentence(group.reason), longestTitle)}</h3>
<p class="note">${counted(group.results.length, 'requirement has', 'requirements have')} no verdict for this reason.</p>
${example === undefined ? '' : exchangeOf(example, context, { open: position < openExamples })}
<ul class="rows whole-ids">
${group.results.map((result) => resultRow(result, context))}</ul>
</div>
`
}

/** What got no verdict, by reason: each with one exchange as its example. */
export function inconclusiveSection(context: PageContext): PageSection {
  const groups = context.inconclusiveGroups
  return {
    id: 'inconclusive',
    title: 'Without a verdict',
    count: groups.reduce((sum, { results }) => sum + results.length, 0),
    requirements: true,
    content: html`${groups.map((group, position) => reasonGroup(group, position, context))}`,
  }
}

function waiverItem(waiver: ReviewedWaiver, { requirements }: PageContext): Markup {
  const { requirement, message } = waiver
  const id = printableSentence(requirement)
  const name = requirements.has(requirement)
    ? html`<a href="#${anchor(requirement)}">${id}</a>`
    : html`${id}`
  return html`<h3>${name}</h3>
<p>${printableSentence(message)}</p>
${waiverFacts(waiver)}`
}

/** Entries of the waivers that fail the run, each with what to do. */
export function failingWaiverSection(context: PageContext): PageSection {
  const waivers = failingWaivers(context.report)
  return {
    id: 'failing-waivers',
    title: 'Waivers that fail the run',
    count: waivers.length,
    requirements: false,
    content: html`<p class="note">A waiver has to be of a requirement that fails, and its last day still to come. The verdict on the requirement stays what it is.</p>
${waivers.map((waiver) => html`<article class="failure">${waiverItem(waiver, context)}</article>\n`)}`,
  }
}

/** Requirements that fail and are waived. */
export function waivedSection(context: PageContext): PageSection {
  const waived = context.report.results.filter(({ verdict }) => verdict === 'waived')
  return {
    id: 'waived',
    title: 'Waived',
    count: waived.length,
    requirements: true,
    content: html`<p class="note">Deviations that are known, and that somebody answers for: they do not fail the run.</p>
<ul class="rows whole-ids">
${waived.map((result) => resultRow(result, context))}</ul>`,
  }
}

/** Entries of which nobody knows whether they are still needed. */
export function untriedWaiverSection(context: PageContext): PageSection {
  const waivers = unjudgedWaivers(context.report)
  return {
    id: 'untried-waivers',
    title: 'Waivers that were not tried',
    count: waivers.length,
    requirements: false,
    content: html`<ul class="lists">
${waivers.map((waiver) => html`<li class="listed">${waiverItem(waiver, context)}</li>\n`)}</ul>`,
  }
}

/** Wordings that deviate while wordings only advise. */
export function deviationSection(context: PageContext): PageSection {
  const deviating = context.report.results.filter(({ verdict }) => verdict === 'advisory')
  return {
    id: 'deviations',
    title: 'Advisory',
    count: deviating.length,
    requirements: true,
    content: html`<p class="note">Wordings that differ from the document while wordings only advise: they do not count.</p>
<ul class="rows whole-ids">
${deviating.map((result) => resultRow(result, context))}</ul>`,
  }
}
