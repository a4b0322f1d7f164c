import { readFileSync } from 'node:fs'
import {
  anchor,
  html,
  type Markup,
  pageContents,
  pageHead,
  pageSection,
  pageStyle,
  raw,
  runVerdictSymbol,
  sectionAnchor,
  spokenName,
  verdictSymbol,
} from '../reports/html/markup.ts'
import { printableSentence } from '../reports/printable.ts'
import { groupBy } from '../reports/reason-groups.ts'
import { counted, utcTime } from '../reports/run-words.ts'
import { verdictWords } from '../reports/verdict-counts.ts'
import {
  type Deployment,
  type Fleet,
  type FleetSection,
  fleetText,
  sectionTally,
  statusWords,
} from './fleet.ts'

const dayMs = 86_400_000

const productLine = '<p class="product">Plumbline reports side by side</p>'

function notice(what: string, why: string): Markup {
  return html`<p class="notice"><strong>${what}</strong> ${why}</p>\n`
}

function header(fleet: Fleet): Markup {
  const { deployments, status } = fleet
  const times = deployments
    .flatMap(({ run }) => run?.startedAt ?? [])
    .toSorted((one, other) => Date.parse(one) - Date.parse(other))
  const [first = '', last = ''] = [times[0], times.at(-1)]
  const days = Math.floor((Date.parse(last) - Date.parse(first)) / dayMs)
  const versions = new Set(deployments.flatMap(({ run }) => run?.toolVersion ?? []))
  // Such a report may be left from before a run that did not take place.
  const age = `The oldest of these runs began ${counted(days, 'day', 'days')} before the newest.`
  const began = first === last ? utcTime(first) : `${utcTime(first)} to ${utcTime(last)}`
  const verdict = statusWords[status]
  return html`<header class="run ${verdict}">
${raw(productLine)}
<h1>${runVerdictSymbol(verdict)} ${fleetText(fleet)}</h1>
${days >= 1 ? notice('Not of the same day.', age) : ''}${versions.size > 1 ? notice('Not of the same version of Plumbline.', 'Versions may judge different requirements.') : ''}<dl class="facts">
${times.length === 0 ? '' : html`<div><dt>Runs began</dt><dd>${began}</dd></div>\n`}<div><dt>Exit status</dt><dd>${String(status)}</dd></div>
</dl>
</header>`
}

/** A link to the deployment's own page, or the text alone where there is none. */
function linked({ page }: Deployment, text: Markup | string, fragment = ''): Markup {
  return page === undefined ? html`${text}` : html`<a href="${page}${fragment}">${text}</a>`
}

function sectionCell(deployment: Deployment, section: FleetSection): Markup {
  const tally = deployment.run === undefined ? [] : sectionTally(deployment.run, section)
  const [worst, ...others] = tally
  if (worst === undefined) return html`<td class="none">not probed</td>`
  const headline = html`${verdictSymbol(worst.verdict)}${worst.text}`
  const link = linked(deployment, headline, `#${sectionAnchor(section.service, section.section)}`)
  return html`<td class="${worst.verdict}"><b>${link}</b>${others.map(({ text }) => html`<span>${text}</span>`)}</td>`
}

function deploymentRow(deployment: Deployment, sections: readonly FleetSection[]): Markup {
  const { run } = deployment
  const name = linked(deployment, printableSentence(deployment.name))
  if (run === undefined) {
    return html`<tr><th scope="row">${name}</th><td class="inconclusive" colspan="${Math.max(sections.length, 1)}"><b>${verdictSymbol('inconclusive')}no report</b></td></tr>
`
  }
  const verdict = statusWords[run.status]
  return html`<tr><th scope="row" class="${verdict}">${name}<span>${runVerdictSymbol(verdict)}${printableSentence(run.verdictText)}</span><span>${utcTime(run.startedAt)}</span></th>${sections.map((section) => sectionCell(deployment, section))}</tr>
`
}

function table(label: string, head: Markup, rows: readonly Markup[]): Markup {
  return html`<div class="scroll" role="group" aria-label="Table of ${label}" tabindex="0"><table>
<thead>${head}</thead>
<tbody>
${rows}</tbody>
</table></div>`
}

/**
 * Deployments in rows, sections of the documents in columns. Each cell has the counts of its verdicts,
 * the one that matters most first, in its colour and in words.
 */
function deploymentTable({ deployments, sections }: Fleet): Markup {
  const services = groupBy(sections, ({ service }) => service)
  const groups = [...services].map(([service, { length }]) => {
    return html`<th scope="colgroup" colspan="${length}">${spokenName(service)}</th>`
  })
  const head = html`<tr><th scope="col" rowspan="2">Deployment</th>${groups}</tr>
<tr>${sections.map(({ section }) => html`<th scope="col">${spokenName(section)}</th>`)}</tr>`
  const rows = deployments.map((deployment) => deploymentRow(deployment, sections))
  return html`<p class="note">Each cell counts requirements; what matters most comes first. Names and counts lead to the page of the deployment, where its report.html lies beside its report.json.</p>
${table('deployments and sections', head, rows)}`
}

function failingCell(deployment: Deployment, requirement: string): Markup {
  if (deployment.run === undefined) return html`<td class="none">no report</td>`
  const verdict = deployment.run.rows.get(requirement)?.verdict
  if (verdict === undefined) return html`<td class="none">not probed</td>`
  const text = html`${verdictSymbol(verdict)}${verdictWords[verdict]}`
  if (verdict !== 'fail') return html`<td class="${verdict}">${text}</td>`
  return html`<td class="fail"><b>${linked(deployment, text, `#${anchor(requirement)}`)}</b></td>`
}

/** What fails anywhere in rows, what fails on most deployments first; deployments in columns. */
function failingTable({ deployments, failing }: Fleet): Markup {
  const rows = failing.map(({ requirement, statement, count }) => {
    const cells = deployments.map((deployment) => failingCell(deployment, requirement))
    return html`<tr><th scope="row">${printableSentence(statement)}<code>${printableSentence(requirement)}</code></th><td class="number">${count}</td>${cells}</tr>
`
  })
  const names = deployments.map(({ name }) => html`<th scope="col">${printableSentence(name)}</th>`)
  const head = html`<tr><th scope="col">Requirement</th><th scope="col">Fails on</th>${names}</tr>`
  return table('failing requirements', head, rows)
}

const bodyTag = '<body class="fleet">'

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
  const ours = readFileSync(new URL('fleet.css', import.meta.url), 'utf8')
  const { deployments, failing } = fleet
  const all = [
    ['deployments', 'Deployments and sections', deployments.length, deploymentTable(fleet)],
    ['failing', 'Failing requirements', failing.length, failingTable(fleet)],
  ] as const
  const parts = all
    .filter(([, , count]) => count > 0)
    .map(([id, title, count, content]) => ({ id, title, count, content }))
  return `${html`<!doctype html>
<html lang="en">
${pageHead(`${fleetText(fleet)} (Plumbline)`, `${pageStyle}\n${ours}`)}
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
