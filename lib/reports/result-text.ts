/** Texts about the cases of a requirement, and the reason of its verdict. */
import { idParts } from '../results/ids.ts'
import {
  caseIds,
  type JudgedCases,
  type MissingCases,
  type RequirementResult,
  type RunReport,
} from '../results/run-report.ts'
import { groupBy } from '../text/group-by.ts'
import { joinNames } from '../text/names.ts'
import { truncate } from '../text/printable.ts'
import { counted } from '../text/quantities.ts'
import { type ExchangeNames, reasonText, withoutPaths } from './reasons.ts'

const MAX_LISTED = 2
const MAX_LISTED_CHARS = 90

const factorsOf = (id: string) => id.split(', ')

/** Returns the factors that all deviating cases have, but not all judged cases, in the order of the first case. */
function sharedFactors(deviating: readonly string[], judged: readonly string[]): string[] {
  const [first = [], ...others] = deviating.map(factorsOf)
  const common = others.reduce((shared, one) => shared.filter((part) => one.includes(part)), first)
  const all = judged.map(factorsOf)
  return common.filter((part) => !all.every((one) => one.includes(part)))
}

/** Returns `in 12 of 41 cases, all with Sudo: the main account`. */
function numberText(deviating: readonly string[], judged: readonly string[]): string {
  if (judged.length === 1) return 'in the only judged case'
  if (deviating.length === judged.length) return `in all ${judged.length} cases`
  const number = `in ${deviating.length} of ${judged.length} cases`
  const [first, ...others] = deviating.length < 2 ? [] : sharedFactors(deviating, judged)
  if (first === undefined) return number
  const preposition = /^(?:with|sent|after) /.test(first) ? '' : 'with '
  return `${number}, all ${preposition}${[first, ...others].join(', ')}`
}

/** Returns `user/none: no credentials, GET /user (in 12 of 41 cases; 1 not judged)`: the simplest case that deviates. */
export function caseText(
  { requirement, deviations: [first] = [], cases }: RequirementResult,
  report: Pick<RunReport, 'cases' | 'caseTexts'>,
): string | undefined {
  if (first === undefined) return undefined
  const nameOf = (id: string) => report.caseTexts?.[id] ?? id
  const deviating = caseIds(report, cases?.deviating).map(nameOf)
  const judged = [...deviating, ...caseIds(report, cases?.conforming).map(nameOf)]
  const lost = (cases?.missing ?? []).flatMap((one) => one.cases).length
  const number = judged.length + lost < 2 ? [] : numberText(deviating, judged)
  const numbers = [number, lost === 0 ? [] : `${lost} not judged`].flat().join('; ')
  const [simplest] = caseIds(report, first.cases)
  const { section, name } = idParts(requirement)
  if (simplest === undefined || simplest === `${section}/${name}`) return numbers || undefined
  const text = nameOf(simplest) === simplest ? simplest : `${simplest}: ${nameOf(simplest)}`
  return numbers === '' ? text : `${text} (${numbers})`
}

/** Returns `4 with one-time codes`, or `4` for other reasons than needs. */
function missingText({ cases, noVerdict }: MissingCases): string {
  const kinds = noVerdict.kind === 'needs' ? noVerdict.needs.map(({ cases }) => cases ?? []) : []
  const words = joinNames([...new Set(kinds.flat())])
  return `${cases.length}${words && ` ${words}`}`
}

/** Returns `41 of 45 cases; not judged: 4 with one-time codes (TOKEN is not set)`; undefined if all cases were judged. */
export function casesText({ conforming, deviating, missing }: JudgedCases, named: ExchangeNames) {
  if (missing.length === 0) return undefined
  const judged = conforming.length + deviating.length
  const lost = missing.reduce((sum, { cases }) => sum + cases.length, 0)
  const same = groupBy(missing, ({ noVerdict }) => withoutPaths(reasonText(noVerdict, named)))
  const texts = [...same]
    .map(([text, group]) => {
      const cases = group.flatMap((one) => one.cases)
      return { count: cases.length, text: `${missingText({ ...group[0], cases })} (${text})` }
    })
    .sort((one, other) => other.count - one.count)
  const listed = texts.map(({ text }) => text).join(', ')
  return `${judged} of ${counted(judged + lost, 'case')}; not judged: ${listed}`
}

/** Returns the first texts of a list, truncated, and the number of the others. */
export function firstTexts(texts: readonly string[]): string {
  const more = texts.length - MAX_LISTED
  const first = texts.slice(0, MAX_LISTED).map((text) => truncate(text, MAX_LISTED_CHARS))
  return [...first, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}

/** Formats the reason of a result; empty for a pass of all cases. */
function resultText(result: RequirementResult, named: ExchangeNames) {
  const { verdict, noVerdict, cases, notes = [], expected, actual } = result
  if (noVerdict !== undefined) return reasonText(noVerdict, named)
  if (verdict === 'pass') {
    const lost = cases && casesText(cases, named)
    return [lost === undefined ? [] : `${lost}.`, notes].flat().join(' ')
  }
  const difference = `${named(result.exchanges[0]).request}: expected ${expected}, got ${actual}`
  return notes.length === 0 ? difference : [`${difference}.`, ...notes].join(' ')
}

/** Returns a result with the texts of its reason and of the reasons of its missing cases. */
export function withReasonText(result: RequirementResult, named: ExchangeNames): RequirementResult {
  const reason = resultText(result, named)
  const missing = result.cases?.missing.map((one) => {
    return { ...one, reason: reasonText(one.noVerdict, named) }
  })
  return {
    ...result,
    ...(reason && { reason }),
    ...(result.cases && missing && { cases: { ...result.cases, missing } }),
  }
}
