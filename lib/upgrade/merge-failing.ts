import type { Verdict } from '../conformance/result.ts'
import { anchor, html, type Markup, verdictSymbol } from '../reports/html/markup.ts'
import { printableSentence } from '../reports/printable.ts'
import { verdictWords } from '../reports/verdict-counts.ts'
import type { Deployment, FailingRow, Fleet } from './merge.ts'
import { linked } from './merge-deployments.ts'

function shown(deployment: Deployment, requirement: string, verdict: Verdict): Markup {
  const text = html`${verdictSymbol(verdict)}${verdictWords[verdict]}`
  return verdict === 'fail' ? html`<b>${linked(deployment, text, anchor(requirement))}</b>` : text
}

function cell(deployment: Deployment, { requirement }: FailingRow): Markup {
  if (deployment.run === undefined) return html`<td class="none">no report</td>`
  const verdict = deployment.run.verdicts.get(requirement)
  if (verdict === undefined) return html`<td class="none">not probed</td>`
  return html`<td class="${verdict}">${shown(deployment, requirement, verdict)}</td>`
}

/** What fails anywhere in rows, what fails on most deployments first; deployments in columns. */
export function failingTable({ deployments, failing }: Fleet): Markup {
  const rows = failing.map(
    (
      row,
    ) => html`<tr><th scope="row">${printableSentence(row.statement)}<code>${printableSentence(row.requirement)}</code></th><td class="number">${String(row.count)}</td>${deployments.map((deployment) => cell(deployment, row))}</tr>
`,
  )
  const names = deployments.map(({ name }) => html`<th scope="col">${printableSentence(name)}</th>`)
  return html`<div class="scroll" role="group" aria-label="Table of failing requirements" tabindex="0"><table>
<thead><tr><th scope="col">Requirement</th><th scope="col">Fails on</th>${names}</tr></thead>
<tbody>
${rows}</tbody>
</table></div>`
}
