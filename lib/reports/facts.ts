/** The model of all formats, built once: sections of entries, and the facts that they show. Each renderer lays them out and escapes them. */
import type { ExchangeRecord } from '../probe/exchange.ts'
import { failingWaivers, isDeviation, outcomeOf, type RunOutcome } from '../results/outcome.ts'
import {
  type Deviation,
  deviationText,
  type InspectedPart,
  impacts,
  type LeakedResource,
  type RequirementResult,
  type ReviewedWaiver,
  type RunReport,
  type Verdict,
  type Waiver,
} from '../results/run-report.ts'
import { groupBy } from '../text/group-by.ts'
import { printableLine, printableSentence, truncate } from '../text/printable.ts'
import { counted, utcTime } from '../text/quantities.ts'
import { type ExchangesById, exchangesById, explainingExchange } from './exchange-text.ts'
import { absenceText, groupByReason, lostCases, type ReasonGroup } from './reasons.ts'
import { abbreviatedIds, caseText, hasEnded, placeInDocument, runNotes } from './report-text.ts'
import { commandsFor, openLedgerTexts, runCommand } from './rerun-commands.ts'
import { runVerdictText } from './verdict-labels.ts'

/** Part of a text. A string is prose on one line; `code` may quote a server and may have several lines. */
export type Span =
  | string
  | { code: string }
  /** Ids of requirements or exchanges. */
  | { ids: readonly string[] }
  /** A link if `url` is a web address, which is not repeated if it is the text. */
  | { link: string; url: string | undefined }

export type Text = Span | readonly Span[]

export interface Detail {
  label?: string
  text: Text
}

export interface Evidence {
  exchange: ExchangeRecord
  /** Parts that the results inspected which this exchange shows. */
  reads: readonly InspectedPart[]
  /** Commands that send its request again, after commands that create what it uses; empty for a reference server. */
  commands: readonly { label: string; command: string }[]
}

/** Requirement, reason, observation or resource with what is reported about it. */
export interface Entry {
  /** Fragment on the page. */
  id?: string
  number?: number | string
  title?: string
  name: Text
  details?: readonly Detail[]
  evidence?: Evidence | undefined
}

export interface Section {
  /** Fragment on the page. */
  id?: string
  title: string
  /** Default: the number of entries. A section without entries is omitted. */
  count?: number
  color?: 'red' | 'yellow' | 'green' | undefined
  /** True if it does not explain the exit status. */
  folded?: boolean
  entries: readonly Entry[]
  /** Sentences that explain the entries. */
  notes?: readonly Text[]
}

export function joinedTexts(texts: readonly Text[], separator: string): Span[] {
  return texts.flatMap((text, index) => (index === 0 ? text : [separator, text].flat()))
}

export function spanText(span: Span): string {
  if (typeof span === 'string') return span
  if ('code' in span) return span.code
  if ('ids' in span) return abbreviatedIds(span.ids)
  const { link, url } = span
  return url === undefined || url === link ? link : `${link}, ${url}`
}

/** Returns `Platform team, until 2027-01-31: reason (link)`, as far as they are present. */
export function waiverSpans({ owner, expires, reason, link }: Omit<Waiver, 'requirement'>): Span[] {
  const head = [owner ?? [], expires === undefined ? [] : `until ${expires}`].flat().join(', ')
  const text = `${head}${head && ': '}${reason}`
  return link === undefined ? [text] : [text, ' (', { link, url: link }, ')']
}

/** Returns a text without layout; not escaped. */
export const textOf = (text: Text): string => [text].flat().map(spanText).join('')

const MAX_FURTHER_DEVIATIONS = 3
const MAX_DEVIATION_CHARS = 400

export interface Facts {
  result: RequirementResult
  place: ReturnType<typeof placeInDocument>
  /** Texts with labels, in the order in which reports show them. */
  details: readonly Detail[]
  evidence: Evidence | undefined
  rerun: string
}

/** Returns `GET /user 403: no X-Page (e12, 3 cases)`; has the expected value if it differs from the first one. */
function furtherText(deviation: Deviation, first: string | undefined): Text {
  const { subject, expected, actual, exchange, cases } = deviation
  const difference = expected === first ? actual : `expected ${expected}, got ${actual}`
  const parts: Span[] = [
    exchange === undefined ? [] : { ids: [exchange] },
    cases === undefined ? [] : counted(cases.length, 'case'),
  ].flat()
  const text = deviationText({ ...(subject && { subject }), actual: difference })
  const code = { code: truncate(text, MAX_DEVIATION_CHARS) }
  return parts.length === 0 ? code : [code, ' (', ...joinedTexts(parts, ', '), ')']
}

function furtherTexts({ expected, deviations = [], furtherDeviations = 0 }: RequirementResult) {
  const shown = deviations.slice(1, MAX_FURTHER_DEVIATIONS + 1)
  const more = Math.max(0, deviations.length - 1 - shown.length) + furtherDeviations
  const texts: Text[] = shown.map((one) => furtherText(one, expected))
  return more === 0 ? texts : [...texts, `and ${more} more, in report.json`]
}

