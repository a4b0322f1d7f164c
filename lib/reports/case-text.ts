/** Texts about the cases of a requirement. */
import { idParts } from '../results/ids.ts'
import {
  caseIds,
  type Deviation,
  type RequirementResult,
  type RunReport,
} from '../results/run-report.ts'
import { truncate } from '../text/printable.ts'

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
  first: Deviation,
  { requirement, cases }: RequirementResult,
  report: Pick<RunReport, 'cases' | 'caseTexts'>,
): string | undefined {
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

/** Returns the first texts of a list, truncated, and the number of the others. */
export function firstTexts(texts: readonly string[]): string {
  const more = texts.length - MAX_LISTED
  const first = texts.slice(0, MAX_LISTED).map((text) => truncate(text, MAX_LISTED_CHARS))
  return [...first, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}
