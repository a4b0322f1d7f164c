import { firstTexts, withReasonText } from '../../reports/reason-text.ts'
import { lastDays } from '../../reports/report-text.ts'
import { createNormalizer } from '../../results/normalize.ts'
import {
  type Deviation,
  deviationsOf,
  deviationText,
  type RequirementResult,
  type ReviewedWaiver,
  type RunReport,
  type Waiver,
  type WaiverState,
} from '../../results/run-report.ts'
import { judgedCaseIds, stateOf } from '../../results/snapshot.ts'
import { summarize } from '../../results/verdict.ts'
import { counted } from '../../text/quantities.ts'
import { didYouMean } from '../../text/suggestions.ts'
import { matchesOf, matchWaiver, type WaiverContent, type WaiverMatch } from './match-waiver.ts'

function usedMessage(
  days: number | undefined,
  unmatched: readonly string[],
  conforming: readonly string[],
): string {
  const rest = [
    ...(unmatched.length > 0 ? [` Patterns without a deviation: ${firstTexts(unmatched)}.`] : []),
    ...(conforming.length > 0 ? [` Cases of it that conform now: ${firstTexts(conforming)}.`] : []),
  ].join('')
  if (days === undefined) return `The requirement fails, and is waived.${rest}`
  const time =
    days === 0
      ? 'Today is the last day of this waiver'
      : `This waiver expires in ${counted(days, 'day')}`
  return `${time}: then the failure fails the run.${rest}`
}

/** Returns a sentence with the cases of deviations that a waiver does not name; empty if it covers any case. */
function unnamedCases(
  { deviations }: WaiverContent,
  others: readonly Deviation[],
  caseIds: readonly string[],
): string[] {
  const numbers = new Set(others.flatMap(({ cases = [] }) => cases))
  if (deviations === undefined || numbers.size === 0) return []
  const ids = [...numbers].flatMap((number) => caseIds[number] ?? [])
  return [`Not covered: ${counted(ids.length, 'case')} (${firstTexts(ids)}).`]
}

function exceededMessage(others: readonly Deviation[], further: number, cases: string[]): string {
  const texts = firstTexts([...new Set(others.map(deviationText))], further)
  const sentences = [`This waiver does not cover: ${texts}.`, ...cases]
  return [...sentences, 'Have it fixed, or agree with the owner to waive it too.'].join(' ')
}

/** Returns the failure with the deviations that the waiver does not cover first. */
function exceededResult(
  result: RequirementResult,
  { requirement: _, ...waiver }: Waiver,
  { covered, others }: Pick<WaiverMatch, 'covered' | 'others'>,
  caseIds: readonly string[],
): RequirementResult {
  const [other] = others
  const { expected, actual, reads } = other ?? result
  const notes = [...unnamedCases(waiver, others, caseIds), ...(result.notes ?? [])]
  return {
    ...result,
    expected,
    actual,
    reads,
    deviations: [
      ...others,
      ...covered.map((deviation) => ({ ...deviation, waived: true as const })),
    ],
    ...(notes.length > 0 && { notes }),
    exchanges: [...new Set([other?.exchange ?? [], ...result.exchanges].flat())],
    waiver,
  }
}

/** Returns those of the ids that an entry names. */
function namedCases(deviations: Waiver['deviations'] = [], ids: readonly string[]): string[] {
  const patterns = deviations.flatMap((one) => one.cases)
  return [...new Set(patterns.flatMap((pattern) => matchesOf(pattern, ids)))]
}

/** Returns the cases that a waiver covers and the run did not judge, by whether the run has them. */
function unjudgedCases({ deviations }: Waiver, { cases }: RequirementResult, report: RunReport) {
  const ids = report.cases
  const idsOf = (numbers: readonly number[] = []) => numbers.flatMap((number) => ids[number] ?? [])
  const missing = idsOf(cases?.missing.flatMap((one) => one.cases))
  if (deviations === undefined) return { missing, absent: [] }
  // A response that the requirement does not apply to does not contradict it.
  const known = [...new Set([...judgedCaseIds(report), ...missing])]
  const named = [...new Set(deviations.flatMap((one) => one.cases))]
  return {
    missing: namedCases(deviations, missing),
    absent: named.filter((pattern) => matchesOf(pattern, known).length === 0),
  }
}

