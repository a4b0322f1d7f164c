import { printableSentence, shortened } from '../printable.ts'
import type { ReasonGroup } from '../reason-groups.ts'
import { counted } from '../run-words.ts'
import { exchangeOf } from './exchange-view.ts'
import { html, type Markup } from './markup.ts'
import type { PageSection } from './page-contents.ts'
import { exampleOf, type PageContext } from './page-context.ts'
import { resultRow } from './result-row.ts'

const longestTitle = 300
const openExchanges = 6

function reasonGroup(group: ReasonGroup, position: number, context: PageContext): Markup {
  const example = exampleOf(group, context.evidence)
  return html`<div class="group rows-holder">
<h3>${shortened(printableSentence(group.reason), longestTitle)}</h3>
<p class="note">${counted(group.results.length, 'requirement has', 'requirements have')} no verdict for this reason.</p>
${example === undefined ? '' : exchangeOf(example, context, { open: position < openExchanges })}
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
