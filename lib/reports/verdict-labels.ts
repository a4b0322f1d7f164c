import type { State } from '../results/changes.ts'
import {
  type Coverage,
  type RequirementResult,
  type Verdict,
  verdicts,
} from '../results/run-report.ts'
import {
  countVerdicts,
  type DisplayVerdict,
  type RunOutcome,
  type VerdictCounts,
} from '../results/verdict.ts'
import { joinNames } from '../text/names.ts'
import { counted } from '../text/quantities.ts'

export const verdictLabels: Record<Verdict, string> = {
  pass: 'passed',
  fail: 'failed',
  inconclusive: 'inconclusive',
  skipped: 'skipped',
  waived: 'waived',
  advisory: 'advisory',
}

/** Labels of the states of a requirement in a report. */
export const stateLabels: Record<State, string> = {
  ...verdictLabels,
  absent: 'not in the report',
  'not probed': 'the service was not probed',
  'not selected': 'not selected',
}

export const runVerdictLabels: Record<DisplayVerdict, string> = {
  conformant: 'conformant',
  nonconformant: 'nonconformant',
  inconclusive: 'inconclusive',
  belowThreshold: 'no failure found',
  deviating: 'passed with known deviations',
}

/** Presentation of verdicts on a run: mark in Markdown, color of a terminal and of a badge. */
export const runVerdictStyles = {
  conformant: { mark: '✅', color: 'green', badge: 'brightgreen' },
  nonconformant: { mark: '❌', color: 'red', badge: 'red' },
  inconclusive: { mark: '⚠️', color: 'yellow', badge: 'lightgrey' },
  belowThreshold: { mark: 'ℹ️', color: 'cyan', badge: 'blue' },
  deviating: { mark: '🟡', color: 'yellow', badge: 'yellow' },
} as const satisfies Record<DisplayVerdict, object>

export const statusStyles = {
  0: runVerdictStyles.conformant,
  1: runVerdictStyles.nonconformant,
  3: runVerdictStyles.inconclusive,
} as const

function percent(share: number): string {
  return `${Math.floor(100 * share)}%`
}

/** Returns the number of judged and of testable requirements: `11 of 87 (12%)`. */
export function coverageText({ judged, testable }: Coverage): string {
  return `${judged} of ${testable}${testable === 0 ? '' : ` (${percent(judged / testable)})`}`
}

/** Returns `8 cannot be tested`, for requirements without a verdict in any run; undefined without any. */
export function untestableText({ untestable }: Pick<RunOutcome, 'untestable'>): string | undefined {
  return untestable === 0 ? undefined : `${untestable} cannot be tested`
}

/** Returns the reasons of the exit status except failures and missing verdicts. */
export function causeTexts({ causes }: Pick<RunOutcome, 'causes'>): string[] {
  return causes.map((cause) => {
    if (cause.kind === 'nothing judged') return 'nothing was judged'
    if (cause.kind === 'interrupted') return 'the run was interrupted'
    if (cause.kind === 'incomplete') return 'an error occurred (see standard error)'
    return cause.kind === 'waivers'
      ? `${counted(cause.count, 'waiver fails', 'waivers fail')} the run`
      : `fewer than ${cause.required} were judged (--min-judged)`
  })
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
    return [`${runVerdictLabels.belowThreshold}${waived}`, rest]
  }
  if (counts.waived === 0)
    return [runVerdictLabels.conformant, `${share} were judged and none failed`]
  return [`passed with ${counted(counts.waived, 'known deviation')}`, `${share} judged`]
}

/**
 * Returns the verdict of a run with its reasons: `nonconformant: 2 of 94 testable requirements failed`. All numbers
 * are shares of the testable requirements.
 *
 * @param cause reason of most of the inconclusive requirements
 * @param stopped services that stopped responding, which the text names first, instead of a cause
 */
export function runVerdictText(
  outcome: RunOutcome,
  cause?: string,
  stopped: readonly string[] = [],
): string {
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
      return `${counts[one]}${share} ${verdictLabels[one]}`
    })
  const outage = stopped.length > 0 ? [`${joinNames(stopped)} stopped responding`] : []
  const isNothing = coverage.judged === 0 && outage.length === 0 && cause !== undefined
  const reason = outage.length > 0 || cause === undefined ? [] : [cause]
  return `${verdict}: ${[...outage, ...(isNothing ? [] : others), ...reason, ...causes].join('; ')}`
}

function tally(counts: VerdictCounts, always: readonly Verdict[]) {
  return verdicts
    .filter((verdict) => counts[verdict] > 0 || always.includes(verdict))
    .map((verdict) => ({ verdict, text: `${counts[verdict]} ${verdictLabels[verdict]}` }))
}

export function verdictTally(results: readonly Pick<RequirementResult, 'verdict'>[]) {
  return tally(countVerdicts(results), [])
}

/** Returns `40 passed, 0 failed, 3 skipped`; only the first two may be zero. */
export function verdictCountsText(
  counts: VerdictCounts,
  paint = (_verdict: Verdict, text: string) => text,
): string {
  return tally(counts, ['pass', 'fail'])
    .map(({ verdict, text }) => (counts[verdict] === 0 ? text : paint(verdict, text)))
    .join(', ')
}
