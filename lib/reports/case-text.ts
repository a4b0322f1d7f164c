/** Texts about the cases in which a requirement deviates. */
import { idParts } from '../results/ids.ts'
import type { RequirementResult, RunReport } from '../results/run-report.ts'
import { printableSentence } from '../text/printable.ts'
import { counted, utcTime } from '../text/quantities.ts'

const factorsOf = (id: string) => id.split(', ')

/** Returns the factors that all deviating cases have, but not all judged cases, in the order of the first case. */
export function sharedFactors(deviating: readonly string[], judged: readonly string[]): string[] {
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

/** Texts by label; absent if there is nothing to say. */
export interface CaseFacts {
  /** The simplest case that deviates, which the first exchange shows. */
  case?: string
  /** Place in the document that requires what is expected. */
  because?: string
  /** Number of cases that deviate, and the factors that they share. */
  deviates?: string
  /** First run of the history since which the requirement fails; absent without a history. */
  since?: string
}

const textWithId = (id: string, texts: RunReport['caseTexts']) =>
  texts?.[id] === undefined ? id : `${id}: ${texts[id]}`

/** Returns the facts about the cases of a deviating result, in the order in which reports show them. */
export function caseFacts(
  { requirement, deviations: [first] = [], cases, failingSince }: RequirementResult,
  report: Pick<RunReport, 'cases' | 'caseTexts' | 'run'>,
): CaseFacts {
  const isNew = failingSince?.run === report.run.id
  const since = failingSince && {
    since: isNew ? 'this run' : `${utcTime(failingSince.startedAt)} (run ${failingSince.run})`,
  }
  if (first === undefined) return { ...since }
  const idsOf = (numbers: readonly number[]) => numbers.flatMap((one) => report.cases[one] ?? [])
  const textOf = (id: string) => report.caseTexts?.[id] ?? id
  const [simplest] = idsOf(first.cases ?? [])
  const { section, name } = idParts(requirement)
  const isOwn = simplest === `${section}/${name}`
  const { deviating = [], conforming = [], missing = [] } = cases ?? {}
  const judged = idsOf([...deviating, ...conforming]).map(textOf)
  const lost = missing.reduce((sum, one) => sum + one.cases.length, 0)
  const number = judged.length + lost < 2 ? [] : numberText(idsOf(deviating).map(textOf), judged)
  const deviates = [number, lost === 0 ? [] : `${lost} not judged`].flat().join('; ')
  return {
    ...(simplest !== undefined && !isOwn && { case: textWithId(simplest, report.caseTexts) }),
    ...(first.because !== undefined && { because: first.because }),
    ...(deviates && { deviates }),
    ...since,
  }
}

/** Returns the facts as `case no credentials, GET /user`, one text for each. */
export const caseTexts = (...of: Parameters<typeof caseFacts>): string[] =>
  Object.entries(caseFacts(...of)).map(([label, text]) => `${label} ${text}`)

/** Returns `e12, 3 cases`, the evidence of a further deviation. */
export function evidenceText(exchange: string | undefined, cases: number | undefined): string {
  const texts = [exchange ?? [], cases === undefined ? [] : counted(cases, 'case')]
  return printableSentence(texts.flat().join(', '))
}
