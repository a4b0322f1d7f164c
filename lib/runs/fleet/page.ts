import { readFileSync } from 'node:fs'
import { groupBy } from '../../environment/group-by.ts'
import { counted, utcTime } from '../../reports/format.ts'
import {
  anchor,
  displayName,
  html,
  joined,
  type Markup,
  pageContents,
  pageHead,
  pageSection,
  pageStyle,
  raw,
  runVerdictSymbol,
  sectionAnchor,
  verdictIcon,
  verdictSymbol,
} from '../../reports/html/markup.ts'
import { printableSentence } from '../../reports/printable.ts'
import { type Deployment, type Fleet, type FleetSection, fleetText, sectionTally } from './fleet.ts'

const dayMs = 86_400_000

const productLine = '<p class="product">Plumbline reports side by side</p>'

function header({ deployments, verdict, status }: Fleet): Markup {
  const times = deployments
    .flatMap(({ run }) => run?.startedAt ?? [])
    .toSorted((one, other) => Date.parse(one) - Date.parse(other))
  const [first = '', last = ''] = [times[0], times.at(-1)]
  const days = Math.floor((Date.parse(last) - Date.parse(first)) / dayMs)
  const versions = new Set(deployments.flatMap(({ run }) => run?.toolVersion ?? []))
  const notices = [
    // The report may be of an earlier run.
    days >= 1 &&
      `Not of the same day: the oldest began ${counted(days, 'day', 'days')} before the newest.`,
    versions.size > 1 &&
      'Not of the same version of Plumbline: versions may judge different requirements.',
  ].filter((text) => text !== false)
  const began = first === last ? utcTime(first) : `${utcTime(first)} to ${utcTime(last)}`
  return html`<header class="run ${verdict}">
${raw(productLine)}
<h1>${runVerdictSymbol(verdict)} ${fleetText({ deployments })}</h1>
${notices.map((text) => html`<p class="notice">${text}</p>\n`)}<dl class="facts">
<div><dt>Runs began</dt><dd>${began || 'unknown'}</dd></div><div><dt>Exit status</dt><dd>${status}</dd></div>
</dl>
</header>`
}

/** Returns a link to the page of the deployment, or only the text if there is none. */
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
  const { verdict } = run
  return html`<tr><th scope="row" class="${verdict}">${name}<span>${runVerdictSymbol(verdict)}${printableSentence(run.verdictText)}</span><span>${utcTime(run.startedAt)}</span></th>${sections.map((section) => sectionCell(deployment, section))}</tr>
`
}

function deploymentTable({ deployments, sections }: Fleet): Markup {
  const services = groupBy(sections, ({ service }) => service)
  const groups = [...services].map(([service, { length }]) => {
    return html`<th scope="colgroup" colspan="${length}">${displayName(service)}</th>`
  })
  return html`<p class="note">Each cell counts requirements; what matters most comes first, as do the deployments. Names and counts lead to the page of the deployment, where its report.html lies beside its report.json.</p>
<div class="scroll" role="group" aria-label="Table of deployments and sections" tabindex="0"><p class="sideways">The table goes on to the right: ${counted(sections.length, 'section', 'sections')}. Scroll it sideways →</p><table>
<thead><tr><th scope="col" rowspan="2">Deployment</th>${groups}</tr>
<tr>${sections.map(({ section }) => html`<th scope="col">${displayName(section)}</th>`)}</tr></thead>
<tbody>
${deployments.map((deployment) => deploymentRow(deployment, sections))}</tbody>
</table></div>`
}

function failingList({ deployments, failing }: Fleet): Markup {
  const items = failing.map(({ requirement, statement, on }) => {
    const places = on.map((deployment) =>
      linked(deployment, printableSentence(deployment.name), `#${anchor(requirement)}`),
    )
    const where = html`On ${on.length} of ${deployments.length}`
    const listed =
      on.length > 12
        ? html`<details class="note"><summary>${where}</summary>${joined(places, ', ')}</details>`
        : html`<p class="note">${where}: ${joined(places, ', ')}</p>`
    return html`<li class="listed"><p>${verdictSymbol('fail')}${printableSentence(statement)} <code>${printableSentence(requirement)}</code></p>
${listed}</li>
`
  })
  return html`<ul>
${items}</ul>`
}

const bodyTag = '<body class="fleet">'

/** Returns true if a text, or its prefix, is a fleet page of any version. */
export function isFleetPage(text: string): boolean {
  const body = text.indexOf(bodyTag)
  return text.startsWith('<!doctype html>') && body >= 0 && text.includes(productLine, body)
}

/** Returns a self-contained HTML page without a script. Text of the reports is escaped. */
export function fleetPage(fleet: Fleet): string {
  const ours = readFileSync(new URL('fleet.css', import.meta.url), 'utf8')
  const { deployments, failing } = fleet
  const all = [
    ['deployments', 'Deployments and sections', deployments.length, deploymentTable(fleet)],
    ['failing', 'Failing requirements', failing.length, failingList(fleet)],
  ] as const
  const parts = all
    .filter(([, , count]) => count > 0)
    .map(([id, title, count, content]) => ({ id, title, count, content }))
  return `${html`<!doctype html>
<html lang="en">
${pageHead(`${fleetText(fleet)} (Plumbline)`, verdictIcon(fleet.verdict), `${pageStyle}\n${ours}`)}
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
