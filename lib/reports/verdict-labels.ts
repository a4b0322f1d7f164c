import {
  type Coverage,
  type RequirementResult,
  type Verdict,
  verdicts,
} from '../results/run-report.ts'
import {
  countVerdicts,
  type DisplayVerdict,
  MIN_CONFORMANT_SHARE,
  type RunSummary,
  type StatusCause,
  type VerdictCounts,
} from '../results/verdict.ts'
import { counted } from './format.ts'

export const verdictLabels: Record<Verdict, string> = {
  pass: 'passed',
  fail: 'failed',
  inconclusive: 'inconclusive',
  skipped: 'skipped',
  waived: 'waived',
  advisory: 'advisory',
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

/** Returns why a run is not conformant: `12% of the 87 testable; conformant from 50%`. */
function lowCoverageText({ judged, testable, belowThreshold }: Coverage): string {
  const bound = belowThreshold ? `; conformant from ${percent(MIN_CONFORMANT_SHARE)}` : ''
  return `${percent(judged / testable)} of the ${testable} testable${bound}`
}

function causeText(cause: StatusCause): string {
  if (cause.kind === 'nothing judged') return 'nothing was judged'
  if (cause.kind === 'interrupted') return 'the run was interrupted'
  if (cause.kind === 'below minimum') {
    return `fewer than ${cause.required} were judged (--min-judged)`
  }
  if (cause.kind === 'waivers') {
    return `${counted(cause.count, 'waiver fails', 'waivers fail')} the run`
  }
  const observations = counted(cause.count, 'recorded observation')
  return `${observations} changed, which fails the run`
}

/** Returns the reasons of the exit status except failures and missing verdicts. */
export function causeTexts({ causes }: Pick<RunSummary, 'causes'>): string[] {
  return causes.map(causeText)
}

/** Returns the verdict of a run with its reasons: `nonconformant: 2 of 94 requirements failed`. */
export function runVerdictText(summary: RunSummary): string {
  const { verdict, counts, coverage, total, isBelowMinimum: isShort } = summary
  const causes = causeTexts(summary)
  if (verdict === 'conformant') {
    const waived = counts.waived === 0 ? '' : ` except ${counts.waived} waived`
    const judged = `${coverage.judged} of ${total} judged`
    const deviating = `passed with ${counted(counts.waived, 'known deviation')}`
    const all = `${coverage.judged} of ${total} requirements were judged and none failed`
    // A run below the minimum is never conformant.
    const [word, rest] =
      coverage.belowThreshold || isShort
        ? [
            `${runVerdictLabels.belowThreshold}${waived}`,
            `${judged} (${lowCoverageText(coverage)})`,
          ]
        : counts.waived > 0
          ? [deviating, judged]
          : [runVerdictLabels.conformant, all]
    return `${word}${causes.length > 0 ? ', but ' : ': '}${[...causes, rest].join('; ')}`
  }
  const failed = counts.fail > 0 ? [`${counts.fail} of ${total} requirements failed`] : []
  const open = counts.inconclusive > 0 ? [`${counts.inconclusive} of ${total} inconclusive`] : []
  return `${verdict}: ${[...failed, ...open, ...causes].join('; ')}`
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
