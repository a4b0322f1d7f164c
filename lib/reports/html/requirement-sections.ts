import type { RequirementResult, Verdict } from '../../conformance/result.ts'
import { verdicts } from '../../conformance/result.ts'
import { printableSentence } from '../printable.ts'
import { counted } from '../run-words.ts'
import { countVerdicts, verdictWords } from '../verdict-counts.ts'
import { anchor, sectionAnchor } from './anchors.ts'
import { coverageLegend, coveragePicture } from './coverage-picture.ts'
import { html, joined, type Markup } from './markup.ts'
import type { PageSection } from './page-contents.ts'
import type { PageContext } from './page-context.ts'
import { resultRow } from './result-row.ts'
import { idParts, spokenName } from './spoken-names.ts'

const listedHere = new Set<Verdict>(['pass', 'skipped'])

function grouped(
  results: readonly RequirementResult[],
  key: (id: string) => string,
): [string, RequirementResult[]][] {
  const groups = new Map<string, RequirementResult[]>()
  for (const result of results) {
    const name = key(result.requirement)
    groups.set(name, [...(groups.get(name) ?? []), result])
  }
  return [...groups]
}

function tally(results: readonly RequirementResult[]): Markup {
  const counts = countVerdicts(results)
  const parts = verdicts
    .filter((verdict) => counts[verdict] > 0)
    .map(
      (verdict) =>
        html`<span class="${verdict}">${counts[verdict]} ${verdictWords[verdict]}</span>`,
    )
  return joined(parts, ', ')
}

function linksAbove(results: readonly RequirementResult[]): Markup {
  const above = results.filter(({ verdict }) => !listedHere.has(verdict))
  if (above.length === 0) return html``
  const links = above.map(({ requirement }) => {
    const name = printableSentence(idParts(requirement).name)
    return html`<a href="#${anchor(requirement)}">${name}</a>`
  })
  return html`<p class="note above">Further up: ${joined(links, ', ')}.</p>`
}

function documentSection(
  service: string,
  name: string,
  results: readonly RequirementResult[],
  context: PageContext,
): Markup {
  const here = results.filter(({ verdict }) => listedHere.has(verdict))
  return html`<details class="section in-print rows-holder" id="${sectionAnchor(service, name)}"><summary><b class="name">${spokenName(name)}</b> ${coveragePicture(results)} <span class="tally">${tally(results)}</span></summary>
${linksAbove(results)}
<ul class="rows">
${here.map((result) => resultRow(result, context, idParts(result.requirement).name))}</ul>
</details>
`
}

function serviceSection(
  service: string,
  results: readonly RequirementResult[],
  context: PageContext,
): Markup {
  const sections = grouped(results, (id) => idParts(id).section)
  return html`<div class="service rows-holder">
<h3>${spokenName(service)} <span class="count">${counted(results.length, 'requirement', 'requirements')}</span></h3>
${sections.map(([name, members]) => documentSection(service, name, members, context))}</div>
`
}

/**
 * All requirements by service and section: a picture of each section, and folded behind it the rows
 * that are nowhere else on the page.
 */
export function requirementSections(context: PageContext): PageSection {
  const { results } = context.report
  const occurring = verdicts.filter((wanted) => results.some(({ verdict }) => verdict === wanted))
  return {
    id: 'requirements',
    title: 'By service and section',
    count: results.length,
    requirements: true,
    content: html`${coverageLegend(occurring)}
${grouped(results, (id) => idParts(id).service).map(([service, members]) => serviceSection(service, members, context))}`,
  }
}
