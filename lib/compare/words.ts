import { counted, durationText } from '../reports/run-words.ts'
import { verdictCountsText, verdictWords } from '../reports/verdict-counts.ts'
import { type ComparedRun, type Comparison, comparisonStatus } from './compare.ts'
import type { ChangedObservation } from './observations.ts'
import type { ChangedTiming } from './timings.ts'
import { differenceText } from './values.ts'
import type { ChangedResult, Standing, VerdictComparison } from './verdicts.ts'

const otherStandings = {
  absent: 'not a requirement of Plumbline then',
  'not probed': 'the service was not probed',
  'not selected': 'not selected',
} as const

/** What the earlier report has of a requirement: `passed`, `not selected`. */
export function standingText(standing: Standing): string {
  return standing in otherStandings
    ? otherStandings[standing as keyof typeof otherStandings]
    : verdictWords[standing as keyof typeof verdictWords]
}

/** The result with why it was not looked at after, in place of the reason of its verdict. */
export function withReasonNotLookedAt(result: ChangedResult): ChangedResult {
  const reason =
    result.after === 'absent'
      ? 'not in the report, although the version of Plumbline is the same'
      : standingText(result.after)
  return { ...result, reason }
}

/** What deviated before and after, and with something else: failing, waived or advisory. */
export function deviatingOtherwise({
  stillFailing,
  deviatingOtherwise: others,
}: VerdictComparison): ChangedResult[] {
  return [...stillFailing.filter(({ actualBefore }) => actualBefore !== undefined), ...others]
}

/** What fails as it did before. */
export function failingAlike({ stillFailing }: VerdictComparison): ChangedResult[] {
  return stillFailing.filter(({ actualBefore }) => actualBefore === undefined)
}

/** A run in words, from text of its report as it is. */
export function comparedRunText({ run, toolVersion, counts }: ComparedRun): string {
  const end = run.interrupted === true ? ', interrupted' : ''
  return `run ${run.id} of ${run.startedAt} (Plumbline ${toolVersion})${end}: ${verdictCountsText(counts)}`
}

/** `median 12 ms → 340 ms (27 and 27 requests)` */
export function timingText({ before, after }: ChangedTiming): string {
  return (
    `median ${durationText(before.medianMs)} → ${durationText(after.medianMs)} ` +
    `(${before.samples} and ${after.samples} requests)`
  )
}

/** Observations that changed in the same way, and what way that is, in sentences without full stops. */
export interface ObservationGroup {
  ids: string[]
  differences: string[]
}

/** Puts together what changed in the same way, the largest group first. */
export function groupedObservations(changed: readonly ChangedObservation[]): ObservationGroup[] {
  const groups = new Map<string, ObservationGroup>()
  for (const { id, differences } of changed) {
    const texts = differences.map(differenceText)
    const key = JSON.stringify(texts)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { ids: [id], differences: texts })
    else group.ids.push(id)
  }
  return [...groups.values()].sort((one, other) => other.ids.length - one.ids.length)
}

const plain = (text: string) => (count: number) => `${count} ${text}`
const newlyFailing = plain('newly failing')
const newlyUnjudged = plain('newly without a verdict')

function told(counts: readonly [number, (count: number) => string][]): string[] {
  return counts.filter(([count]) => count > 0).map(([count, text]) => text(count))
}

/**
 * What matters of a comparison in one line: `worse: 2 newly failing; 1 mended (exit status 1)`. It
 * holds no text of the reports.
 */
export function outcomeText(comparison: Comparison): string {
  const { requirements, observations, timings, conditions, outcome } = comparison
  const left = counted(
    requirements.notLookedAt.length,
    'requirement was judged before and not looked at after',
    'requirements were judged before and not looked at after',
  )
  const bad = told([
    [requirements.newlyFailing.length, newlyFailing],
    [requirements.newlyUnjudged.length, newlyUnjudged],
  ])
  const heads = {
    worse: `worse: ${bad.join(', ')}`,
    'no worse': 'no worse: nothing is newly failing or newly without a verdict',
    incomplete: `incomplete: ${left}`,
    incomparable:
      requirements.judgedInBoth === 0
        ? 'nothing was compared: no requirement was judged in both reports'
        : 'not comparable: one of the runs probed the embedded deployment, and the other did not',
  }
  const rest = told([
    [outcome === 'incomplete' ? 0 : requirements.notLookedAt.length, () => left],
    [deviatingOtherwise(requirements).length, plain('deviating otherwise than before')],
    [requirements.noLongerWaived.length, plain('no longer waived')],
    [requirements.newlyDeviating.length, plain('newly deviating but waived or advisory')],
    [failingAlike(requirements).length, plain('still failing')],
    [requirements.mended.length, plain('mended')],
    [requirements.newlyTolerated.length, plain('now waived or advisory')],
    [requirements.judgedLess.length, plain('judged less than before')],
    [requirements.newlyJudged.length, plain('newly judged')],
    [requirements.notComparable.length, plain('judged in the report after only')],
    [
      observations.changed.length,
      (count) => `${counted(count, 'observation', 'observations')} changed`,
    ],
    [timings.slower.length, (count) => `${counted(count, 'endpoint', 'endpoints')} slower`],
    [conditions.length, () => 'the runs differ in more than the server'],
  ])
  const parts = [heads[outcome], ...(rest.length === 0 ? [] : [rest.join(', ')])]
  return `${parts.join('; ')} (exit status ${comparisonStatus(comparison)})`
}
