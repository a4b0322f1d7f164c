import type { RequirementResult, Verdict } from '../../conformance/result.ts'
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
const colors: Record<Verdict, string> = {
  pass: '#1f7a3d',
  fail: '#c0261c',
  inconclusive: '#8a5a00',
  skipped: '#59636e',
  waived: '#6b45b5',
  advisory: '#6b45b5',
}

const outlined = new Set<Verdict>(['fail', 'skipped'])

function paint(verdict: Verdict): Markup {
  const color = colors[verdict]
  return outlined.has(verdict)
    ? html`fill="none" stroke="${color}" stroke-width="${verdict === 'fail' ? 2 : 1}"`
    : html`fill="${color}"`
}

function picture(listed: readonly Verdict[]): Markup {
  const width = Math.max(listed.length * cell - (cell - square), 0)
  const paths = [...new Set(listed)].map((verdict) => {
    const drawn = listed
      .flatMap((each, index) => (each === verdict ? [`M${index * cell} 0${shapes[verdict]}`] : []))
      .join('')
    return html`<path class="${verdict}" ${paint(verdict)} d="${drawn}"/>`
  })
  return html`<svg class="picture" width="${width}" height="${square}" viewBox="0 0 ${width} ${square}" aria-hidden="true" focusable="false">${paths}</svg>`
}

/**
 * A square for each requirement, in the order of the report. The counts in words have to stand
 * beside it: for those who cannot see it, it is not there.
 */
export function coveragePicture(results: readonly Pick<RequirementResult, 'verdict'>[]): Markup {
  return picture(results.map(({ verdict }) => verdict))
}

/** What the squares mean, for the verdicts that occur. */
export function coverageLegend(occurring: readonly Verdict[]): Markup {
  return html`<p class="legend note">Each square is a requirement:${occurring.map((verdict) => html` <span>${picture([verdict])} ${verdictWords[verdict]}</span>`)}</p>`
}
