import { MAX_DEVIATIONS, sortByRequest } from '../conformance/deviations.ts'
import {
  type Catalogue,
  isAdvisory,
  isLater,
  isTestable,
  type Leniency,
  type Requirement,
} from '../conformance/requirement.ts'
import type { CheckResult } from '../conformance/run-check.ts'
import { idParts } from '../results/ids.ts'
import { createNormalizer } from '../results/normalize.ts'
import { exchangeOf, type Reason } from '../results/reason.ts'
import type { RequirementResult, RunReport, UncheckedPart, Verdict } from '../results/run-report.ts'
import { summarize } from '../results/verdict.ts'
import { withReasonText } from './reason-text.ts'
import type { RunEvidence } from './run-evidence.ts'

export interface RunDescription
  extends Pick<RunReport, 'target' | 'documents' | 'settings'>,
    Leniency {
  version: string
  runId: string
  startedAt: Date
  finishedAt: Date
  seed: number
  interrupted: boolean
  /** True if an internal error of Plumbline aborted the run. */
  brokenOff?: boolean
  catalogues: readonly Catalogue[]
  /** Ids of the requirements to judge. */
  selected: readonly string[]
  /** Ids of the requirements whose checks run, including `selected`. */
  checks: readonly string[]
}

/** Returns the result that counts: a failure, else an inconclusive result, else the result of the probe. */
export function decisive(judgements: readonly CheckResult[]): CheckResult | undefined {
  const isByProbe = ({ by }: CheckResult) => by === 'probe'
  const inOrder = [...judgements.filter(isByProbe), ...judgements]
  return (
    inOrder.find(({ verdict }) => verdict === 'fail') ??
    inOrder.find(({ verdict }) => verdict === 'inconclusive') ??
    inOrder[0]
  )
}

/** Adds the different deviations that other results of the same requirement show. */
function withDeviations(judgement: CheckResult, judgements: readonly CheckResult[]): CheckResult {
  const { deviations: first = [] } = judgement
  const others = judgements.flatMap((one) => (one === judgement ? [] : (one.deviations ?? [])))
  const added = others.filter(
    ({ subject, actual }) => !first.some((one) => one.subject === subject && one.actual === actual),
  )
  if (added.length === 0) return judgement
  const all = [...first, ...added]
  const further =
    judgements.reduce((sum, { furtherDeviations = 0 }) => sum + furtherDeviations, 0) +
    Math.max(0, all.length - MAX_DEVIATIONS)
  const ids = added.flatMap(({ exchange = [] }) => exchange)
  return {
    ...judgement,
    deviations: all.slice(0, MAX_DEVIATIONS),
    ...(further > 0 && { furtherDeviations: further }),
    exchanges: [...new Set([...judgement.exchanges, ...ids])],
  }
}

/** Sorts by request, with exchanges of deviations first and the exchange that ended the check last. */
function sortedExchanges(
  { exchanges, deviations = [], noVerdict }: CheckResult,
  ranks: ReadonlyMap<string, number>,
): string[] {
  const shownBy = noVerdict && exchangeOf(noVerdict)
  const first = deviations.flatMap(({ exchange = [] }) => exchange)
  const others = exchanges.filter((id) => !first.includes(id) && id !== shownBy)
  others.sort((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0))
  return [...new Set([...first, ...others, ...(shownBy === undefined ? [] : [shownBy])])]
}

type ResultData = Omit<RequirementResult, 'requirement' | 'level' | 'statement' | 'section'>

const withoutVerdict = (verdict: Verdict, noVerdict: Reason): ResultData => {
  return { exchanges: [], durationMs: 0, verdict, noVerdict }
}

const notSelected = withoutVerdict('skipped', { kind: 'not selected' })

function toRequirementResult(
  requirement: Requirement,
  judgements: readonly CheckResult[],
  ranks: ReadonlyMap<string, number>,
  description: RunDescription,
): ResultData {
  const { id, checkedBy, reason: why = '' } = requirement
  const { interrupted, brokenOff, checks } = description
  if (checkedBy.includes('untestable')) {
    return withoutVerdict('skipped', { kind: 'untestable', why })
  }
  if (!checks.includes(id)) return notSelected
  const all = judgements.filter(({ requirement }) => requirement === id)
  const judgement = decisive(all)
  if (judgement === undefined) {
    const by = interrupted ? 'operator' : brokenOff && 'internal error'
    return withoutVerdict('inconclusive', { kind: 'interrupted', before: true, ...(by && { by }) })
  }
  const isPass = judgement.verdict === 'pass'
  const merged = isPass ? judgement : withDeviations(judgement, all)
  const { requirement: _, by: __, partial: own = [], ...rest } = merged
  const partial = isPass ? all.flatMap((one) => one.partial ?? []) : own
  const outcome = {
    ...rest,
    ...(partial.length > 0 && { partial: partial.map((part) => ({ ...part, reason: '' })) }),
    exchanges: sortedExchanges(merged, ranks),
  }
  const isTolerated = outcome.verdict === 'fail' && isAdvisory(requirement, description)
  return isTolerated ? { ...outcome, verdict: 'advisory' as const } : outcome
}

