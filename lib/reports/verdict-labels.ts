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
  type RunSummary,
  type StatusCause,
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

/** Presentation of verdicts on a run: mark in Markdown, color of a terminal, of a badge and of an icon. */
export const runVerdictStyles = {
  conformant: { mark: '✅', color: 'green', badge: 'brightgreen', icon: '#1f7a3d' },
  nonconformant: { mark: '❌', color: 'red', badge: 'red', icon: '#b8231a' },
  inconclusive: { mark: '⚠️', color: 'yellow', badge: 'lightgrey', icon: '#8a5a00' },
  belowThreshold: { mark: 'ℹ️', color: 'cyan', badge: 'blue', icon: '#0b5cad' },
  deviating: { mark: '🟡', color: 'yellow', badge: 'yellow', icon: '#8a5a00' },
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
export function untestableText({ untestable }: Pick<RunSummary, 'untestable'>): string | undefined {
  return untestable === 0 ? undefined : `${untestable} cannot be tested`
}

function causeText(cause: StatusCause): string {
  if (cause.kind === 'nothing judged') return 'nothing was judged'
  if (cause.kind === 'interrupted') return 'the run was interrupted'
  if (cause.kind === 'below minimum') {
    return `fewer than ${cause.required} were judged (--min-judged)`
  }
  return `${counted(cause.count, 'waiver fails', 'waivers fail')} the run`
}

/** Returns the reasons of the exit status except failures and missing verdicts. */
export function causeTexts({ causes }: Pick<RunSummary, 'causes'>): string[] {
  return causes.map(causeText)
}

/**
 * Returns the verdict of a run with its reasons: `nonconformant: 2 of 94 testable requirements failed`. All numbers
 * are shares of the testable requirements.
 *
 * @param cause reason of most of the inconclusive requirements
 * @param stopped services that stopped responding, which the text names first, instead of a cause
 */
export function runVerdictText(
  summary: RunSummary,
  cause?: string,
  stopped: readonly string[] = [],
): string {
  const { verdict, counts, coverage, isBelowMinimum } = summary
  const { judged, testable, belowThreshold } = coverage
  const causes = causeTexts(summary)
  const share = (count: number) => `${count} of ${testable} testable requirements`
  if (verdict !== 'conformant') {
    const others = (['fail', 'inconclusive'] as const)
      .filter((one) => counts[one] > 0)
      .map(
        (one, index) => `${index === 0 ? share(counts[one]) : counts[one]} ${verdictLabels[one]}`,
      )
    if (stopped.length > 0) {
      const outage = `${joinNames(stopped)} stopped responding`
      return `${verdict}: ${[outage, ...others, ...causes].join('; ')}`
    }
    if (cause === undefined) return `${verdict}: ${[...others, ...causes].join('; ')}`
    const isNothing = judged === 0 && counts.fail === 0
    return `${verdict}: ${[...(isNothing ? [cause] : [...others, cause]), ...causes].join('; ')}`
  }
  const describe = (): [word: string, rest: string] => {
    // A run below the minimum is never conformant.
    if (belowThreshold || isBelowMinimum) {
      const waived = counts.waived === 0 ? '' : ` except ${counts.waived} waived`
      const bound = belowThreshold ? '; "conformant" needs half' : ''
      const rest = `${share(judged)} judged (${percent(judged / testable)}${bound})`
      return [`${runVerdictLabels.belowThreshold}${waived}`, rest]
    }
    if (counts.waived === 0) {
      return [runVerdictLabels.conformant, `${share(judged)} were judged and none failed`]
    }
    return [`passed with ${counted(counts.waived, 'known deviation')}`, `${share(judged)} judged`]
  }
  const [word, rest] = describe()
  return `${word}${causes.length > 0 ? ', but ' : ': '}${[...causes, rest].join('; ')}`
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
