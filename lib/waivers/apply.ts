import type {
  RequirementResult,
  ReviewedWaiver,
  RunReport,
  Verdict,
  Waiver,
  WaiverState,
} from '../conformance/result.ts'
import { runVerdict } from '../reports/exit-status.ts'
import { usedWaiverMessage } from '../reports/list-words.ts'

/** What the review of waivers needs to know beside the run. */
export interface KnownRequirements {
  /** Ids of the requirements of every service, probed or not. */
  ids: ReadonlySet<string>
  /** The id that an unknown one most likely was to be. */
  nearest: (id: string) => string | undefined
}

const soonDays = 14
const dayMs = 86_400_000

/** Whole days from one day to another, both `YYYY-MM-DD`. */
function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs)
}

/** What is to be said of a used waiver: whether somebody has to see to it before long. */
function usedMessage(expires: string, today: string): string {
  const days = daysBetween(today, expires)
  if (days > soonDays) return usedWaiverMessage
  if (days === 0) return 'Today is the last day of this waiver: then the failure fails the run.'
  const left = days === 1 ? '1 day' : `${days} days`
  return `This waiver expires in ${left}: then the failure fails the run.`
}

type Reviewed = Pick<ReviewedWaiver, 'state' | 'message'>

/** What deviates may be in the part that was left out. */
const unjudgedWords: Partial<Record<Verdict, string>> = {
  pass: 'passes with a part left out',
  skipped: 'was skipped',
}

function deviates({ verdict }: RequirementResult): boolean {
  return verdict === 'fail' || verdict === 'advisory'
}

function review(
  { requirement, expires }: Waiver,
  result: RequirementResult | undefined,
  today: string,
  { ids, nearest }: KnownRequirements,
): Reviewed {
  const told = (state: WaiverState, message: string): Reviewed => ({ state, message })
  if (!ids.has(requirement)) {
    const near = nearest(requirement)
    const instead = near === undefined ? '' : ` Did you mean ${near}?`
    return told(
      'unknown',
      `There is no requirement of this id.${instead} Correct the entry or remove it.`,
    )
  }
  if (result === undefined) return told('aside', 'Its service was not probed.')
  if (result.unjudged?.kind === 'not selected') {
    return told('aside', 'The requirement was not selected.')
  }
  if (result.verdict === 'pass' && result.reason === undefined) {
    return told('unneeded', 'The requirement passes. Remove the entry: it is no longer needed.')
  }
  if (expires < today) {
    const fails = deviates(result) ? 'the requirement still fails' : 'it got no verdict this time'
    return told(
      'expired',
      `The last day of this waiver was ${expires}, and ${fails}. Have the deviation mended, or agree on a later day with its owner.`,
    )
  }
  if (deviates(result)) {
    return told('used', usedMessage(expires, today))
  }
  return told(
    'unjudged',
    `The requirement ${unjudgedWords[result.verdict] ?? 'got no verdict'}: whether the waiver is still needed is not known.`,
  )
}

function waived(
  result: RequirementResult,
  { requirement: _, ...waiver }: Waiver,
): RequirementResult {
  return { ...result, verdict: 'waived', waiver }
}

/**
 * A run with the waivers that it was given: a requirement that fails and has one is waived. What is
 * expired, unknown or no longer needed fails the run, and leaves the verdict of its row as it is.
 * Entries of rows that nobody asked for are left alone. The day of a run is the one on which it
 * began, in UTC.
 *
 * @param waivers with texts that are fit to be reported
 */
export function withWaivers(
  report: RunReport,
  waivers: readonly Waiver[],
  known: KnownRequirements,
): RunReport {
  const today = report.run.startedAt.slice(0, 10)
  const rows = new Map(report.results.map((result) => [result.requirement, result]))
  const reviewed = waivers.map(
    (waiver): ReviewedWaiver => ({
      ...waiver,
      ...review(waiver, rows.get(waiver.requirement), today, known),
    }),
  )
  const used = new Map(
    waivers
      .filter((_, index) => reviewed[index]?.state === 'used')
      .map((waiver) => [waiver.requirement, waiver]),
  )
  const results = report.results.map((result) => {
    const waiver = used.get(result.requirement)
    return waiver === undefined ? result : waived(result, waiver)
  })
  const verdict = runVerdict(results, report.run.interrupted === true)
  return { ...report, verdict, results, waivers: reviewed }
}
