import type { Observation } from '../../conformance/result.ts'
import { type ExcerptLimits, excerpt, printableLine, printableSentence } from '../printable.ts'
import { observationAnchor } from './anchors.ts'
import { html, type Markup } from './markup.ts'
import type { PageSection } from './page-contents.ts'
import type { PageContext } from './page-context.ts'
import { exchangeLinks } from './requirement-facts.ts'

const valueLimits: ExcerptLimits = { characters: 1500, lines: 1 }

function observation({ id, value, exchanges }: Observation, context: PageContext): Markup {
  const text = excerpt(JSON.stringify(value) ?? 'undefined', valueLimits)
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
