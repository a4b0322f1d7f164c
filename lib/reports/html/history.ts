import type { PastRun } from '../changes.ts'
import { printableSentence } from '../printable.ts'
import { counted, utcTime } from '../run-words.ts'
import { judgedCount } from '../verdict-counts.ts'
import { html, type Markup, runVerdictSymbol } from './markup.ts'
import type { PageSection } from './page.ts'

const slot = 20
const column = 14
const chartHeight = 72
const labelHeight = 12
const axisHeight = 14
const shortest = 5

interface Column {
  run: PastRun
  x: number
  failed: number
  unjudged: number
  /** Of the solid part and of the outlined one. */
  solid: number
  outlined: number
}

function troubles({ counts }: PastRun): number {
  return counts.fail + counts.inconclusive
}

/** What stands above a column: how many failed or got no verdict, `!` for a run that failed besides. */
function label({ run, x, failed, unjudged, solid, outlined }: Column): Markup {
  const count = failed + unjudged
  const text = count > 0 ? String(count) : run.status === 1 ? '!' : ''
  if (text === '') return html``
  const y = labelHeight + chartHeight - solid - outlined - 3
  return html`<text x="${x + column / 2}" y="${y}" text-anchor="middle">${text}</text>`
}

// Solid, outlined, and a thin line: they can be told apart without their colours.
function shapes({ run, x, solid, outlined }: Column): Markup {
  const floor = labelHeight + chartHeight
  if (solid + outlined === 0) {
    const kind = run.status === 0 ? 'pass' : run.status === 1 ? 'fail' : 'inconclusive'
    return html`<path class="${kind}" fill="#59636e" d="M${x} ${floor - 2}h${column}v2h-${column}z"/>`
  }
  const failed =
    solid === 0
      ? ''
      : html`<path class="fail" fill="#b8231a" d="M${x} ${floor - solid}h${column}v${solid}h-${column}z"/>`
  const unjudged =
    outlined === 0
      ? ''
      : html`<path class="inconclusive outlined" fill="none" stroke="#8a5a00" stroke-width="1.5" d="M${x + 0.75} ${floor - solid - outlined + 0.75}h${column - 1.5}v${outlined - 1.5}h-${column - 1.5}z"/>`
  return html`${failed}${unjudged}`
}

/** By the square root of what it counts: one bad night must not make all others look the same. */
function columnOf(run: PastRun, index: number, most: number): Column {
  const { fail, inconclusive } = run.counts
  const total = fail + inconclusive
  const height = Math.sqrt(total / most) * (chartHeight - 2 * shortest)
  const part = (count: number) =>
    count === 0 ? 0 : Math.max(shortest, Math.round((height * count) / total))
  return {
    run,
    x: index * slot + (slot - column) / 2,
    failed: fail,
    unjudged: inconclusive,
    solid: part(fail),
    outlined: part(inconclusive),
  }
}

function day(time: string): string {
  return /^\d{4}-\d{2}-\d{2}T/.test(time) ? time.slice(0, 10) : ''
}

/**
 * A column for each run, the oldest first: how many requirements failed (solid) and how many got no
 * verdict (outlined). What it tells has to stand beside it in words: for those who cannot see it, it
 * is not there.
 */
export function historyChart(runs: readonly PastRun[]): Markup {
  const most = Math.max(1, ...runs.map(troubles))
  const columns = runs.map((run, index) => columnOf(run, index, most))
  const width = Math.max(runs.length * slot, 10 * slot)
  const total = labelHeight + chartHeight + axisHeight
  const [first, last] = [runs[0], runs.at(-1)]
  const end = runs.length * slot - (slot - column) / 2
  const days = [
    first === undefined
      ? ''
      : html`<text x="${(slot - column) / 2}" y="${total - 2}">${day(first.startedAt)}</text>`,
    last === undefined || runs.length < 11
      ? ''
      : html`<text x="${end}" y="${total - 2}" text-anchor="end">${day(last.startedAt)}</text>`,
  ]
  return html`<svg class="history" width="${width}" height="${total}" viewBox="0 0 ${width} ${total}" aria-hidden="true" focusable="false">${columns.map(shapes)}${columns.map(label)}${days}</svg>`
}

function row({ run, startedAt, verdict, counts, status, reasons = [] }: PastRun): Markup {
  const why = reasons.length === 0 ? '' : `: ${printableSentence(reasons.join('; '))}`
  return html`<tr><th scope="row"><time datetime="${printableSentence(startedAt)}">${utcTime(startedAt)}</time></th><td>${runVerdictSymbol(verdict)} ${verdict}</td><td>${counts.fail}</td><td>${counts.inconclusive}</td><td class="aside">${counts.waived}</td><td class="aside">${judgedCount(counts)}</td><td>${status}${why}</td><td class="aside"><code>${printableSentence(run)}</code></td></tr>
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
