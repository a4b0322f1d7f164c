import type { ReviewedWaiver } from '../../conformance/result.ts'
import { countIn, type Deviation, type Failure, type UnjudgedGroup } from '../model.ts'
import { printableSentence, shortened } from '../printable.ts'
import { counted } from '../run-words.ts'
import { exchangeOf, exchangeTitle } from './exchange.ts'
import { anchor, html, type Markup, verdictMark } from './markup.ts'
import type { PageSection } from './page.ts'
import type { PageContext } from './page-context.ts'
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
const openExamples = 6
const longestTitle = 300

/** The other exchanges that a verdict rests on, each as a line. */
function furtherExchanges({ result }: Failure, context: PageContext): Markup {
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

function failureArticle(failure: Failure, position: number, context: PageContext): Markup {
  const { result, reason, related } = failure
  return html`<article class="requirement failure" id="${anchor(result.requirement)}" data-verdict="fail" tabindex="-1">
<h3>${verdictMark('fail')}<span class="statement searched">${printableSentence(result.statement)}</span></h3>
<p class="note"><span class="searched">${permalink(result)}</span> ${provenance(result)}</p>
${difference(result)}
${reason === undefined ? '' : html`<p class="reason searched">${linkedText(reason, context)}</p>`}
${related === '' ? '' : html`<p class="note">Related: ${linkedText(related, context)}.</p>\n`}${exchangeOf(result, context, { open: position < openExchanges })}
${furtherExchanges(failure, context)}
</article>
`
}

function reasonGroup(group: UnjudgedGroup, position: number, context: PageContext): Markup {
  const { reason, results, example } = group
  return html`<div class="group rows-holder">
<h3>${shortened(printableSentence(reason), longestTitle)}</h3>
<p class="note">${counted(results.length, 'requirement has', 'requirements have')} no verdict for this reason.</p>
${example === undefined ? '' : exchangeOf(example, context, { open: position < openExamples })}
<ul class="rows whole-ids">
${results.map((result) => resultRow(result, context))}</ul>
</div>
`
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

function deviationRows(
  note: string,
  deviations: readonly Deviation[],
  context: PageContext,
): Markup {
  return html`<p class="note">${note}</p>
<ul class="rows whole-ids">
${deviations.map((deviation) => resultRow(deviation.result, context, { note: deviation.note }))}</ul>`
}

/**
 * What fails the run and what deviates, in the order of the page: every failure with its evidence,
 * none left out; what got no verdict by reason, each with one exchange as its example.
 */
export function verdictSections(context: PageContext): PageSection[] {
  const { failed, failingWaivers, unjudged, waived, untriedWaivers, advisory } = context
  return [
    {
      id: 'failed',
      title: 'Failed',
      count: failed.length,
      requirements: true,
      content: html`${failed.map((failure, position) => failureArticle(failure, position, context))}`,
    },
    {
      id: 'failing-waivers',
      title: 'Waivers that fail the run',
      count: failingWaivers.length,
      requirements: false,
      content: html`<p class="note">A waiver has to be of a requirement that fails, and its last day still to come. The verdict on the requirement stays what it is.</p>
${failingWaivers.map((waiver) => html`<article class="failure">${waiverItem(waiver, context)}</article>\n`)}`,
    },
    {
      id: 'inconclusive',
      title: 'Without a verdict',
      count: countIn(unjudged),
      requirements: true,
      content: html`${unjudged.map((group, position) => reasonGroup(group, position, context))}`,
    },
    {
      id: 'waived',
      title: 'Waived',
      count: waived.length,
      requirements: true,
      content: deviationRows(
        'Deviations that are known, and that somebody answers for: they do not fail the run.',
        waived,
        context,
      ),
    },
    {
      id: 'untried-waivers',
      title: 'Waivers that were not tried',
      count: untriedWaivers.length,
      requirements: false,
      content: html`<ul class="lists">
${untriedWaivers.map((waiver) => html`<li class="listed">${waiverItem(waiver, context)}</li>\n`)}</ul>`,
    },
    {
      id: 'deviations',
      title: 'Advisory',
      count: advisory.length,
      requirements: true,
      content: deviationRows(
        'Wordings that differ from the document while wordings only advise: they do not count.',
        advisory,
        context,
      ),
    },
  ]
}
