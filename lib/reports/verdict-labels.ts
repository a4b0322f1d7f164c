import type { State } from '../results/changes.ts'
import type { DisplayVerdict, RunOutcome, VerdictCounts } from '../results/outcome.ts'
import { type Coverage, type Verdict, verdicts } from '../results/run-report.ts'
import { counted } from '../text/quantities.ts'

/** The symbol is on the page, beside the color. */
export const verdictStyles: Record<Verdict, { label: string; symbol: string }> = {
  pass: { label: 'passed', symbol: '✓' },
  fail: { label: 'failed', symbol: '✕' },
  inconclusive: { label: 'inconclusive', symbol: '?' },
  skipped: { label: 'skipped', symbol: '–' },
  waived: { label: 'waived', symbol: '≈' },
  advisory: { label: 'advisory', symbol: '!' },
}

export function stateLabel(state: State): string {
  if (state === 'absent') return 'not in the report'
  if (state === 'not probed') return 'the service was not probed'
  return state === 'not selected' ? state : verdictStyles[state].label
}

/** The mark is in Markdown, the color on the terminal and of the badge. */
export const runVerdictStyles = {
  conformant: { label: 'conformant', mark: '✅', symbol: '✓', color: 'green' },
  nonconformant: { label: 'nonconformant', mark: '❌', symbol: '✕', color: 'red' },
  inconclusive: { label: 'inconclusive', mark: '⚠️', symbol: '?', color: 'yellow' },
  belowThreshold: { label: 'no failure found', mark: 'ℹ️', symbol: '◐', color: 'cyan' },
  deviating: { label: 'passed with known deviations', mark: '🟡', symbol: '≈', color: 'yellow' },
} as const satisfies Record<DisplayVerdict, object>

export const statusStyles = {
  0: runVerdictStyles.conformant,
  1: runVerdictStyles.nonconformant,
  3: runVerdictStyles.inconclusive,
} as const

const percent = (share: number) => `${Math.floor(100 * share)}%`

/** Returns the number of judged and of testable requirements: `11 of 87 (12%)`. */
export function coverageText({ judged, testable }: Coverage): string {
  return `${judged} of ${testable}${testable === 0 ? '' : ` (${percent(judged / testable)})`}`
}

/** Returns the reasons of the exit status except failures and missing verdicts. */
export function causeTexts({ coverage, failingWaivers, ...outcome }: RunOutcome): string[] {
  return [
    coverage.judged === 0 ? 'nothing was judged' : [],
    outcome.isBelowMinimum ? `fewer than ${coverage.required} were judged (--min-judged)` : [],
    outcome.isInterrupted ? 'the run was interrupted' : [],
    failingWaivers > 0 ? `${counted(failingWaivers, 'waiver fails', 'waivers fail')} the run` : [],
    outcome.isComplete ? [] : 'an error occurred (see standard error)',
  ].flat()
}

/** Returns how much a run without failures shows: a word, and its share of the testable requirements. */
function passTexts({ counts, coverage, isBelowMinimum }: RunOutcome): [string, string] {
  const { judged, testable, belowThreshold } = coverage
  const share = `${judged} of ${testable} testable requirements`
  // A run below the minimum is never conformant.
  if (belowThreshold || isBelowMinimum) {
    const waived = counts.waived === 0 ? '' : ` except ${counts.waived} waived`
    const bound = belowThreshold ? '; "conformant" needs half' : ''
    const rest = `${share} judged (${percent(judged / testable)}${bound})`
    return [`${runVerdictStyles.belowThreshold.label}${waived}`, rest]
  }
  if (counts.waived === 0)
    return [runVerdictStyles.conformant.label, `${share} were judged and none failed`]
  return [`passed with ${counted(counts.waived, 'known deviation')}`, `${share} judged`]
}

/**
 * Returns the verdict of a run with its reasons: `nonconformant: 2 of 94 testable requirements failed`. All numbers
 * are shares of the testable requirements.
 *
 * @param cause reason of most of the inconclusive requirements
 */
export function runVerdictText(outcome: RunOutcome, cause?: string): string {
  const { verdict, counts, coverage } = outcome
  const causes = causeTexts(outcome)
  if (verdict === 'conformant') {
    const [word, rest] = passTexts(outcome)
    return `${word}${causes.length > 0 ? ', but ' : ': '}${[...causes, rest].join('; ')}`
  }
  const others = (['fail', 'inconclusive'] as const)
    .filter((one) => counts[one] > 0)
    .map((one, index) => {
      const share = index === 0 ? ` of ${coverage.testable} testable requirements` : ''
      return `${counts[one]}${share} ${verdictStyles[one].label}`
    })
  const isNothing = coverage.judged === 0 && cause !== undefined
  return `${verdict}: ${[isNothing ? [] : others, cause ?? [], causes].flat().join('; ')}`
}

/** Returns the verdicts that occur or are always named, with their numbers. */
export function verdictTally(counts: VerdictCounts, zeros: readonly Verdict[] = []) {
  return verdicts.flatMap((verdict) => {
    const { label, symbol } = verdictStyles[verdict]
    const isShown = counts[verdict] > 0 || zeros.includes(verdict)
    return isShown ? { verdict, symbol, text: `${counts[verdict]} ${label}` } : []
  })
}

/** Returns `40 passed, 0 failed, 3 skipped`; only the first two may be zero. */
export const verdictCountsText = (counts: VerdictCounts): string =>
  verdictTally(counts, ['pass', 'fail'])
    .map(({ text }) => text)
    .join(', ')
