import type { ReviewedPin } from '../../conformance/result.ts'
import { baselineCountsText, pinsIn } from '../baseline-words.ts'
import { type ExcerptLimits, excerpt, printableSentence, printableText } from '../printable.ts'
import { observationAnchor } from './anchors.ts'
import { html, type Markup } from './markup.ts'
import type { PageSection } from './page-contents.ts'
import type { PageContext } from './page-context.ts'
import { exchangeLinks } from './requirement-facts.ts'

const valueLimits: ExcerptLimits = { characters: 4000, lines: 60 }

function value(label: string, kind: string, json: unknown): Markup {
  const text = printableText(excerpt(JSON.stringify(json, null, 2) ?? 'nothing', valueLimits))
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
  const pins = [...pinsIn('changed', context.report), ...pinsIn('new', context.report)]
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
