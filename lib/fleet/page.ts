import type { Verdict } from '../conformance/result.ts'
import {
  anchor,
  extendedStyle,
  html,
  type Markup,
  type PageSection,
  pageContents,
  pageHead,
  pageSection,
  raw,
  runVerdictSymbol,
  sectionAnchor,
  spokenName,
  verdictSymbol,
} from '../reports/html/markup.ts'
import { printableSentence } from '../reports/printable.ts'
import { counted, utcTime } from '../reports/run-words.ts'
import { type VerdictCounts, verdictWords } from '../reports/verdict-counts.ts'
import {
  type Deployment,
  type FailingRow,
  type Fleet,
  type FleetSection,
  fleetText,
  occurringVerdicts,
  sectionCounts,
  statusWords,
} from './fleet.ts'

const dayMs = 86_400_000

function runTimes({ deployments }: Fleet): string[] {
  return deployments
    .flatMap(({ run }) => (run === undefined ? [] : [run.startedAt]))
    .toSorted((one, other) => Date.parse(one) - Date.parse(other))
}

/** Reports that are old beside the others may be left from a run that did not take place. */
function notices(fleet: Fleet): Markup {
  const times = runTimes(fleet)
  const [first = '', last = ''] = [times[0], times.at(-1)]
  const days = Math.floor((Date.parse(last) - Date.parse(first)) / dayMs)
  const versions = new Set(fleet.deployments.flatMap(({ run }) => run?.toolVersion ?? []))
  return html`${
    days >= 1
      ? html`<p class="notice"><strong>Not of the same day.</strong> The oldest of these runs began ${counted(days, 'day', 'days')} before the newest.</p>
`
      : ''
  }${
    versions.size > 1
      ? html`<p class="notice"><strong>Not of the same version of Plumbline.</strong> Versions may judge different requirements.</p>
`
      : ''
  }`
}

function header(fleet: Fleet): Markup {
  const times = runTimes(fleet)
  const [first, last] = [times[0], times.at(-1)]
  const verdict = statusWords[fleet.status]
  return html`<header class="run ${verdict}">
${raw(productLine)}
<h1>${runVerdictSymbol(verdict)} ${fleetText(fleet)}</h1>
${notices(fleet)}<dl class="facts">
${
  first === undefined || last === undefined
    ? ''
    : html`<div><dt>Runs began</dt><dd>${first === last ? utcTime(first) : html`${utcTime(first)} to ${utcTime(last)}`}</dd></div>
`
}<div><dt>Exit status</dt><dd>${String(fleet.status)}</dd></div>
</dl>
</header>`
}

/** A link to the deployment's own page, or the text alone where there is none. */
function linked({ page }: Deployment, text: Markup | string, fragment = ''): Markup {
  return page === undefined
    ? html`${text}`
    : html`<a href="${page}${fragment === '' ? '' : `#${fragment}`}">${text}</a>`
}

function countText(counts: VerdictCounts, verdict: Verdict): string {
  return `${counts[verdict]} ${verdictWords[verdict]}`
}

function sectionCell(deployment: Deployment, section: FleetSection): Markup {
  const counts = deployment.run === undefined ? undefined : sectionCounts(deployment.run, section)
  if (counts === undefined) return html`<td class="none">not probed</td>`
  const [worst = 'skipped', ...others] = occurringVerdicts(counts)
  const headline = html`${verdictSymbol(worst)}${countText(counts, worst)}`
  const fragment = sectionAnchor(section.service, section.section)
  const rest = others.map((verdict) => html`<span>${countText(counts, verdict)}</span>`)
  return html`<td class="${worst}"><b>${linked(deployment, headline, fragment)}</b>${rest}</td>`
}

function rowHeader(deployment: Deployment): Markup {
  const name = linked(deployment, printableSentence(deployment.name))
  if (deployment.run === undefined) {
    return html`<th scope="row">${name}<span>${printableSentence(deployment.path)}</span></th>`
  }
  const { status, verdictText, startedAt } = deployment.run
  const verdict = statusWords[status]
  return html`<th scope="row" class="${verdict}">${name}<span>${runVerdictSymbol(verdict)}${printableSentence(verdictText)}</span><span>${utcTime(startedAt)}</span></th>`
}

function deploymentRow(deployment: Deployment, sections: readonly FleetSection[]): Markup {
  const cells =
    deployment.run === undefined
      ? html`<td class="inconclusive" colspan="${Math.max(sections.length, 1)}"><b>${verdictSymbol('inconclusive')}no report</b></td>`
      : html`${sections.map((section) => sectionCell(deployment, section))}`
  return html`<tr>${rowHeader(deployment)}${cells}</tr>
`
}

