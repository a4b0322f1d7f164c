import { displayVerdict } from '../../results/verdict.ts'
import { counted, utcTime } from '../format.ts'
import { printableSentence } from '../printable.ts'
import type { HistoryEntry } from '../run-changes.ts'
import { coverageText, runVerdictLabels, verdictCountsText } from '../verdict-labels.ts'
import { html, type Markup, picture, runVerdictSymbol } from './markup.ts'

/** A column for each run: what failed (solid) below what got no verdict (hollow), and their number. */
function historyChart(runs: readonly HistoryEntry[]): Markup {
  const [slot, floor] = [20, 80]
  const most = Math.max(...runs.map(({ counts }) => counts.fail + counts.inconclusive))
  const height = (count: number) => (count === 0 ? 0 : 4 + Math.round((count / most) * 56))
  const columns = runs.map(({ counts, status }, index) => {
    const [solid, hollow] = [height(counts.fail), height(counts.inconclusive)]
    const top = floor - solid - hollow
    const x = index * slot + 3
    const number = counts.fail + counts.inconclusive
    const label = number > 0 ? number : status === 1 ? '!' : ''
    return html`<path class="skipped" d="M${x} ${floor}h14v2h-14z"/><path class="fail" d="M${x} ${floor}v-${solid}h14v${solid}z"/>${hollow > 0 && html`<path class="inconclusive" d="M${x} ${top}h14v${hollow}h-14zm1.5 1.5v${hollow - 3}h11v-${hollow - 3}z"/>`}<text x="${x + 7}" y="${top - 3}" text-anchor="middle" font-size="10">${label}</text>`
  })
  return picture(runs.length * slot, floor + 2, columns)
}

function runItem(past: HistoryEntry): Markup {
  const { run, startedAt, counts, coverage, status, selection, reasons = [] } = past
  const verdict = displayVerdict(past)
  const selected = selection ? ' of a selection' : ''
  const judged = coverage && `${coverageText(coverage)} judged${selected}, `
  const why = reasons.length > 0 && ` (${printableSentence(reasons.join('; '))})`
  return html`<li>${utcTime(startedAt)} ${runVerdictSymbol(verdict)} ${runVerdictLabels[verdict]}: ${verdictCountsText(counts)}, ${judged}status ${status}${why}. Run <code>${printableSentence(run)}</code></li>
`
}

export function historyContent(runs: readonly HistoryEntry[]): Markup {
  const having = (wanted: number) => runs.filter(({ status }) => status === wanted).length
  return html`<p>Of ${counted(runs.length, 'run', 'runs')}, ${having(0)} ended with status 0, ${having(1)} with status 1 (failed), ${having(3)} with status 3 (without a verdict).</p>
<figure>${historyChart(runs)}
<p class="note">A column for each run, this one last: solid for requirements that failed, hollow for those without a verdict. A number counts both; ! stands for a run that failed for another reason.</p></figure>
<details class="further"><summary>The same in words</summary>
<ul>
${runs.toReversed().map(runItem)}</ul></details>`
}
