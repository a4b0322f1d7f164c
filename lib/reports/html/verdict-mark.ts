import type { RunVerdict, Verdict } from '../../conformance/result.ts'
import { verdictWords } from '../verdict-counts.ts'
import { html, type Markup } from './markup.ts'

const symbols: Record<Verdict, string> = {
  pass: '✓',
  fail: '✕',
  inconclusive: '?',
  skipped: '–',
  waived: '≈',
  advisory: '!',
}

const runSymbols: Record<RunVerdict, Verdict> = {
  conformant: 'pass',
  nonconformant: 'fail',
  inconclusive: 'inconclusive',
}

/** A sign for a verdict that stands beside its word: a shape and a colour. */
export function verdictSymbol(verdict: Verdict): Markup {
  return html`<span class="symbol ${verdict}" aria-hidden="true">${symbols[verdict]}</span>`
}

/** A sign for a verdict with its word for those who cannot see it. */
export function verdictMark(verdict: Verdict): Markup {
  return html`${verdictSymbol(verdict)}<span class="unseen"> ${verdictWords[verdict]}: </span>`
}

/** A large sign for the verdict on a run. */
export function runVerdictSymbol(verdict: RunVerdict): Markup {
  return verdictSymbol(runSymbols[verdict])
}
