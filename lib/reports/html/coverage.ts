import { idParts } from '../../results/ids.ts'
import { type RequirementResult, type Verdict, verdicts } from '../../results/run-report.ts'
import { groupBy } from '../../text/group-by.ts'
import { counted } from '../../text/quantities.ts'
import type { ReportModel } from '../model.ts'
import { verdictLabels, verdictTally } from '../verdict-labels.ts'
import { displayName, html, joined, linkTo, type Markup, picture, sectionAnchor } from './markup.ts'
import { resultRow } from './rows.ts'

const cellWidth = 11
const squareSize = 9

/** SVG paths of verdicts in a square of 9 by 9; the shapes differ, not only the colors. */
const shapes: Record<Verdict, string> = {
  pass: 'h9v9h-9z',
  fail: 'm1 0l3.5 3.5 3.5-3.5 1 1-3.5 3.5 3.5 3.5-1 1-3.5-3.5-3.5 3.5-1-1 3.5-3.5-3.5-3.5z',
  inconclusive: 'h9l-9 9z',
  skipped: 'h9v9h-9zm1 1v7h7v-7z',
  waived: 'm0 5h9v4h-9z',
  advisory: 'h9v4h-9z',
}

function coveragePicture(listed: readonly Verdict[]): Markup {
  const paths = [...new Set(listed)].map((verdict) => {
    const drawn = listed.map((each, index) =>
      each === verdict ? `M${index * cellWidth} 0${shapes[verdict]}` : '',
    )
    return html`<path class="${verdict}" d="${drawn.join('')}"/>`
  })
  return picture(listed.length * cellWidth, squareSize, paths)
}

function coverageLegend(results: readonly RequirementResult[]): Markup {
  const occurring = verdicts.filter((one) => results.some(({ verdict }) => verdict === one))
  return html`<p class="legend note">Each square is a requirement:${occurring.map((verdict) => html` <span>${coveragePicture([verdict])} ${verdictLabels[verdict]}</span>`)}</p>`
}

function grouped(results: readonly RequirementResult[], part: 'service' | 'section') {
  return [...groupBy(results, ({ requirement }) => idParts(requirement)[part])]
}

/** Returns a document section: its picture, and folded rows of requirements not listed above. */
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
  return html`<details class="section" id="${sectionAnchor(service, name)}"><summary><b>${displayName(name)}</b> ${coveragePicture(results.map(({ verdict }) => verdict))} <span class="tally">${joined(tally, ', ')}</span></summary>
${above.length > 0 && html`<p class="note">Shown above: ${joined(above, ', ')}.</p>`}
<ul class="rows">
${results.filter(isListed).map((result) => resultRow(result, context, { name: nameOf(result) }))}</ul>
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
  return html`${coverageLegend(results)}
${services}`
}
