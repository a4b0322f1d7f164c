import { didYouMean } from '../../environment/suggestions.ts'
import { counted, lastDays } from '../../reports/format.ts'
import { firstTexts, withReasonText } from '../../reports/reason-text.ts'
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
import { stateOf } from '../../results/snapshot.ts'
import { summarize } from '../../results/verdict.ts'

type Normalize = (text: string) => string

/** Returns the pattern that matches only this deviation, in any run. */
export function toPattern(deviation: Deviation, normalize: Normalize): string {
  return normalize(deviationText(deviation)).replaceAll('*', String.raw`\*`)
}

/** Returns true if the text matches the pattern: `*` matches any text, `\*` an asterisk. */
function isMatch(pattern: string, text: string): boolean {
  const parts = pattern.split(/(?<!\\)\*/).map((part) => part.replaceAll(String.raw`\*`, '*'))
  const [start = '', ...others] = parts
  const end = others.pop()
  if (end === undefined) return text === start
  if (!text.startsWith(start)) return false
  let at = start.length
  for (const part of others) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - end.length >= at && text.endsWith(end)
}

/** Deviations of a requirement by whether a waiver covers them. */
export interface WaiverMatch {
  covered: Deviation[]
  others: Deviation[]
  unmatched: string[]
}

/** Splits deviations by whether a waiver covers them. Without `actual` it covers all. */
export function matchWaiver(
  { actual }: Pick<Waiver, 'actual'>,
  deviations: readonly Deviation[],
  normalize: Normalize,
): WaiverMatch {
  const patterns = (actual === undefined ? ['*'] : [actual].flat()).map((text) => {
    return { text, normal: normalize(text) }
  })
  const matches = deviations.map((deviation) => {
    const text = deviationText(deviation)
    const forms = [text.replace(/\s+/g, ' ').trim(), normalize(text)]
    const hasMatch = ({ normal }: (typeof patterns)[number]) =>
      forms.some((form) => isMatch(normal, form))
    return { deviation, hasMatch, isCovered: patterns.some(hasMatch) }
  })
  const having = (covered: boolean) =>
    matches.filter(({ isCovered }) => isCovered === covered).map(({ deviation }) => deviation)
  return {
    covered: having(true),
    others: having(false),
    unmatched: patterns
      .filter((pattern) => !matches.some(({ hasMatch }) => hasMatch(pattern)))
      .map(({ text }) => text),
  }
}

function usedMessage(days: number | undefined, unmatched: readonly string[]): string {
  const rest =
    unmatched.length === 0 ? '' : ` Patterns without a deviation: ${firstTexts(unmatched)}.`
  if (days === undefined) return `The requirement fails, and is waived.${rest}`
  const time =
    days === 0
      ? 'Today is the last day of this waiver'
      : `This waiver expires in ${counted(days, 'day')}`
  return `${time}: then the failure fails the run.${rest}`
}

const exceededMessage =
  'The requirement has a deviation that this waiver does not cover. Have it fixed, or agree with the owner to add it to actual.'

/** Returns the failure with the deviations that the waiver does not cover first. */
function exceededResult(
  result: RequirementResult,
  { requirement: _, ...waiver }: Waiver,
  { covered, others }: Pick<WaiverMatch, 'covered' | 'others'>,
): RequirementResult {
  const [other] = others
  const { expected, actual, reads } = other ?? result
  return {
    ...result,
    expected,
    actual,
    reads,
    deviations: [
      ...others,
      ...covered.map((deviation) => ({ ...deviation, waived: true as const })),
    ],
    exchanges: [...new Set([other?.exchange ?? [], ...result.exchanges].flat())],
    waiver,
  }
}

function review(
  { requirement, expires, actual }: Waiver,
  result: RequirementResult | undefined,
  today: string,
  known: ReadonlySet<string>,
  { others, unmatched }: Pick<WaiverMatch, 'others' | 'unmatched'>,
): readonly [WaiverState, message: string] {
  if (!known.has(requirement)) {
    const instead = didYouMean(requirement, known)
    const message = `There is no requirement of this id.${instead} Correct the entry or remove it.`
    return ['unknown', message]
  }
  if (result === undefined) return ['notApplicable', 'Its service was not probed.']
  const reported = stateOf(result)
  if (reported === 'not selected') return ['notApplicable', 'The requirement was not selected.']
  if (reported === 'pass') {
    return ['unused', 'The requirement passes. Remove the entry: it is no longer needed.']
  }
  const deviates = reported === 'fail' || reported === 'advisory'
  if (expires < today) {
    const message = `The last day of this waiver was ${expires}. Have the deviation fixed, or agree on a later day with its owner.`
    return ['expired', message]
  }
  // A waiver with patterns does not cover deviations that were not kept.
  const isUnknown = actual !== undefined && result.furtherDeviations !== undefined
  if (deviates && (others.length > 0 || isUnknown)) return ['exceeded', exceededMessage]
  if (deviates) return ['used', usedMessage(lastDays(expires, today), unmatched)]
  // The deviation may be in the part that was not checked.
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
  const today = report.run.startedAt.slice(0, 10)
  const results = new Map(report.results.map((result) => [result.requirement, result]))
  const normalize = createNormalizer(report)
  const reviewed = waivers.map((waiver): ReviewedWaiver => {
    const { requirement, ...details } = waiver
    const result = results.get(requirement)
    const matched = matchWaiver(
      waiver,
      result ? deviationsOf(result, report.exchanges) : [],
      normalize,
    )
    const [state, message] = review(waiver, result, today, known, matched)
    if (result !== undefined && state === 'used') {
      results.set(requirement, { ...result, verdict: 'waived', waiver: details })
    }
    if (result !== undefined && state === 'exceeded') {
      results.set(requirement, withReasonText(exceededResult(result, waiver, matched), report))
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