function headRows(sections: readonly FleetSection[]): Markup {
  const services = [...new Set(sections.map(({ service }) => service))]
  const groups = services.map((service) => {
    const width = sections.filter((each) => each.service === service).length
    return html`<th scope="colgroup" colspan="${width}">${spokenName(service)}</th>`
  })
  const titles = sections.map(({ section }) => html`<th scope="col">${spokenName(section)}</th>`)
  return html`<thead><tr><th scope="col" rowspan="2">Deployment</th>${groups}</tr>
<tr>${titles}</tr></thead>`
}

/**
 * Deployments in rows, sections of the documents in columns. Each cell has the counts of its verdicts,
 * the one that matters most first, in its colour and in words.
 */
function deploymentTable({ deployments, sections }: Fleet): Markup {
  return html`<p class="note">Each cell counts requirements; what matters most comes first. Names and counts lead to the page of the deployment, where its report.html lies beside its report.json.</p>
<div class="scroll" role="group" aria-label="Table of deployments and sections" tabindex="0"><table>
${sections.length === 0 ? html`<thead><tr><th scope="col">Deployment</th><th scope="col">Report</th></tr></thead>` : headRows(sections)}
<tbody>
${deployments.map((deployment) => deploymentRow(deployment, sections))}</tbody>
</table></div>`
}

function shown(deployment: Deployment, requirement: string, verdict: Verdict): Markup {
  const text = html`${verdictSymbol(verdict)}${verdictWords[verdict]}`
  return verdict === 'fail' ? html`<b>${linked(deployment, text, anchor(requirement))}</b>` : text
}

function failingCell(deployment: Deployment, { requirement }: FailingRow): Markup {
  if (deployment.run === undefined) return html`<td class="none">no report</td>`
  const verdict = deployment.run.verdicts.get(requirement)
  if (verdict === undefined) return html`<td class="none">not probed</td>`
  return html`<td class="${verdict}">${shown(deployment, requirement, verdict)}</td>`
}

/** What fails anywhere in rows, what fails on most deployments first; deployments in columns. */
function failingTable({ deployments, failing }: Fleet): Markup {
  const rows = failing.map(
    (
      row,
    ) => html`<tr><th scope="row">${printableSentence(row.statement)}<code>${printableSentence(row.requirement)}</code></th><td class="number">${String(row.count)}</td>${deployments.map((deployment) => failingCell(deployment, row))}</tr>
`,
  )
  const names = deployments.map(({ name }) => html`<th scope="col">${printableSentence(name)}</th>`)
  return html`<div class="scroll" role="group" aria-label="Table of failing requirements" tabindex="0"><table>
<thead><tr><th scope="col">Requirement</th><th scope="col">Fails on</th>${names}</tr></thead>
<tbody>
${rows}</tbody>
</table></div>`
}

function sections(fleet: Fleet): PageSection[] {
  return [
    {
      id: 'deployments',
      title: 'Deployments and sections',
      count: fleet.deployments.length,
      content: deploymentTable(fleet),
    },
    {
      id: 'failing',
      title: 'Failing requirements',
      count: fleet.failing.length,
      content: failingTable(fleet),
    },
  ].filter(({ count }) => count > 0)
}

const bodyTag = '<body class="fleet">'

const productLine = '<p class="product">Plumbline reports side by side</p>'

/** Whether a text, of which the beginning is enough, is a page of a fleet of any version. */
export function isFleetPage(text: string): boolean {
  const body = text.indexOf(bodyTag)
  return text.startsWith('<!doctype html>') && body >= 0 && text.includes(productLine, body)
}

/**
 * The fleet as one HTML page that needs nothing else and runs no script: a table of deployments and
 * sections, and one of what fails where. Text of the reports is escaped, and what would be obeyed or
 * could not be seen is written out.
 */
export function fleetPage(fleet: Fleet): string {
  const style = extendedStyle('fleet')
  const parts = sections(fleet)
  return `${html`<!doctype html>
<html lang="en">
${pageHead(`${fleetText(fleet)} (Plumbline)`, style)}
${raw(bodyTag)}
<a class="skip-link" href="#results">Skip to the results</a>
${header(fleet)}
${pageContents(parts)}
<main id="results" tabindex="-1">
${parts.map(pageSection)}</main>
<footer><p>Made by Plumbline from the report.json of each deployment.</p></footer>
</body>
</html>`}
`
}
