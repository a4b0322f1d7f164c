import type { RequirementResult } from '../../conformance/result.ts'
import { saysOnlyWhatDiffers } from '../evidence.ts'
import { printableSentence } from '../printable.ts'
import { relatedFailures, relatedText } from '../related-failures.ts'
import { counted } from '../run-words.ts'
import { anchor } from './anchors.ts'
import { exchangeOf, exchangeTitle } from './exchange-view.ts'
import { linkedText } from './linked-text.ts'
import { html, type Markup } from './markup.ts'
import type { PageSection } from './page-contents.ts'
import type { PageContext } from './page-context.ts'
import { difference, exchangeLinks, permalink, provenance } from './requirement-facts.ts'
import { verdictMark } from './verdict-mark.ts'

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