/**
 * Returns true if a check, or a part of one, could have produced exchanges that the run lacks: false for
 * an untestable requirement, a check without a relevant response, and a check that does not apply to the
 * server, which has an unmet need without advice.
 */
function isEvidenceMissing(noVerdict: Reason | undefined): boolean {
  if (noVerdict?.kind === 'untestable' || noVerdict?.kind === 'not observed') return false
  if (noVerdict?.kind !== 'needs') return true
  return noVerdict.needs.every(({ advice }) => advice !== undefined)
}

/**
 * Returns the parts of a check that could have finished but did not. A check that passed or failed has
 * finished, except the unchecked parts of its pass.
 */
function unfinishedParts(result: RequirementResult): UncheckedPart[] {
  const { requirement: check, verdict, noVerdict, partial = [] } = result
  if (verdict === 'pass') {
    const missing = partial.filter((part) => isEvidenceMissing(part.noVerdict))
    return missing.map((part) => ({ ...part, check }))
  }
  const isMissing =
    verdict === 'inconclusive' || (verdict === 'skipped' && isEvidenceMissing(noVerdict))
  return isMissing ? [{ check, reason: '', ...(noVerdict && { noVerdict }) }] : []
}

/**
 * Adds the unfinished checks of the service to the pass of an invariant, which applies to all their
 * exchanges. Supplied requests do not count, since few invariants apply to them.
 *
 * @param results results of all requirements, including those not selected
 */
function withUncheckedParts(
  result: RequirementResult,
  requirements: readonly Requirement[],
  results: readonly RequirementResult[],
): RequirementResult {
  const judgedById = new Map(requirements.map(({ id, checkedBy: judged }) => [id, judged]))
  const { requirement: id, verdict } = result
  if (verdict !== 'pass' || !judgedById.get(id)?.includes('invariant')) return result
  const { service } = idParts(id)
  const checks = new Set(
    requirements.flatMap((one) => {
      return one.checkedBy.includes('probe') && one.id !== id && idParts(one.id).service === service
        ? one.id
        : []
    }),
  )
  const parts = results
    .filter(({ requirement }) => checks.has(requirement))
    .flatMap(unfinishedParts)
  if (parts.length === 0) return result
  return { ...result, partial: [...(result.partial ?? []), ...parts] }
}

/** Combines the results of checks with the catalogues: one result for each requirement. */
export function assembleReport(evidence: RunEvidence, description: RunDescription): RunReport {
  const { runId, startedAt, finishedAt, interrupted, seed, version, target, documents, settings } =
    description
  const { asOf } = description
  const requirements = description.catalogues.flatMap(({ requirements }) => requirements)
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
  const judged = requirements.map((requirement) => {
    const { id, level, statement, section } = requirement
    const outcome = toRequirementResult(requirement, evidence.judgements, ranks, description)
    return { requirement: id, level, statement, section, ...outcome }
  })
  const isSelected = (id: string) => description.selected.includes(id)
  const selected = judged.map((result): RequirementResult => {
    if (isSelected(result.requirement)) return withUncheckedParts(result, requirements, judged)
    const { requirement, level, statement, section, noVerdict } = result
    if (noVerdict?.kind === 'untestable') return result
    return { requirement, level, statement, section, ...notSelected }
  })
  const results = selected.map((result) => withReasonText(result, evidence))
  const { verdict, coverage } = summarize({ results, run: { interrupted } })
  return {
    schema: 2,
    tool: { name: 'plumbline', version },
    run: {
      id: runId,
      startedAt: startedAt.toISOString(),
      finishedAt: finishedAt.toISOString(),
      ...(interrupted && { interrupted }),
      seed,
      ...(asOf !== undefined && {
        asOf: {
          version: asOf,
          later: requirements
            .filter((one) => isSelected(one.id) && isTestable(one) && isLater(one, asOf))
            .map(({ id }) => id),
        },
      }),
      options: ['--reports', 'reports/again'],
      program: 'plumbline',
    },
    target,
    documents,
    settings,
    verdict,
    coverage,
    results,
    observations: evidence.observations
      .filter(({ id }) => observing.get(id)?.some(isSelected) ?? true)
      .map((one) => ({ ...one, description: descriptions.get(one.id) ?? one.id }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    exchanges: evidence.exchanges.toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1))),
    leakedResources: evidence.leakedResources,
  }
}
