/** The facts of a result, built once; every format is a view of them. */
import { idParts } from '../results/ids.ts'
import type { Deviation, RequirementResult, RunReport, Waiver } from '../results/run-report.ts'
import { isDeviation } from '../results/verdict.ts'
import { groupBy } from '../text/group-by.ts'
import { printableLine, truncate } from '../text/printable.ts'
import { counted, utcTime } from '../text/quantities.ts'
import type { Detail, Evidence, Span, Text } from './document.ts'
import { type ExchangeLookup, inspectedParts } from './exchange-text.ts'
import { placeInDocument, waiverText } from './report-text.ts'
import { commandsFor, runCommand } from './rerun-commands.ts'

const MAX_FURTHER_DEVIATIONS = 5
const MAX_DEVIATION_CHARS = 400

export interface Facts {
  result: RequirementResult
  place: ReturnType<typeof placeInDocument>
  /** Texts with labels, in the order in which reports show them. */
  details: readonly Detail[]
  evidence: Evidence | undefined
  /** Command that judges the requirement again. */
  rerun: string
}

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

/** Returns `user/none: no credentials, GET /user (in 12 of 41 cases; 1 not judged)`: the simplest case that deviates. */
function caseText(
  { requirement, deviations: [first] = [], cases }: RequirementResult,
  report: Pick<RunReport, 'cases' | 'caseTexts'>,
): string | undefined {
  if (first === undefined) return undefined
  const idsOf = (numbers: readonly number[]) => numbers.flatMap((one) => report.cases[one] ?? [])
  const nameOf = (id: string) => report.caseTexts?.[id] ?? id
  const { deviating = [], conforming = [], missing = [] } = cases ?? {}
  const judged = idsOf([...deviating, ...conforming]).map(nameOf)
  const lost = missing.reduce((sum, one) => sum + one.cases.length, 0)
  const number = judged.length + lost < 2 ? [] : numberText(idsOf(deviating).map(nameOf), judged)
  const numbers = [number, lost === 0 ? [] : `${lost} not judged`].flat().join('; ')
  const [simplest] = idsOf(first.cases ?? [])
  const { section, name } = idParts(requirement)
  if (simplest === undefined || simplest === `${section}/${name}`) return numbers || undefined
  const text = nameOf(simplest) === simplest ? simplest : `${simplest}: ${nameOf(simplest)}`
  return numbers === '' ? text : `${text} (${numbers})`
}

/** Returns `GET /user 403: no X-Page (e12, 3 cases)`; has the expected value if it differs from the first one. */
function furtherText(deviation: Deviation, first: string | undefined): Text {
  const { subject, expected, actual, exchange, cases } = deviation
  const difference = expected === first ? actual : `expected ${expected}, got ${actual}`
  const text = subject === undefined ? difference : `${subject}: ${difference}`
  const number = cases === undefined ? [] : counted(cases.length, 'case')
  const parts: Span[] = [exchange === undefined ? [] : { exchange }, number].flat()
  const evidence = parts.flatMap((part, index) => [index === 0 ? ' (' : ', ', part])
  const code = { code: truncate(text, MAX_DEVIATION_CHARS) }
  return [code, ...evidence, ...(evidence.length > 0 ? [')'] : [])]
}

function furtherTexts({ expected, deviations = [], furtherDeviations = 0 }: RequirementResult) {
  const shown = deviations.slice(1, MAX_FURTHER_DEVIATIONS + 1)
  const more = Math.max(0, deviations.length - 1 - shown.length) + furtherDeviations
  const texts: Text[] = shown.map((one) => furtherText(one, expected))
  return more === 0 ? texts : [...texts, `and ${more} more, in report.json`]
}

export function waiverSpans({ link, ...waiver }: Omit<Waiver, 'requirement'>): Text {
  return link === undefined
    ? waiverText(waiver)
    : [`${waiverText(waiver)} (`, { address: link }, ')']
}

/** Returns what gets a verdict for a skipped requirement, with the variables that its reason does not name. */
export function adviceText({ noVerdict }: Pick<RequirementResult, 'noVerdict'>) {
  if (noVerdict?.kind !== 'needs') return undefined
  const fallback = 'Needs a server with other settings or data.'
  const texts = [...new Set(noVerdict.needs.map((need) => need.advice ?? fallback))].join(' ')
  const names = [
    ...new Set(noVerdict.needs.flatMap((need) => (need.reason ? need.variables : []))),
  ].join(', ')
  return names === '' ? texts : `${texts} (${names})`
}

function sinceText({ failingSince }: RequirementResult, { run }: RunReport): string | undefined {
  if (failingSince === undefined) return undefined
  const { run: id, startedAt } = failingSince
  return id === run.id ? 'this run' : `${utcTime(startedAt)} (run ${id})`
}

/** Returns the pointer to a contradiction in a body; undefined for other parts. */
function pointerText({ reads }: RequirementResult): string | undefined {
  const isBody = reads !== undefined && 'pointer' in reads && reads.pointer !== ''
  return isBody ? printableLine(reads.pointer) : undefined
}

/** Returns what reports say about a result, in this order; a label may be there several times. */
function detailsOf(result: RequirementResult, report: RunReport): Detail[] {
  const { verdict, waiver, expected, actual, deviations: [first] = [], notes = [] } = result
  const reason = isDeviation(verdict) ? notes.join(' ') || undefined : result.reason
  const codes = {
    ...{ case: caseText(result, report), expected, actual },
    ...{ at: pointerText(result), because: first?.because, since: sinceText(result, report) },
  }
  const texts: (readonly [label: string, text: Text | undefined])[] = [
    ['waiver', waiver && waiverSpans(waiver)],
    ...Object.entries(codes).map(([label, code]) => [label, code && { code }] as const),
    ...furtherTexts(result).map((text) => ['also', text] as const),
    ['reason', reason && { code: reason }],
    ['advice', adviceText(result)],
  ]
  return texts.flatMap(([label, text]) => (text === undefined ? [] : { label, text }))
}

/** Returns what is reported about each result, by the id of the requirement. */
export function factsOf(report: RunReport, lookup: ExchangeLookup): ReadonlyMap<string, Facts> {
  const failed = report.results.filter(({ verdict }) => verdict === 'fail')
  const sharing = groupBy(failed, (result) => lookup.of(result)?.id ?? '')
  function evidenceOf(result: RequirementResult): Evidence | undefined {
    const isShown = result.verdict === 'fail' || result.verdict === 'inconclusive'
    const exchange = isShown ? lookup.of(result) : undefined
    if (exchange === undefined) return undefined
    const read = inspectedParts(sharing.get(exchange.id) ?? [result])
    return { exchange, read, commands: commandsFor(exchange, report) }
  }
  const facts = report.results.map((result): Facts => {
    const place = placeInDocument(result, report)
    const details = detailsOf(result, report)
    const rerun = runCommand([result.requirement], report)
    return { result, place, details, evidence: evidenceOf(result), rerun }
  })
  return new Map(facts.map((one) => [one.result.requirement, one]))
}
