import type { PastRun } from '../past-runs.ts'
import { printableSentence } from '../printable.ts'
import { counted } from '../run-words.ts'
import { judgedCount } from '../verdict-counts.ts'
import { historyChart } from './history-chart.ts'
import { html, type Markup } from './markup.ts'
import type { PageSection } from './page-contents.ts'
import { utcTime } from './times.ts'
import { runVerdictSymbol } from './verdict-mark.ts'

function row({ id, startedAt, verdict, counts, status, reasons = [] }: PastRun): Markup {
  const why = reasons.length === 0 ? '' : `: ${printableSentence(reasons.join('; '))}`
  return html`<tr><th scope="row"><time datetime="${printableSentence(startedAt)}">${utcTime(startedAt)}</time></th><td>${runVerdictSymbol(verdict)} ${verdict}</td><td>${counts.fail}</td><td>${counts.inconclusive}</td><td class="aside">${counts.waived}</td><td class="aside">${judgedCount(counts)}</td><td>${status}${why}</td><td class="aside"><code>${printableSentence(id)}</code></td></tr>
`
}

function summary(runs: readonly PastRun[]): string {
  const count = (wanted: number) => runs.filter(({ status }) => status === wanted).length
  const parts = [
    `${count(0)} ended with status 0`,
    `${count(1)} with status 1 (failed)`,
    `${count(3)} with status 3 (without a verdict)`,
  ]
  return `Of ${counted(runs.length, 'run', 'runs')}, ${parts.join(', ')}.`
}

/** The last runs of the same target: a picture, and behind it the same in a table. */
export function historySection(runs: readonly PastRun[] | undefined): PageSection {
  const shown = runs ?? []
  return {
    id: 'history',
    title: 'The last runs',
    count: shown.length,
    requirements: false,
    content: html`<p>${summary(shown)}</p>
<figure>${historyChart(shown)}
<p class="note">A column for each run, this one last: solid for requirements that failed, outlined for those without a verdict, a thin line for neither. A number counts both; ! stands for a run that failed for another reason.</p></figure>
<details class="runs"><summary>The same as a table</summary>
<table><thead><tr><th scope="col">Started</th><th scope="col">Verdict</th><th scope="col">Failed</th><th scope="col">No verdict</th><th class="aside" scope="col">Waived</th><th class="aside" scope="col">Judged</th><th scope="col">Status</th><th class="aside" scope="col">Run</th></tr></thead>
<tbody>
${shown.toReversed().map(row)}</tbody></table></details>`,
  }
}
