import { MAX_DEVIATIONS, sortByRequest } from '../conformance/deviations.ts'
import type { Catalogue, Requirement } from '../conformance/requirement.ts'
import type { CheckResult } from '../conformance/run-check.ts'
import { createNormalizer } from '../results/normalize.ts'
import { exchangeOf, type Reason } from '../results/reason.ts'
import type { RequirementResult, RunReport, Verdict } from '../results/run-report.ts'
import { summarize } from '../results/verdict.ts'
import { withReasonText } from './reason-text.ts'
import type { RunEvidence } from './run-evidence.ts'
import { withUncheckedParts } from './unchecked-parts.ts'

export interface RunDescription {
  version: string
  runId: string
  startedAt: Date
  finishedAt: Date
  seed: number
  interrupted: boolean
  /** A defect of Plumbline ended the run before its time. */
  brokenOff?: boolean
  target: RunReport['target']
  documents: NonNullable<RunReport['documents']>
  settings: NonNullable<RunReport['settings']>
  catalogues: readonly Catalogue[]
  /** Ids of the requirements that were to be judged. */
  selected: readonly string[]
  /** Ids of the requirements whose checks were to run, those of `selected` among them. */
  checks: readonly string[]
  wording: 'strict' | 'advisory'
}

/** Where a requirement has two, a probe's counts, unless the other contradicts it. */
export function decisive(judgements: readonly CheckResult[]): CheckResult | undefined {
  const isByProbe = ({ by }: CheckResult) => by === 'probe'
  const inOrder = [...judgements.filter(isByProbe), ...judgements]
  return (
    inOrder.find(({ verdict }) => verdict === 'fail') ??
    inOrder.find(({ verdict }) => verdict === 'inconclusive') ??
    inOrder[0]
  )
}

/** Adds the deviations that other judgements of the same requirement show, unless they are the same. */
function withDeviations(judgement: CheckResult, judgements: readonly CheckResult[]): CheckResult {
  const { deviations: own = [] } = judgement
  const others = judgements.flatMap((one) => (one === judgement ? [] : (one.deviations ?? [])))
  const added = others.filter(
    ({ subject, actual }) => !own.some((one) => one.subject === subject && one.actual === actual),
  )
  if (added.length === 0) return judgement
  const all = [...own, ...added]
  const further =
    judgements.reduce((sum, { furtherDeviations = 0 }) => sum + furtherDeviations, 0) +
    Math.max(0, all.length - MAX_DEVIATIONS)
  const shown = added.flatMap(({ exchange = [] }) => exchange)
  return {
    ...judgement,
    deviations: all.slice(0, MAX_DEVIATIONS),
    ...(further > 0 && { furtherDeviations: further }),
    exchanges: [...new Set([...judgement.exchanges, ...shown])],
  }
}

/** Adds the parts that other judgements of the same requirement left out. */
function withParts(judgement: CheckResult, judgements: readonly CheckResult[]): CheckResult {
  const partial = judgements.flatMap((one) => one.partial ?? [])
  if (partial.length === 0) return judgement
  return { ...judgement, partial }
}

/** What shows a failure comes first and what ended a check last; the others are in the order of requests. */
function sortedExchanges(
  { exchanges, deviations = [], unjudged }: CheckResult,
  ranks: ReadonlyMap<string, number>,
): string[] {
  const shownBy = unjudged && exchangeOf(unjudged)
  const first = deviations.flatMap(({ exchange = [] }) => exchange)
  const others = exchanges.filter((id) => !first.includes(id) && id !== shownBy)
  others.sort((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0))
  return [...new Set([...first, ...others, ...(shownBy === undefined ? [] : [shownBy])])]
}

type Outcome = Omit<RequirementResult, 'requirement' | 'level' | 'statement' | 'section'>

const none = (verdict: Verdict, unjudged: Reason): Outcome => {
  return { exchanges: [], durationMs: 0, verdict, unjudged }
}

const notSelected = none('skipped', { kind: 'not selected' })

function outcomeOf(
  { id, judged, level, reason: why = '' }: Requirement,
  judgements: readonly CheckResult[],
  ranks: ReadonlyMap<string, number>,
  { interrupted, brokenOff, wording, checks }: RunDescription,
): Outcome {
  if (judged.includes('untestable')) {
    return none('skipped', { kind: 'untestable', why })
  }
  if (!checks.includes(id)) return notSelected
  const all = judgements.filter(({ requirement }) => requirement === id)
  const judgement = decisive(all)
  if (judgement === undefined) {
    const by = interrupted ? 'operator' : brokenOff && 'internal error'
    return none('inconclusive', { kind: 'interrupted', before: true, ...(by && { by }) })
  }
  const merged =
    judgement.verdict === 'pass' ? withParts(judgement, all) : withDeviations(judgement, all)
  const { requirement: _, by: __, partial, ...rest } = merged
  const outcome = {
    ...rest,
    ...(partial && { partial: partial.map((part) => ({ ...part, reason: '' })) }),
    exchanges: sortedExchanges(merged, ranks),
  }
  const advises = outcome.verdict === 'fail' && level === 'wording' && wording === 'advisory'
  return advises ? { ...outcome, verdict: 'advisory' as const } : outcome
}

/** Joins what the checks reported with the catalogues: one result for each requirement. */
export function assembleReport(evidence: RunEvidence, description: RunDescription): RunReport {
  const { runId, startedAt, finishedAt, interrupted, seed, version, target, documents, settings } =
    description
  const rows = description.catalogues.flatMap(({ requirements }) => requirements)
  const descriptions = new Map(
    description.catalogues.flatMap((one) => Object.entries<string>(one.descriptions ?? {})),
  )
  const observing = new Map(
    description.catalogues.flatMap((one) =>
      Object.entries<readonly string[]>(one.observations ?? {}),
    ),
  )
  const normalize = createNormalizer({ run: { id: runId }, target })
  const sorted = sortByRequest(evidence.exchanges, (record) => record, normalize)
  const ranks = new Map(sorted.map(({ id }, index) => [id, index]))
  const judged = rows.map((row) => {
    const { id: requirement, level, statement, section } = row
    const outcome = outcomeOf(row, evidence.judgements, ranks, description)
    return { requirement, level, statement, section, ...outcome }
  })
  const isSelected = (id: string) => description.selected.includes(id)
  const selected = judged.map((result): RequirementResult => {
    if (isSelected(result.requirement)) return withUncheckedParts(result, rows, judged)
    const { requirement, level, statement, section, unjudged } = result
    if (unjudged?.kind === 'untestable') return result
    return { requirement, level, statement, section, ...notSelected }
  })
  const words = { exchanges: evidence.exchanges, run: { seed } }
  const results = selected.map((result) => withReasonText(result, words))
  const { verdict, coverage } = summarize({ results, run: { interrupted } })
  return {
    schema: 1,
    tool: { name: 'plumbline', version },
    run: {
      id: runId,
      startedAt: startedAt.toISOString(),
      finishedAt: finishedAt.toISOString(),
      ...(interrupted && { interrupted }),
      seed,
    },
    target,
    documents,
    settings,
    verdict,
    coverage,
    results,
    observations: evidence.observations
      .filter(({ id }) => observing.get(id)?.some(isSelected) ?? true)
      .map((one) => ({ ...one, description: descriptions.get(one.id) }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    exchanges: evidence.exchanges.toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1))),
    leftBehind: evidence.leftBehind,
  }
}
