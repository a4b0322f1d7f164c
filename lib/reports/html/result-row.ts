import type { RequirementResult } from '../../conformance/result.ts'
import { printableSentence } from '../printable.ts'
import { waiverNote } from '../waiver-words.ts'
import { anchor } from './anchors.ts'
import { howToJudge } from './how-to-judge.ts'
import { linkedText } from './linked-text.ts'
import { html, type Markup } from './markup.ts'
import type { PageContext } from './page-context.ts'
import { difference, exchangeLinks, permalink, provenance } from './requirement-facts.ts'
import { verdictMark } from './verdict-mark.ts'
import { waiverFacts } from './waiver-facts.ts'

function reasonParagraphs({ verdict, reason }: RequirementResult, context: PageContext): Markup {
  if (reason === undefined) return html``
  const hint = verdict === 'skipped' ? howToJudge(reason) : undefined
  return html`<p class="reason searched">${linkedText(reason, context)}</p>${hint === undefined ? '' : html`<p class="hint">${linkedText(hint, context)}</p>`}`
}

function waiverParagraphs(result: RequirementResult, { report }: PageContext): Markup {
  if (result.waiver === undefined) return html``
  const note = waiverNote(result, report)
  return html`${waiverFacts(result.waiver)}${note === undefined ? '' : html`<p class="hint">${printableSentence(note)}</p>`}`
}

/**
 * A requirement as a folded row of a list: its statement, and behind it what is known of its
 * verdict. `name` is what the row calls it, by default its whole id.
 */
export function resultRow(result: RequirementResult, context: PageContext, name?: string): Markup {
  const { requirement, verdict, statement, exchanges } = result
  const id =
    name === undefined
      ? ''
      : html`<span class="searched">${printableSentence(requirement)}</span>. `
  const links =
    exchanges.length === 0 ? '' : html` Exchanges: ${exchangeLinks(exchanges, context)}.`
  return html`<li class="requirement row" data-verdict="${verdict}"><details><summary>${verdictMark(verdict)}<span class="statement searched">${printableSentence(statement)}</span></summary>
<div class="row-content" id="${anchor(requirement)}">${waiverParagraphs(result, context)}${reasonParagraphs(result, context)}${difference(result)}
<p class="note">${id}${provenance(result)}${links}</p></div></details>
<span class="reference searched">${permalink(result, name)}</span></li>
`
}
