import type { RequirementResult } from '../../results/run-report.ts'
import { groupBy } from '../../text/group-by.ts'
import { truncate } from '../../text/printable.ts'
import { counted } from '../../text/quantities.ts'
import { furtherDeviations } from '../exchange-text.ts'
import type { Failure, InconclusiveGroup, ReportModel } from '../model.ts'
import { lostCasesText } from '../reason-groups.ts'
import { runCommand } from '../rerun-commands.ts'
import { commandView, exchangeView, htmlExchangeTitle } from './exchange.ts'
import { anchor, html, joined, linkTo, type Markup, verdictMark } from './markup.ts'
import { caseLines, differenceAndReason, exchangeLinks, provenance, resultRow } from './rows.ts'

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
  const items = lines.map(({ text, exchange, cases }) => {
    const facts = [
      exchange === undefined ? [] : exchangeLinks([exchange], context),
      cases === undefined ? [] : html`${counted(cases, 'case')}`,
    ].flat()
    return html`<li class="searched"><code>${truncate(text, 400)}</code> ${joined(facts, ', ')}</li>\n`
  })
  return html`<ul class="further">
${items}${more > 0 && html`<li>and ${more} more, in report.json</li>\n`}</ul>
`
}

function failurePart({ result, reason }: Failure, context: ReportModel): Markup {
  const { requirement, statement } = result
  return html`<section class="requirement" id="${anchor(requirement)}" data-verdict="fail" tabindex="-1">
<h3>${verdictMark('fail')}<span class="statement searched">${statement}</span></h3>
<p class="note"><span class="permalink searched">${linkTo(requirement)}</span> ${provenance(result, context)}</p>
${caseLines(result, context)}${differenceAndReason(result, reason, context)}${alsoDeviating(result, context)}</section>
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
${context.failed.length > 5 ? folded : evidence}
</article>
`
}

/** Returns a card for all failures that the same exchange shows. */
export function failuresContent(context: ReportModel): Markup {
  const { failed, evidence } = context
  const exchangeOf = ({ result }: Failure) => evidence.of(result)?.id ?? result.requirement
  const cards = [...groupBy(failed, exchangeOf).values()]
  return html`${cards.map((failures) => failureCard(failures, context))}`
}

export function reasonGroup(
  group: InconclusiveGroup,
  position: number,
  context: ReportModel,
): Markup {
  const { reason, results, example } = group
  const lost = lostCasesText(group)
  return html`<div class="group">
<h3>${truncate(reason, 300)}</h3>
<p class="note">${counted(results.length, 'requirement is', 'requirements are')} inconclusive for this reason${lost !== undefined && `, ${lost}`}.</p>
${example && exchangeContent(example, context, position < 6)}
<ul class="rows">
${results.map((result) => resultRow(result, context))}</ul>
</div>
`
}
