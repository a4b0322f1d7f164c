import { isDeepStrictEqual } from 'node:util'
import { exchangeNames, withReasonText } from '../../reports/reasons.ts'
import { firstTexts } from '../../reports/report-text.ts'
import { stateOf } from '../../results/changes.ts'
import { escapePattern } from '../../results/normalize.ts'
import { isDeviation, outcomeOf } from '../../results/outcome.ts'
import {
  caseIds,
  type RequirementResult,
  type ReviewedWaiver,
  type RunReport,
  type Waiver,
  type WaiverState,
} from '../../results/run-report.ts'
import { groupBy } from '../../text/group-by.ts'
import { counted } from '../../text/quantities.ts'
import { didYouMean } from '../../text/suggestions.ts'

/** Returns the ids of cases that a glob matches: `*` is any text. */
export function matchesOf(glob: string, ids: readonly string[]): string[] {
  const pattern = new RegExp(`^${glob.split('*').map(escapePattern).join('.*')}$`, 's')
  return ids.filter((id) => pattern.test(id))
}

const isExpired = ({ expires }: Waiver, today: string) => expires !== undefined && expires < today

/** Returns the ids of the cases that a waiver covers. */
const coveredCases = ({ cases: globs = ['*'] }: Waiver, ids: readonly string[]) => [
  ...new Set(globs.flatMap((glob) => matchesOf(glob, ids))),
]

/** Returns the deviating cases that none of the waivers covers; undefined if they cover the failure. */
function uncoveredCases(waivers: readonly Waiver[], deviating: readonly string[]) {
  if (waivers.some(({ cases }) => cases === undefined)) return undefined
  const covered = new Set(waivers.flatMap((one) => coveredCases(one, deviating)))
  const uncovered = deviating.filter((id) => !covered.has(id))
  return covered.size > 0 && uncovered.length === 0 ? undefined : uncovered
}

/** Returns the failure with the deviations that no waiver covers first. */
function exceededResult(
  result: RequirementResult,
  uncovered: readonly string[],
  { requirement: _, ...waiver }: Waiver,
  report: RunReport,
): RequirementResult {
  const { exchanges, notes = [] } = result
  const isUncovered = ({ cases }: { cases?: number[] }) =>
    caseIds(report, cases).some((id) => uncovered.includes(id))
  const deviations = (result.deviations ?? []).toSorted(
    (one, other) => Number(isUncovered(other)) - Number(isUncovered(one)),
  )
  const [first] = deviations
  const { expected, actual, reads } = first ?? result
  const number = counted(uncovered.length, 'case')
  const note = `Its waiver does not cover ${number}: ${firstTexts(uncovered)}.`
  const changed = {
    ...result,
    ...{ expected, actual, reads, waiver, deviations, notes: [note, ...notes] },
    exchanges: [...new Set([first?.exchange ?? [], exchanges].flat())],
  }
  return withReasonText(changed, exchangeNames(report.exchanges))
}

