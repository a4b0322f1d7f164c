import { type RequirementResult, type Verdict, verdicts } from '../../conformance/result.ts'
import { printableSentence } from '../printable.ts'
import { counted, idParts } from '../run-words.ts'
import { countVerdicts, verdictWords } from '../verdict-counts.ts'
import { anchor, html, joined, type Markup, sectionAnchor, spokenName } from './markup.ts'
import type { PageSection } from './page.ts'
import type { PageContext } from './page-context.ts'
import { resultRow } from './result-row.ts'

const cell = 11
const square = 9

/** The shape of each verdict in a square of 9 by 9, so that it can be told without its colour. */
const shapes: Record<Verdict, string> = {
  pass: 'h9v9h-9z',
  fail: 'm1 1l7 7m-7 0l7-7',
  inconclusive: 'h9l-9 9z',
  skipped: 'm.5.5h8v8h-8z',
  waived: 'm0 5h9v4h-9z',
  advisory: 'h9v4h-9z',
}

// For readers whose browser was forbidden the style; the style has them for light and dark.
const colors: Record<Verdict, string> = {
  pass: '#1f7a3d',
  fail: '#c0261c',
  inconclusive: '#8a5a00',
  skipped: '#59636e',
  waived: '#6b45b5',
  advisory: '#6b45b5',
}

const outlined = new Set<Verdict>(['fail', 'skipped'])

function paint(verdict: Verdict): Markup {
  const color = colors[verdict]
  return outlined.has(verdict)
    ? html`fill="none" stroke="${color}" stroke-width="${verdict === 'fail' ? 2 : 1}"`
    : html`fill="${color}"`
}

function picture(listed: readonly Verdict[]): Markup {
  const width = Math.max(listed.length * cell - (cell - square), 0)
  const paths = [...new Set(listed)].map((verdict) => {
    const drawn = listed
      .flatMap((each, index) => (each === verdict ? [`M${index * cell} 0${shapes[verdict]}`] : []))
      .join('')
    return html`<path class="${verdict}" ${paint(verdict)} d="${drawn}"/>`
  })
  return html`<svg class="picture" width="${width}" height="${square}" viewBox="0 0 ${width} ${square}" aria-hidden="true" focusable="false">${paths}</svg>`
}

/**
 * A square for each requirement, in the order of the report. The counts in words have to stand
 * beside it: for those who cannot see it, it is not there.
 */
export function coveragePicture(results: readonly Pick<RequirementResult, 'verdict'>[]): Markup {
  return picture(results.map(({ verdict }) => verdict))
}

/** What the squares mean, for the verdicts that occur. */
export function coverageLegend(occurring: readonly Verdict[]): Markup {
  return html`<p class="legend note">Each square is a requirement:${occurring.map((verdict) => html` <span>${picture([verdict])} ${verdictWords[verdict]}</span>`)}</p>`
}

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
${here.map((result) => resultRow(result, context, { name: idParts(result.requirement).name }))}</ul>
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