function passMessage({ missing, absent }: ReturnType<typeof unjudgedCases>): string {
  const sentences = [
    'The requirement passes, but it is unknown whether it still needs the waiver.',
    missing.length > 0 &&
      `Not judged: ${counted(missing.length, 'case')} of it (${firstTexts(missing)}).`,
    absent.length > 0 &&
      `Not in this run: ${counted(absent.length, 'case')} of it (${firstTexts(absent)}).`,
  ]
  return sentences.filter(Boolean).join(' ')
}

function review(
  waiver: Waiver,
  result: RequirementResult | undefined,
  known: ReadonlySet<string>,
  { others, unmatched }: Pick<WaiverMatch, 'others' | 'unmatched'>,
  report: RunReport,
): readonly [WaiverState, message: string] {
  const { requirement, expires, actual, deviations } = waiver
  const { run, cases } = report
  const today = run.startedAt.slice(0, 10)
  if (!known.has(requirement)) {
    const instead = didYouMean(requirement, known)
    const message = `There is no requirement of this id.${instead} Correct the entry or remove it.`
    return ['unknown', message]
  }
  if (result === undefined) return ['notApplicable', 'Its service was not probed.']
  const reported = stateOf(result)
  if (reported === 'not selected') return ['notApplicable', 'The requirement was not selected.']
  const unjudged = unjudgedCases(waiver, result, report)
  const isJudged = unjudged.missing.length + unjudged.absent.length === 0
  if (reported === 'pass' && isJudged) {
    return ['unused', 'The requirement passes. Remove the entry: it is no longer needed.']
  }
  const deviates = reported === 'fail' || reported === 'advisory'
  if (expires < today) {
    const message = `The last day of this waiver was ${expires}. Have the deviation fixed, or agree on a later day with its owner.`
    return ['expired', message]
  }
  if (reported === 'pass') return ['noVerdict', passMessage(unjudged)]
  const { furtherDeviations: further } = result
  // A waiver with patterns does not cover deviations that were not kept.
  const isUnknown = (actual ?? deviations) !== undefined && further !== undefined
  if (deviates && (others.length > 0 || isUnknown)) {
    const unnamed = unnamedCases(waiver, others, cases)
    return ['exceeded', exceededMessage(others, isUnknown ? further : 0, unnamed)]
  }
  if (deviates) {
    const conforming = (result.cases?.conforming ?? []).flatMap((number) => cases[number] ?? [])
    const fixed = namedCases(deviations, conforming)
    return ['used', usedMessage(lastDays(expires, today), unmatched, fixed)]
  }
  // The deviation may be in a case that was not judged.
  const outcome = reported === 'skipped' ? 'was skipped' : 'is inconclusive'
  const message = `The requirement ${outcome}: it is unknown whether it still needs the waiver.`
  return ['noVerdict', message]
}

/**
 * Applies waivers to the results of a run. An expired, unknown, or unused waiver fails the run, and
 * changes no verdict, nor does one that does not cover all deviations of its requirement. The date of a
 * run is the UTC date of its start.
 *
 * @param waivers with redacted texts
 * @param known ids of the requirements of every service, probed or not
 */
export function withWaivers(
  report: RunReport,
  waivers: readonly Waiver[],
  known: ReadonlySet<string>,
): RunReport {
  const results = new Map(report.results.map((result) => [result.requirement, result]))
  const normalize = createNormalizer(report)
  const reviewed = waivers.map((waiver): ReviewedWaiver => {
    const { requirement, ...details } = waiver
    const result = results.get(requirement)
    const matched = matchWaiver(
      waiver,
      result ? deviationsOf(result, report.exchanges) : [],
      normalize,
      report.cases,
    )
    const [state, message] = review(waiver, result, known, matched, report)
    if (result !== undefined && state === 'used') {
      results.set(requirement, { ...result, verdict: 'waived', waiver: details })
    }
    if (result !== undefined && state === 'exceeded') {
      const exceeded = exceededResult(result, waiver, matched, report.cases)
      results.set(requirement, withReasonText(exceeded, report))
    }
    return { ...waiver, state, message }
  })
  const reviewedResults = [...results.values()]
  const { verdict, counts } = summarize({ results: reviewedResults, run: report.run })
  return {
    ...report,
    verdict,
    ...(counts.waived > 0 && { knownDeviations: counts.waived }),
    results: reviewedResults,
    waivers: reviewed,
  }
}
