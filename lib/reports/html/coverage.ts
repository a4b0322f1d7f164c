import { idParts } from '../../results/ids.ts'
import type { RequirementResult } from '../../results/run-report.ts'
import { groupBy } from '../../text/group-by.ts'
import { counted } from '../../text/quantities.ts'
import type { ReportModel } from '../model.ts'
import { verdictTally } from '../verdict-labels.ts'
import { displayName, html, joined, linkTo, type Markup, sectionAnchor } from './markup.ts'
import { resultRow } from './rows.ts'

function grouped(results: readonly RequirementResult[], part: 'service' | 'section') {
  return [...groupBy(results, ({ requirement }) => idParts(requirement)[part])]
}

/** Returns a document section: its numbers, and folded rows of requirements not listed above. */
function documentSection(
  service: string,
  [name, results]: [string, readonly RequirementResult[]],
  context: ReportModel,
): Markup {
  const nameOf = ({ requirement }: RequirementResult) => idParts(requirement).name
  const isListed = ({ verdict }: RequirementResult) => verdict === 'pass' || verdict === 'skipped'
  const above = results
    .filter((result) => !isListed(result))
    .map((result) => linkTo(result.requirement, nameOf(result)))
  const tally = verdictTally(results).map(
    ({ verdict, text }) => html`<span class="${verdict}">${text}</span>`,
  )
  return html`<details class="section" id="${sectionAnchor(service, name)}"><summary><b>${displayName(name)}</b> <span class="tally">${joined(tally, ', ')}</span></summary>
${above.length > 0 && html`<p class="note">Shown above: ${joined(above, ', ')}.</p>`}
<ul class="rows">
${results.filter(isListed).map((result) => resultRow(result, context, nameOf(result)))}</ul>
</details>
`
}

export function coverageContent(context: ReportModel): Markup {
  const { results } = context.report
  const services = grouped(results, 'service').map(
    ([service, members]) => html`<div class="service">
<h3>${displayName(service)} <span class="count">${counted(members.length, 'requirement')}</span></h3>
${grouped(members, 'section').map((section) => documentSection(service, section, context))}</div>
`,
  )
  return html`${services}`
}
