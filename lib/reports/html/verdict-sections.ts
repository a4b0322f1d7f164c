import type { RequirementResult, ReviewedWaiver, Verdict } from '../../conformance/result.ts'
import { relatedAtMost } from '../evidence.ts'
import { countIn, type Deviation, type Failure, type UnjudgedGroup } from '../model.ts'
import { printableLine, printableSentence, shortened } from '../printable.ts'
import { groupBy } from '../reason-groups.ts'
import { counted, idParts } from '../run-words.ts'
import { verdictTally } from '../verdict-counts.ts'
import { exchangeOf, exchangeTitle } from './exchange.ts'
import {
  anchor,
  html,
  joined,
  type Markup,
  type PageSection,
  sectionAnchor,
  spokenName,
  verdictMark,
} from './markup.ts'
import { coverageLegend, coveragePicture } from './pictures.ts'
import {
  difference,
  exchangeLinks,
  type PageContext,
  permalink,
  provenance,
  reasonText,
  requirementLink,
  resultRow,
  waiverFacts,
} from './rows.ts'

// Beyond these a reader looks for one failure, and finds it sooner when the exchanges are folded.
const openExchanges = 10
const openExamples = 6
const longestTitle = 300

function furtherExchanges({ result }: Failure, context: PageContext): Markup {
  const shown = context.evidence.of(result)?.id
  const others = result.exchanges.filter((id) => id !== shown)
  if (others.length === 0) return html``
  const lines = others.map((id) => {
    const exchange = context.evidence.exchange(id)
    return html`<li>${exchangeLinks([id], context)} ${exchange === undefined ? '' : exchangeTitle(exchange)}</li>\n`
  })
  return html`<details class="further"><summary>${counted(others.length, 'more exchange', 'more exchanges')} that this rests on</summary>
<ul>${lines}</ul></details>`
}

function relatedNote({ related }: Failure): Markup {
  if (related.length === 0) return html``
  const named = related
    .slice(0, relatedAtMost)
    .map(
      ({ requirement, exchange }) =>
        html`${requirementLink(requirement)} rests on ${printableLine(exchange)} too`,
    )
  const more = related.length - named.length
  return html`<p class="note">Related: ${joined(named, '; ')}${more > 0 ? `; ${more} more likewise` : ''}.</p>\n`
}

function failureArticle(failure: Failure, position: number, context: PageContext): Markup {
  const { result, reason } = failure
  return html`<article class="requirement failure" id="${anchor(result.requirement)}" data-verdict="fail" tabindex="-1">
<h3>${verdictMark('fail')}<span class="statement searched">${printableSentence(result.statement)}</span></h3>
<p class="note"><span class="searched">${permalink(result)}</span> ${provenance(result)}</p>
${difference(result)}
${reasonText(reason)}
${relatedNote(failure)}${exchangeOf(result, context, position < openExchanges)}
${furtherExchanges(failure, context)}
</article>
`
}

function reasonGroup(group: UnjudgedGroup, position: number, context: PageContext): Markup {
  const { reason, results, example } = group
  return html`<div class="group rows-holder">
<h3>${shortened(printableSentence(reason), longestTitle)}</h3>
<p class="note">${counted(results.length, 'requirement has', 'requirements have')} no verdict for this reason.</p>
${example === undefined ? '' : exchangeOf(example, context, position < openExamples)}
<ul class="rows whole-ids">
${results.map((result) => resultRow(result, context))}</ul>
</div>
`
}

function waiverItem(waiver: ReviewedWaiver, { report }: PageContext): Markup {
  const { requirement, message } = waiver
  const isShown = report.results.some((result) => result.requirement === requirement)
  return html`<h3>${isShown ? requirementLink(requirement) : printableSentence(requirement)}</h3>
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

const listedHere = new Set<Verdict>(['pass', 'skipped'])

function grouped(results: readonly RequirementResult[], part: 'service' | 'section') {
  return [...groupBy(results, ({ requirement }) => idParts(requirement)[part])]
}

/** A section of a document: a picture of it, and folded behind it the rows that are nowhere else. */
function documentSection(
  service: string,
  name: string,
  results: readonly RequirementResult[],
  context: PageContext,
): Markup {
  const here = results.filter(({ verdict }) => listedHere.has(verdict))
  const above = results
    .filter(({ verdict }) => !listedHere.has(verdict))
    .map(({ requirement }) => requirementLink(requirement, idParts(requirement).name))
  const tally = verdictTally(results).map(
    ({ verdict, text }) => html`<span class="${verdict}">${text}</span>`,
  )
  return html`<details class="section in-print rows-holder" id="${sectionAnchor(service, name)}"><summary><b class="name">${spokenName(name)}</b> ${coveragePicture(results.map(({ verdict }) => verdict))} <span class="tally">${joined(tally, ', ')}</span></summary>
${above.length === 0 ? '' : html`<p class="note above">Further up: ${joined(above, ', ')}.</p>`}
<ul class="rows">
${here.map((result) => resultRow(result, context, { name: idParts(result.requirement).name }))}</ul>
</details>
`
}

function serviceSection(
  service: string,
  results: readonly RequirementResult[],
  context: PageContext,
): Markup {
  return html`<div class="service rows-holder">
<h3>${spokenName(service)} <span class="count">${counted(results.length, 'requirement', 'requirements')}</span></h3>
${grouped(results, 'section').map(([name, members]) => documentSection(service, name, members, context))}</div>
`
}

/** What fails the run and what deviates: every failure with its evidence, none left out. */
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

export function requirementSection(context: PageContext): PageSection {
  const { results } = context.report
  return {
    id: 'requirements',
    title: 'By service and section',
    count: results.length,
    requirements: true,
    content: html`${coverageLegend(results)}
${grouped(results, 'service').map(([service, members]) => serviceSection(service, members, context))}`,
  }
}