/** Returns the state of an entry. @param result after waivers were applied */
function review(
  waiver: Waiver,
  result: RequirementResult | undefined,
  known: ReadonlySet<string>,
  report: RunReport,
): readonly [WaiverState, message: string] {
  const { requirement, expires = '', cases } = waiver
  const today = report.run.startedAt.slice(0, 10)
  if (!known.has(requirement)) {
    const instead = didYouMean(requirement, known)
    return [
      'unknown',
      `There is no requirement of this id.${instead} Correct the entry or remove it (waive --prune).`,
    ]
  }
  if (result === undefined) return ['notApplicable', 'Its service was not probed.']
  if (stateOf(result) === 'not selected')
    return ['notApplicable', 'The requirement was not selected.']
  const { conforming = [], deviating = [], missing = [] } = result.cases ?? {}
  const own = (numbers: number[]) => coveredCases(waiver, caseIds(report, numbers)).length
  const isMissing = own(missing.flatMap((one) => one.cases)) > 0
  const isDeviating = isDeviation(result.verdict) && (cases === undefined || own(deviating) > 0)
  const isPassing = result.verdict === 'pass' || (isDeviation(result.verdict) && !isDeviating)
  if (isPassing && !isMissing && (cases === undefined || own(conforming) > 0)) {
    const what = cases === undefined ? 'The requirement passes' : 'All of its cases pass'
    return ['unused', `${what}. Remove the entry (waive --prune): it is no longer needed.`]
  }
  if (isExpired(waiver, today)) {
    return [
      'expired',
      `The last day of this waiver was ${expires}. Have the deviation fixed, or set a later day.`,
    ]
  }
  if (!isDeviating) {
    return ['noVerdict', 'Not all of its cases were judged: it may still be needed.']
  }
  if (result.verdict !== 'waived') {
    return ['exceeded', 'The requirement deviates in other cases too. Have them fixed or waived.']
  }
  return ['used', 'The requirement fails, and is waived.']
}

/**
 * Applies waivers to the results of a run. An expired, unknown, or unused waiver fails the run, and changes no
 * verdict. A failure is waived if the other waivers of its requirement cover all of its cases. The date of a run is
 * the UTC date of its start.
 *
 * @param known ids of the requirements of every service, probed or not
 */
export function withWaivers(
  report: RunReport,
  entries: readonly Waiver[],
  known: ReadonlySet<string>,
  redact = (text: string) => text,
): RunReport {
  const redactText = (_: string, part: unknown) => (typeof part === 'string' ? redact(part) : part)
  // The texts of an operator may contain a secret.
  const waivers = entries.map(({ requirement, expires, ...texts }): Waiver => {
    const others = JSON.parse(JSON.stringify(texts), redactText)
    return { requirement, ...(expires !== undefined && { expires }), ...others }
  })
  const today = report.run.startedAt.slice(0, 10)
  const valid = waivers.filter((one) => !isExpired(one, today))
  const entriesOf = groupBy(valid, ({ requirement }) => requirement)
  const results = report.results.map((result): RequirementResult => {
    const own = entriesOf.get(result.requirement)
    if (own === undefined || !isDeviation(result.verdict)) return result
    const uncovered = uncoveredCases(own, caseIds(report, result.cases?.deviating))
    const [first] = own
    if (uncovered !== undefined) return exceededResult(result, uncovered, first, report)
    const { requirement: _, ...waiver } = first
    return { ...result, verdict: 'waived', waiver }
  })
  const byId = new Map(results.map((result) => [result.requirement, result]))
  const reviewed = waivers.map((waiver): ReviewedWaiver => {
    const [state, message] = review(waiver, byId.get(waiver.requirement), known, report)
    return { ...waiver, state, message }
  })
  const { verdict, counts } = outcomeOf({ results, run: report.run })
  const deviations = counts.waived > 0 && { knownDeviations: counts.waived }
  return { ...report, verdict, ...deviations, results, waivers: reviewed }
}

/** Returns the entry for a failure, with its cases if others conform. */
export function waiverFor(
  { requirement, cases }: RequirementResult,
  texts: Omit<Waiver, 'requirement' | 'cases'>,
  report: RunReport,
): Waiver {
  const isPartial = cases !== undefined && cases.conforming.length > 0
  return { requirement, ...(isPartial && { cases: caseIds(report, cases.deviating) }), ...texts }
}

/** Returns the entries that a run did not need. A run says nothing about an entry that was changed after it. */
export const unneededWaivers = (reviewed: readonly ReviewedWaiver[], entries: readonly Waiver[]) =>
  reviewed.filter(({ state, requirement, cases }) => {
    const isSame = (one: Waiver) =>
      isDeepStrictEqual([one.requirement, one.cases], [requirement, cases])
    return (state === 'unused' || state === 'unknown') && entries.some(isSame)
  })
