import { type RequirementResult, type Verdict, verdicts } from '../../conformance/result.ts'
import type { PastRun } from '../changes.ts'
import { verdictWords } from '../verdict-counts.ts'
import { html, type Markup } from './markup.ts'

const cell = 11
const square = 9

/** The shape of each verdict in a square of 9 by 9, so that it can be told without its colour. */
const shapes: Record<Verdict, string> = {
  pass: 'h9v9h-9z',
  fail: 'm1 1l7 7m-7 0l7-7',
  inconclusive: 'h9l-9 9z',
  skipped: 'm.5.5h8v8h-8z',
  waived: 'm0 5h9v4h-9z',
  advisory: 'h9v4h-9z',
}

// For readers whose browser was forbidden the style; the style has them for light and dark.
const paints: Record<Verdict, Markup> = {
  pass: html`fill="#1f7a3d"`,
  fail: html`fill="none" stroke="#c0261c" stroke-width="2"`,
  inconclusive: html`fill="#8a5a00"`,
  skipped: html`fill="none" stroke="#59636e" stroke-width="1"`,
  waived: html`fill="#6b45b5"`,
  advisory: html`fill="#6b45b5"`,
}

/** A square for each verdict. The counts stand beside it, for those who cannot see it. */
export function coveragePicture(listed: readonly Verdict[]): Markup {
  const width = Math.max(listed.length * cell - (cell - square), 0)
  const paths = [...new Set(listed)].map((verdict) => {
    const drawn = listed.map((each, index) =>
      each === verdict ? `M${index * cell} 0${shapes[verdict]}` : '',
    )
    return html`<path class="${verdict}" ${paints[verdict]} d="${drawn.join('')}"/>`
  })
  return html`<svg class="picture" width="${width}" height="${square}" viewBox="0 0 ${width} ${square}" aria-hidden="true" focusable="false">${paths}</svg>`
}

export function coverageLegend(results: readonly RequirementResult[]): Markup {
  const occurring = verdicts.filter((wanted) => results.some(({ verdict }) => verdict === wanted))
  return html`<p class="legend note">Each square is a requirement:${occurring.map((verdict) => html` <span>${coveragePicture([verdict])} ${verdictWords[verdict]}</span>`)}</p>`
}

const slot = 20
const column = 14
const margin = (slot - column) / 2
const chartHeight = 72
const labelHeight = 12
const axisHeight = 14
const floor = labelHeight + chartHeight
const shortest = 5

/** Solid, outlined, or a thin line: they can be told apart without their colours. */
function columnPicture({ counts, status }: PastRun, index: number, most: number): Markup {
  const { fail, inconclusive } = counts
  const total = fail + inconclusive
  // By the square root: one bad night must not make all others look the same.
  const height = Math.sqrt(total / most) * (chartHeight - 2 * shortest)
  const part = (count: number) =>
    count === 0 ? 0 : Math.max(shortest, Math.round((height * count) / total))
  const [solid, outlined] = [part(fail), part(inconclusive)]
  const x = index * slot + margin
  const top = floor - solid - outlined
  const kind = status === 0 ? 'pass' : status === 1 ? 'fail' : 'inconclusive'
  const text = total > 0 ? String(total) : status === 1 ? '!' : ''
  const line = html`<path class="${kind}" fill="#59636e" d="M${x} ${floor - 2}h${column}v2h-${column}z"/>`
  const failed = html`<path class="fail" fill="#b8231a" d="M${x} ${floor - solid}h${column}v${solid}h-${column}z"/>`
  const unjudged = html`<path class="inconclusive outlined" fill="none" stroke="#8a5a00" stroke-width="1.5" d="M${x + 0.75} ${top + 0.75}h${column - 1.5}v${outlined - 1.5}h-${column - 1.5}z"/>`
  const label = html`<text x="${index * slot + slot / 2}" y="${top - 3}" text-anchor="middle">${text}</text>`
  return html`${total === 0 ? line : ''}${solid === 0 ? '' : failed}${outlined === 0 ? '' : unjudged}${text === '' ? '' : label}`
}

function day(time: string): string {
  return /^\d{4}-\d{2}-\d{2}T/.test(time) ? time.slice(0, 10) : ''
}

/**
 * A column for each run: how many requirements failed (solid) or got no verdict (outlined).
 * What it tells has to stand beside it in words, for those who cannot see it.
 */
export function historyChart(runs: readonly PastRun[]): Markup {
  const most = Math.max(1, ...runs.map(({ counts }) => counts.fail + counts.inconclusive))
  const width = Math.max(runs.length * slot, 10 * slot)
  const height = floor + axisHeight
  const [first, last] = [runs[0]?.startedAt ?? '', runs.at(-1)?.startedAt ?? '']
  const lastDay = html`<text x="${runs.length * slot - margin}" y="${height - 2}" text-anchor="end">${day(last)}</text>`
  return html`<svg class="history" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" aria-hidden="true" focusable="false">${runs.map((run, index) => columnPicture(run, index, most))}<text x="${margin}" y="${height - 2}">${day(first)}</text>${runs.length < 11 ? '' : lastDay}</svg>`
}
