import type { Verdict } from '../conformance/result.ts'
import {
  html,
  type Markup,
  runVerdictSymbol,
  sectionAnchor,
  spokenName,
  verdictSymbol,
} from '../reports/html/markup.ts'
import { printableSentence } from '../reports/printable.ts'
import { utcTime } from '../reports/run-words.ts'
import { type VerdictCounts, verdictWords } from '../reports/verdict-counts.ts'
import {
  type Deployment,
  type Fleet,
  type FleetSection,
  occurringVerdicts,
  sectionCounts,
} from './merge.ts'
import { statusWords } from './merge-words.ts'

/** A link to the deployment's own page, or the text alone where there is none. */
export function linked({ page }: Deployment, text: Markup | string, fragment = ''): Markup {
  return page === undefined
    ? html`${text}`
    : html`<a href="${page}${fragment === '' ? '' : `#${fragment}`}">${text}</a>`
}

function countText(counts: VerdictCounts, verdict: Verdict): string {
  return `${counts[verdict]} ${verdictWords[verdict]}`
}

function cell(deployment: Deployment, section: FleetSection): Markup {
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

function row(deployment: Deployment, sections: readonly FleetSection[]): Markup {
  const cells =
    deployment.run === undefined
      ? html`<td class="inconclusive" colspan="${Math.max(sections.length, 1)}"><b>${verdictSymbol('inconclusive')}no report</b></td>`
      : html`${sections.map((section) => cell(deployment, section))}`
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
export function deploymentTable({ deployments, sections }: Fleet): Markup {
  return html`<p class="note">Each cell counts requirements; what matters most comes first. Names and counts lead to the page of the deployment, where its report.html lies beside its report.json.</p>
<div class="scroll" role="group" aria-label="Table of deployments and sections" tabindex="0"><table>
${sections.length === 0 ? html`<thead><tr><th scope="col">Deployment</th><th scope="col">Report</th></tr></thead>` : headRows(sections)}
<tbody>
${deployments.map((deployment) => row(deployment, sections))}</tbody>
</table></div>`
}
