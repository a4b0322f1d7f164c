import { readFileSync } from 'node:fs'
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
  sectionAnchor,
  verdictIcon,
  verdictSymbol,
} from '../../reports/html/markup.ts'
import { runVerdictText, verdictLabels } from '../../reports/verdict-labels.ts'
import { groupBy } from '../../text/group-by.ts'
import { counted, utcTime } from '../../text/quantities.ts'
import {
  type Fleet,
  type FleetDeployment,
  type FleetResult,
  type FleetSection,
  sectionTally,
} from './fleet.ts'
import { day, fleetText } from './fleet-text.ts'

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
    days >= 1 && `Not of the same day: the oldest began ${counted(days, 'day')} before the newest.`,
    versions.size > 1 &&
      'Not of the same version of Plumbline: versions may judge different requirements.',
  ].filter((text) => text !== false)
  const began = first === last ? utcTime(first) : `${utcTime(first)} to ${utcTime(last)}`
  return html`<header class="run ${verdict}">
${raw(productLine)}
<h1>${verdictSymbol(verdict)} ${fleetText({ deployments })}</h1>
${notices.map((text) => html`<p class="notice">${text}</p>\n`)}<dl class="facts">
<div><dt>Runs began</dt><dd>${began || 'unknown'}</dd></div><div><dt>Exit status</dt><dd>${status}</dd></div>
</dl>
</header>`
}

/** Returns a link to the page of the deployment, or only the text if there is none. */
function linked({ page }: FleetDeployment, text: Markup | string, fragment = ''): Markup {
  return page === undefined ? html`${text}` : html`<a href="${page}${fragment}">${text}</a>`
}

function sectionCell(deployment: FleetDeployment, section: FleetSection): Markup {
  const tally = deployment.run === undefined ? [] : sectionTally(deployment.run, section)
  const [worst, ...others] = tally
  if (worst === undefined) return html`<td class="none">not probed</td>`
  const headline = html`${verdictSymbol(worst.verdict)}${worst.text}`
  const link = linked(deployment, headline, `#${sectionAnchor(section.service, section.section)}`)
  return html`<td class="${worst.verdict}"><b>${link}</b>${others.map(({ text }) => html`<span>${text}</span>`)}</td>`
}

function deploymentRow(deployment: FleetDeployment, sections: readonly FleetSection[]): Markup {
  const { run } = deployment
  const name = linked(deployment, deployment.name)
  if (run === undefined) {
    return html`<tr><th scope="row">${name}</th><td class="inconclusive" colspan="${Math.max(sections.length, 1)}"><b>${verdictSymbol('inconclusive')}no report</b></td></tr>
`
  }
  const { displayVerdict: verdict } = run.summary
  return html`<tr><th scope="row" class="${verdict}">${name}<span>${verdictSymbol(verdict)}${runVerdictText(run.summary)}</span><span>${utcTime(run.startedAt)}</span></th>${sections.map((section) => sectionCell(deployment, section))}</tr>
`
}

/** Returns a table in a box that scrolls sideways. */
function scrollingTable(label: string, columns: string, head: Markup, rows: Markup[]): Markup {
  return html`<div class="scroll" role="group" aria-label="${label}" tabindex="0"><p class="sideways">Scroll sideways: ${columns} →</p><table>
<thead>${head}</thead>
<tbody>
${rows}</tbody>
</table></div>`
}

/** Returns true if every deployment with a report passed or skipped all requirements of a section. */
function isQuiet(section: FleetSection, { deployments }: Fleet): boolean {
  const tallies = deployments.flatMap(({ run }) => (run ? [sectionTally(run, section)] : []))
  return tallies.every((tally) => tally[0]?.verdict === 'pass' || tally[0]?.verdict === 'skipped')
}

function deploymentTable(fleet: Fleet): Markup {
  const quiet = fleet.sections.filter((section) => isQuiet(section, fleet))
  const sections = fleet.sections.filter((section) => !quiet.includes(section))
  const services = groupBy(sections, ({ service }) => service)
  const titles = sections.map(({ section }) => html`<th scope="col">${displayName(section)}</th>`)
  const groups = [...services].map(([service, { length }]) => {
    return html`<th scope="colgroup" colspan="${length}">${displayName(service)}</th>`
  })
  // The name of a single service says nothing.
  const head =
    groups.length > 1
      ? html`<tr><th scope="col" rowspan="2">Deployment</th>${groups}</tr>
<tr>${titles}</tr>`
      : html`<tr><th scope="col">Deployment</th>${titles}</tr>`
  const quietNames = [...groupBy(quiet, ({ service }) => service)].map(([service, list]) => {
    const names = list.map(({ section }) => html`${displayName(section)}`)
    return html`${displayName(service)}: ${joined(names, ', ')}`
  })
  return html`<p class="note">Each cell counts requirements, the worst verdict first. Names and counts link to the report.html next to the report.json of the deployment.</p>
${quiet.length > 0 && html`<p class="note">Nothing failed and nothing is inconclusive in ${counted(quiet.length, 'section')}. ${joined(quietNames, '; ')}.</p>\n`}${scrollingTable(
  'Table of deployments and sections',
  counted(sections.length, 'section'),
  head,
  fleet.deployments.map((deployment) => deploymentRow(deployment, sections)),
)}`
}

function resultCell(deployment: FleetDeployment, result: FleetResult | undefined): Markup {
  if (result === undefined) return html`<td class="none">–</td>`
  const { requirement, verdict, since } = result
  const text = html`${verdictSymbol(verdict)}${verdictLabels[verdict]}`
  const started = since !== undefined && html`<span>since ${day(since)}</span>`
  return html`<td class="${verdict}"><b>${linked(deployment, text, `#${anchor(requirement)}`)}</b>${started}</td>`
}

function differingTable({ deployments, differing }: Fleet): Markup {
  const names = deployments.map(({ name }) => html`<th scope="col">${name}</th>`)
  const rows = differing.map(({ requirement, statement, failures, results }) => {
    const count = failures > 0 && html`<span>failed on ${failures} of ${deployments.length}</span>`
    const cells = deployments.map((deployment, index) => resultCell(deployment, results[index]))
    return html`<tr><th scope="row">${statement} <code>${requirement}</code>${count}</th>${cells}</tr>
`
  })
  return html`<p class="note">Requirements that a deployment does not pass, or that only some skipped. “since” is the start of the first run that failed, from history.ndjson next to the report.json.</p>
${scrollingTable(
  'Table of requirements and deployments',
  counted(deployments.length, 'deployment'),
  html`<tr><th scope="col">Requirement</th>${names}</tr>`,
  rows,
)}`
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
  const { deployments, differing } = fleet
  const all = [
    ['deployments', 'Deployments and sections', deployments.length, deploymentTable(fleet)],
    ['requirements', 'Requirements that differ', differing.length, differingTable(fleet)],
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
