import type { RequirementResult, RunReport, RunVerdict } from '../conformance/result.ts'
import { failingPins, failingWaivers } from './list-words.ts'
import { counted } from './run-words.ts'
import { countVerdicts, judgedCount } from './verdict-counts.ts'

/** What tells the end of a run. */
export type EndedRun = Pick<RunReport, 'run' | 'results' | 'waivers' | 'baseline'>

/** Exit status of a run that took place; 2 is for runs that never began. */
export type RunExitStatus = 0 | 1 | 3

/**
 * The verdict on a whole run. One failure settles it, whatever else happened. Otherwise a run is
 * conformant only when it came to its end, judged at least one requirement (a pass, a waived
 * deviation or an advisory one) and left none inconclusive.
 *
 * @param interrupted whether the run was stopped before its end
 */
export function runVerdict(
  results: readonly Pick<RequirementResult, 'verdict'>[],
  interrupted: boolean,
): RunVerdict {
  const counts = countVerdicts(results)
  if (counts.fail > 0) return 'nonconformant'
  if (interrupted || counts.inconclusive > 0 || judgedCount(counts) === 0) return 'inconclusive'
  return 'conformant'
}

/** Whether waivers or pinned observations fail the run, whatever the deployment conforms to. */
export function failsBesideVerdict(report: Pick<RunReport, 'waivers' | 'baseline'>): boolean {
  return failingWaivers(report).length > 0 || failingPins(report).length > 0
}

/**
 * 0 for a conformant run, 1 for a nonconformant one, 3 for an inconclusive one; 1 for any that fails
 * beside its verdict. It is worked out from the results, so that a report cannot claim a better
 * verdict than they give.
 */
export function exitStatus(report: EndedRun): RunExitStatus {
  if (failsBesideVerdict(report)) return 1
  switch (runVerdict(report.results, report.run.interrupted === true)) {
    case 'conformant':
      return 0
    case 'nonconformant':
      return 1
    case 'inconclusive':
      return 3
  }
}

/** Why a run's exit status is what it is, as far as its failures and missing verdicts do not say it. */
export function reasonsBesideCounts(report: EndedRun): string[] {
  const [waivers, pins] = [failingWaivers(report).length, failingPins(report).length]
  const nothing = judgedCount(countVerdicts(report.results)) === 0
  return [
    ...(nothing ? ['nothing was judged'] : []),
    ...(report.run.interrupted === true ? ['the run was interrupted'] : []),
    ...(waivers === 0 ? [] : [`${counted(waivers, 'waiver fails', 'waivers fail')} the run`]),
    ...(pins === 0
      ? []
      : [
          `${counted(pins, 'pinned observation', 'pinned observations')} changed, which fails the run`,
        ]),
  ]
}

/** Why the run's verdict is what it is, in words: `nonconformant: 2 of 94 requirements failed`. */
export function runVerdictText(report: EndedRun): string {
  const interrupted = report.run.interrupted === true
  const counts = countVerdicts(report.results)
  const total = report.results.length
  const verdict = runVerdict(report.results, interrupted)
  const reasons: string[] = []
  if (verdict === 'nonconformant') reasons.push(`${counts.fail} of ${total} requirements failed`)
  if (verdict === 'conformant') {
    const waived = counts.waived === 0 ? '' : ` but for ${counts.waived} waived`
    reasons.push(
      `${judgedCount(counts)} of ${total} requirements were judged and none failed${waived}`,
    )
  }
  if (counts.inconclusive > 0) reasons.push(`${counts.inconclusive} of ${total} got no verdict`)
  const beside = reasonsBesideCounts(report)
  return verdict === 'conformant' && failsBesideVerdict(report)
    ? `${verdict}, but ${[...beside, ...reasons].join('; ')}`
    : `${verdict}: ${[...reasons, ...beside].join('; ')}`
}
