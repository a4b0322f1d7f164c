import type { ReviewedWaiver } from '../../conformance/result.ts'
import { printableSentence } from '../printable.ts'
import { failingWaivers, unjudgedWaivers } from '../waiver-words.ts'
import { anchor } from './anchors.ts'
import { html, type Markup } from './markup.ts'
import type { PageSection } from './page-contents.ts'
import type { PageContext } from './page-context.ts'
import { resultRow } from './result-row.ts'
import { waiverFacts } from './waiver-facts.ts'

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
