import type {
  RequirementResult,
  ReviewedWaiver,
  RunReport,
  Waiver,
  WaiverState,
} from '../conformance/result.ts'
import { didYouMean } from '../environment/nearest.ts'
import { runVerdict } from '../reports/exit-status.ts'
import { counted, lastDays } from '../reports/run-words.ts'
import { isFullPass } from '../reports/verdict-counts.ts'

function usedMessage(days: number | undefined): string {
  if (days === undefined) return 'The requirement fails, and is waived.'
  if (days === 0) return 'Today is the last day of this waiver: then the failure fails the run.'
  return `This waiver expires in ${counted(days, 'day', 'days')}: then the failure fails the run.`
}

function review(
  { requirement, expires }: Waiver,
  result: RequirementResult | undefined,
  today: string,
  known: ReadonlySet<string>,
): readonly [WaiverState, message: string] {
  if (!known.has(requirement)) {
    const instead = didYouMean(requirement, known)
    const message = `There is no requirement of this id.${instead} Correct the entry or remove it.`
    return ['unknown', message]
  }
  if (result === undefined) return ['aside', 'Its service was not probed.']
  const { verdict, unjudged } = result
  if (unjudged?.kind === 'not selected') return ['aside', 'The requirement was not selected.']
  if (isFullPass(result)) {
    return ['unneeded', 'The requirement passes. Remove the entry: it is no longer needed.']
  }
  const deviates = verdict === 'fail' || verdict === 'advisory'
  if (expires < today) {
    const message = `The last day of this waiver was ${expires}. Have the deviation mended, or agree on a later day with its owner.`
    return ['expired', message]
  }
  if (deviates) return ['used', usedMessage(lastDays(expires, today))]
  // What deviates may be in the part that was left out.
  const without = verdict === 'skipped' ? 'was skipped' : 'got no verdict'
  const what = verdict === 'pass' ? 'passes in part' : without
  const message = `The requirement ${what}: whether the waiver is still needed is not known.`
  return ['unjudged', message]
}

/**
 * What is expired, unknown or no longer needed fails the run, and leaves the verdict of its row as it
 * is. The day of a run is the one on which it began, in UTC.
 *
 * @param waivers with texts that are fit to be reported
 * @param known ids of the requirements of every service, probed or not
 */
export function withWaivers(
  report: RunReport,
  waivers: readonly Waiver[],
  known: ReadonlySet<string>,
): RunReport {
  const today = report.run.startedAt.slice(0, 10)
  const rows = new Map(report.results.map((result) => [result.requirement, result]))
  const reviewed = waivers.map((waiver): ReviewedWaiver => {
    const [state, message] = review(waiver, rows.get(waiver.requirement), today, known)
    return { ...waiver, state, message }
  })
  for (const { state, message: _, requirement, ...waiver } of reviewed) {
    const result = rows.get(requirement)
    if (state !== 'used' || result === undefined) continue
    rows.set(requirement, { ...result, verdict: 'waived', waiver })
  }
  const results = [...rows.values()]
  const verdict = runVerdict(results, report.run.interrupted === true)
  return { ...report, verdict, results, waivers: reviewed }
}
