import type { RequirementResult } from '../../conformance/result.ts'
import { printableSentence } from '../printable.ts'
import { groupByReason, type ReasonGroup } from '../reason-groups.ts'
import { anchor } from './anchors.ts'
import { howToJudge } from './how-to-judge.ts'
import { linkedText } from './linked-text.ts'
import { html, joined, type Markup } from './markup.ts'
import type { PageSection } from './page-contents.ts'
import type { PageContext } from './page-context.ts'

const untestable = 'cannot be tested: '

function requirementLinks(results: readonly RequirementResult[]): Markup {
  const links = results.map(
    ({ requirement }) =>
      html`<a href="#${anchor(requirement)}">${printableSentence(requirement)}</a>`,
  )
  return html`<p class="note ids">${joined(links, ', ')}</p>`
}

function reasonItem({ reason, results }: ReasonGroup, context: PageContext): Markup {
  return html`<li><p class="count">${results.length} ×</p>
<p class="why">${linkedText(reason, context)}</p>
<p class="hint">${linkedText(howToJudge(reason), context)}</p>
${requirementLinks(results)}</li>
`
}

function reasonList(
  title: string,
  results: readonly RequirementResult[],
  context: PageContext,
): Markup {
  if (results.length === 0) return html``
  return html`<h3>${title} <span class="count">${results.length}</span></h3>
<ul class="reasons">
${groupByReason(results).map((group) => reasonItem(group, context))}</ul>
`
}

function untestableList(results: readonly RequirementResult[]): Markup {
  if (results.length === 0) return html``
  return html`<h3>Cannot be tested <span class="count">${results.length}</span></h3>
<p class="note">No setting changes that: nothing that the documents show would tell.</p>
<ul class="reasons untestable">
${results.map(
  (result) => html`<li><p>${printableSentence(result.statement)}</p>
<p>${printableSentence(result.reason?.slice(untestable.length) ?? '')}</p>
${requirementLinks([result])}</li>\n`,
)}</ul>
`
}

/** What was not judged, or only in part, by reason, and what would change that. */
export function skippedSection(context: PageContext): PageSection {
  const { results } = context.report
  const skipped = results.filter(({ verdict }) => verdict === 'skipped')
  const reserved = results.filter(
    ({ verdict, reason }) => verdict === 'pass' && reason !== undefined,
  )
  const cannot = skipped.filter(({ reason }) => reason?.startsWith(untestable))
  const others = skipped.filter((result) => !cannot.includes(result))
  return {
    id: 'skipped',
    title: 'Skipped, and what would change that',
    count: skipped.length,
    requirements: false,
    content: html`${reasonList('Something is missing', others, context)}${reasonList('Passed, with a part left out', reserved, context)}${untestableList(cannot)}`,
  }
}
