import type { RequirementResult, RunReport, RunVerdict } from '../results/result.ts'
import { counted, failingDiffs, failingWaivers } from './run-words.ts'
import {
  countVerdicts,
  coverageOf,
  isShort,
  judgedCount,
  type ToldVerdict,
  thinText,
  toldVerdict,
  toldWords,
} from './verdict-counts.ts'

type EndedRun = Pick<RunReport, 'run' | 'results' | 'waivers' | 'baseline' | 'coverage'>

/** Of a run that took place; 2 is for runs that never began. */
const statuses = { conformant: 0, nonconformant: 1, inconclusive: 3 } as const

export type RunExitStatus = (typeof statuses)[RunVerdict]

/**
 * One failure settles it. Otherwise a run is conformant only when it came to its end, judged at least
 * one requirement (a pass, a waived deviation or an advisory one) and left none inconclusive.
 */
export function runVerdict(
  results: readonly Pick<RequirementResult, 'verdict'>[],
  interrupted = false,
): RunVerdict {
  const counts = countVerdicts(results)
  if (counts.fail > 0) return 'nonconformant'
  if (interrupted || counts.inconclusive > 0 || judgedCount(counts) === 0) return 'inconclusive'
  return 'conformant'
}

/** Whether waivers or recorded observations fail the run, whatever the deployment conforms to. */
export function failsBesideVerdict(report: Pick<RunReport, 'waivers' | 'baseline'>): boolean {
  return failingWaivers(report).length > 0 || failingDiffs(report).length > 0
}

/** Counted anew, so that a report cannot claim more than its results give. */
export function coverageIn({ results, coverage }: Pick<RunReport, 'results' | 'coverage'>) {
  return coverageOf(results, coverage?.required)
}

/** Worked out from the results, so that a report cannot claim a better verdict than they give. */
export function exitStatus(report: EndedRun): RunExitStatus {
  if (failsBesideVerdict(report)) return 1
  const status = statuses[runVerdict(report.results, report.run.interrupted)]
  return status === 0 && isShort(coverageIn(report)) ? 3 : status
}

/** What a reader is told: the verdict that the exit status stands for, unless too little was judged. */
export function runToldVerdict(report: EndedRun): ToldVerdict {
  const verdict = ({ 0: 'conformant', 1: 'nonconformant', 3: 'inconclusive' } as const)[
    exitStatus(report)
  ]
  const counts = countVerdicts(report.results)
  return toldVerdict({ verdict, counts, coverage: coverageIn(report) })
}

/** Why the exit status is what it is, as far as failures and missing verdicts do not say it. */
export function reasonsBesideCounts(report: EndedRun): string[] {
  const [waivers, diffs] = [failingWaivers(report).length, failingDiffs(report).length]
  const observations = counted(diffs, 'recorded observation', 'recorded observations')
  const coverage = coverageIn(report)
  return [
    coverage.judged === 0 && 'nothing was judged',
    isShort(coverage) && `fewer were judged than the ${coverage.required} of --min-judged`,
    report.run.interrupted && 'the run was interrupted',
    waivers > 0 && `${counted(waivers, 'waiver fails', 'waivers fail')} the run`,
    diffs > 0 && `${observations} changed, which fails the run`,
  ].filter((reason) => typeof reason === 'string')
}

/** Why the run's verdict is what it is, in words: `nonconformant: 2 of 94 requirements failed`. */
export function runVerdictText(report: EndedRun): string {
  const counts = countVerdicts(report.results)
  const total = report.results.length
  const verdict = runVerdict(report.results, report.run.interrupted)
  const beside = reasonsBesideCounts(report)
  if (verdict === 'conformant') {
    const coverage = coverageIn(report)
    const waived = counts.waived === 0 ? '' : ` but for ${counts.waived} waived`
    // Where fewer were judged than was asked for, no share of them is called conformant either.
    const isThin = coverage.thin || isShort(coverage)
    const judged = `${coverage.judged} of ${total} judged`
    const known = `passed with ${counted(counts.waived, 'known deviation', 'known deviations')}`
    const [word, rest] = isThin
      ? [`${toldWords.thin}${waived}`, `${judged} (${thinText(coverage)})`]
      : counts.waived > 0
        ? [known, judged]
        : [
            toldWords.conformant,
            `${coverage.judged} of ${total} requirements were judged and none failed`,
          ]
    return `${word}${beside.length > 0 ? ', but ' : ': '}${[...beside, rest].join('; ')}`
  }
  const failed = counts.fail > 0 ? [`${counts.fail} of ${total} requirements failed`] : []
  const open = counts.inconclusive > 0 ? [`${counts.inconclusive} of ${total} got no verdict`] : []
  return `${verdict}: ${[...failed, ...open, ...beside].join('; ')}`
}
