import { displayVerdict } from '../../results/verdict.ts'
import { counted, utcTime } from '../format.ts'
import { printableSentence } from '../printable.ts'
import type { HistoryEntry } from '../run-changes.ts'
import { coverageText, runVerdictLabels, verdictCountsText } from '../verdict-labels.ts'
import { html, type Markup, picture, verdictSymbol } from './markup.ts'

/** Returns a column for each run: failed (solid) below inconclusive requirements (hollow), and their number. */
function historyChart(runs: readonly HistoryEntry[]): Markup {
  const [slot, floor] = [20, 80]
  const maxCount = Math.max(...runs.map(({ counts }) => counts.fail + counts.inconclusive))
  const height = (count: number) => (count === 0 ? 0 : 4 + Math.round((count / maxCount) * 56))
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
  const scope = selection ? ' of a selection' : ''
  const judged = `${coverageText(coverage)} judged${scope}`
  const reasonText = reasons.length > 0 && ` (${printableSentence(reasons.join('; '))})`
  return html`<li>${utcTime(startedAt)} ${verdictSymbol(verdict)} ${runVerdictLabels[verdict]}: ${verdictCountsText(counts)}, ${judged}, status ${status}${reasonText}. Run <code>${printableSentence(run)}</code></li>
`
}

export function historyContent(runs: readonly HistoryEntry[]): Markup {
  const count = (requested: number) => runs.filter(({ status }) => status === requested).length
  return html`<p>Of ${counted(runs.length, 'run')}, ${count(0)} ended with status 0, ${count(1)} with status 1 (failed), ${count(3)} with status 3 (inconclusive).</p>
<figure>${historyChart(runs)}
<p class="note">One column for each run, this run last: failed requirements solid, inconclusive requirements hollow, and the number of both. ! marks a run that failed for another reason.</p></figure>
<details class="further"><summary>Runs as text</summary>
<ul>
${runs.toReversed().map(runItem)}</ul></details>`
}