/** Returns what gets a verdict for a skipped requirement, with the variables that its reason does not name. */
export function adviceText({ noVerdict }: Pick<RequirementResult, 'noVerdict'>) {
  if (noVerdict?.kind !== 'needs') return undefined
  const fallback = 'Needs a server with other settings or data.'
  const advice = new Set(noVerdict.needs.map((need) => need.advice ?? fallback))
  const names = new Set(noVerdict.needs.flatMap((need) => (need.reason ? need.variables : [])))
  return `${[...advice].join(' ')}${names.size === 0 ? '' : ` (${[...names].join(', ')})`}`
}

function sinceText({ failingSince }: RequirementResult, { run }: RunReport): string | undefined {
  if (failingSince === undefined) return undefined
  const { run: id, startedAt } = failingSince
  return id === run.id ? 'this run' : `${utcTime(startedAt)} (run ${id})`
}

/** Returns what reports say about a result, in this order; a label may be there several times. */
function detailsOf(result: RequirementResult, report: RunReport): Detail[] {
  const { verdict, waiver, expected, actual, deviations: [first] = [], notes = [] } = result
  const pointer = result.reads && 'pointer' in result.reads ? result.reads.pointer : ''
  const reason = isDeviation(verdict) ? notes.join(' ') || undefined : result.reason
  const codes = {
    case: first && caseText(first, result, report),
    expected,
    actual,
    at: printableLine(pointer) || undefined,
    because: first?.because,
    since: sinceText(result, report),
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

function factsOf(report: RunReport, byId: ExchangesById): ReadonlyMap<string, Facts> {
  const failed = report.results.filter(({ verdict }) => verdict === 'fail')
  const sharing = groupBy(failed, (result) => explainingExchange(result, byId)?.id ?? '')
  function evidenceOf(result: RequirementResult): Evidence | undefined {
    const isShown = result.verdict === 'fail' || result.verdict === 'inconclusive'
    const exchange = isShown ? explainingExchange(result, byId) : undefined
    if (exchange === undefined) return undefined
    const reads = (sharing.get(exchange.id) ?? [result]).flatMap((one) => one.reads ?? [])
    return { exchange, reads, commands: commandsFor(exchange, report) }
  }
  const facts = report.results.map((result): Facts => {
    const place = placeInDocument(result, report)
    const details = detailsOf(result, report)
    const rerun = runCommand([result.requirement], report)
    return { result, place, details, evidence: evidenceOf(result), rerun }
  })
  return new Map(facts.map((one) => [one.result.requirement, one]))
}

/** Content that all reports share; each has its own order, headings and limits. */
export interface ReportModel {
  report: RunReport
  outcome: RunOutcome
  title: string
  /** Sentences on the run, and on what the operator must do soon, whatever the verdict. */
  reminders: string[]
  exchanges: ExchangesById
  facts: ReadonlyMap<string, Facts>
  leakedResources: LeakedResource[]
  /** Failures by their impact, then in catalogue order. */
  failed: Facts[]
  failingWaivers: ReviewedWaiver[]
  inconclusive: ReasonGroup[]
  /** Reasons for skipped requirements, and for missing cases of judged ones. */
  skipped: ReasonGroup[]
}

const MAX_CAUSE_CHARS = 200

/** Returns the reason of most of the inconclusive requirements; undefined without such a reason, or if it is the reason of one requirement only and others were judged. */
function mainCause([first]: readonly ReasonGroup[], { counts, coverage }: RunOutcome) {
  if (first === undefined || (first.results.length < 2 && coverage.judged > 0)) return undefined
  if (2 * first.results.length <= counts.inconclusive) return undefined
  const { noVerdict } = first.results[0] ?? {}
  if (noVerdict?.kind === 'interrupted' || noVerdict?.kind === 'internal error') return undefined
  const text = noVerdict?.kind === 'no service' ? absenceText(noVerdict) : first.reason
  return printableSentence(text, MAX_CAUSE_CHARS)
}

export function reportModel(report: RunReport, outcome = outcomeOf(report)): ReportModel {
  const { results, exchanges } = report
  const byId = exchangesById(exchanges)
  const withVerdict = (requested: Verdict) => results.filter(({ verdict }) => verdict === requested)
  const lost = lostCases(results)
  const inconclusive = groupByReason(withVerdict('inconclusive'), lost).filter(
    ({ results }) => results.length > 0,
  )
  const named = new Set(inconclusive.flatMap((group) => group.lost))
  const facts = factsOf(report, byId)
  const failed = impacts.flatMap((name) =>
    withVerdict('fail').filter(({ impact = 'data' }) => impact === name),
  )
  return {
    ...{ report, outcome, facts, inconclusive },
    exchanges: byId,
    title: runVerdictText(outcome, mainCause(inconclusive, outcome)),
    reminders: [...runNotes(report), ...openLedgerTexts(report.openLedgers ?? [], report.run)],
    leakedResources: hasEnded(report) ? [] : report.leakedResources,
    failed: failed.flatMap(({ requirement }) => facts.get(requirement) ?? []),
    failingWaivers: failingWaivers(report),
    // Cases with the reason of an inconclusive result are named there.
    skipped: groupByReason(
      withVerdict('skipped'),
      lost.filter((one) => !named.has(one)),
    ),
  }
}
