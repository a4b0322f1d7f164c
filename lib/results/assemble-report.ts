import { createNormalizer } from './normalize.ts'
import { withoutOutages } from './outage.ts'
import { exchangeOf, type Reason } from './reason.ts'
import { sortByRequest } from './request-order.ts'
import {
  isAdvisory,
  isLater,
  isTestable,
  type Leniency,
  type Observable,
  type Requirement,
} from './requirement.ts'
import {
  type CheckDeviation,
  type CheckedCases,
  type CheckResult,
  MAX_DEVIATIONS,
  type RunEvidence,
} from './run-evidence.ts'
import {
  type JudgedCases,
  problemText,
  type RequirementResult,
  type RunReport,
  type Verdict,
} from './run-report.ts'
import { summarize } from './verdict.ts'

interface RunDescription extends Pick<RunReport, 'target' | 'documents' | 'settings'>, Leniency {
  version: string
  runId: string
  startedAt: Date
  finishedAt: Date
  interrupted: boolean
  /** True if an internal error of Plumbline aborted the run. */
  aborted?: boolean
  catalogues: readonly {
    requirements: readonly Requirement[]
    observations?: Readonly<Record<string, Observable>>
  }[]
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
  const merged = (judgement.deviations ?? []).map((one) => ({ ...one }))
  const added: CheckDeviation[] = []
  const others = judgements.flatMap((one) => (one === judgement ? [] : (one.deviations ?? [])))
  for (const other of others) {
    const same = merged.find((one) => problemText(one) === problemText(other))
    if (same) same.cases = [...new Set([...same.cases, ...other.cases])]
    else added.push(other)
  }
  if (others.length === 0) return judgement
  const all = [...merged, ...added]
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

/** Numbers the cases of a report, in an order that does not depend on time. */
class CaseIndex {
  readonly ids: readonly string[]
  readonly #numbers: ReadonlyMap<string, number>

  constructor(judgements: readonly CheckResult[]) {
    const all = judgements.flatMap(({ cases: { conforming, deviating, missing } }) => [
      ...conforming,
      ...deviating,
      ...missing.flatMap(({ cases }) => cases),
    ])
    this.ids = [...new Set(all)].sort()
    this.#numbers = new Map(this.ids.map((id, number) => [id, number]))
  }

  numbersOf = (ids: readonly string[]): number[] => ids.flatMap((id) => this.#numbers.get(id) ?? [])
}

const ascending = (one: number, other: number) => one - other

/** Returns the cases of a requirement: a deviation counts before a conforming result, and both before a reason. */
function mergeCases(judgements: readonly CheckResult[], index: CaseIndex): JudgedCases {
  const all = (name: 'conforming' | 'deviating') =>
    new Set(judgements.flatMap(({ cases }) => cases[name]))
  const deviating = all('deviating')
  const conforming = [...all('conforming')].filter((id) => !deviating.has(id))
  const counted = new Set([...deviating, ...conforming])
  const missing = judgements.flatMap(({ cases }) =>
    cases.missing.flatMap(({ cases, noVerdict }): CheckedCases['missing'] => {
      const lost = cases.filter((id) => !counted.has(id))
      for (const id of lost) counted.add(id)
      return lost.length === 0 ? [] : [{ cases: lost, noVerdict }]
    }),
  )
  return {
    conforming: index.numbersOf(conforming).sort(ascending),
    deviating: index.numbersOf([...deviating]).sort(ascending),
    missing: missing.map(({ cases, noVerdict }) => {
      return { cases: index.numbersOf(cases).sort(ascending), noVerdict, reason: '' }
    }),
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
  index: CaseIndex,
  description: RunDescription,
): ResultData {
  const { id, checkedBy, reason: why = '' } = requirement
  const { interrupted, aborted, checks } = description
  if (checkedBy.includes('untestable')) {
    return withoutVerdict('skipped', { kind: 'untestable', why })
  }
  if (!checks.includes(id)) return notSelected
  const all = judgements.filter(({ requirement }) => requirement === id)
  const judgement = decisive(all)
  if (judgement === undefined) {
    const by = interrupted ? 'operator' : aborted && 'internal error'
    return withoutVerdict('inconclusive', { kind: 'interrupted', before: true, ...(by && { by }) })
  }
  const isPass = judgement.verdict === 'pass'
  const merged = isPass ? judgement : withDeviations(judgement, all)
  const { requirement: _, by: __, deviations, ...rest } = merged
  const notes = [...new Set(all.flatMap((one) => one.notes ?? []))]
  const outcome = {
    ...rest,
    ...(deviations && {
      deviations: deviations.map((one) => ({ ...one, cases: index.numbersOf(one.cases) })),
    }),
    cases: mergeCases(all, index),
    ...(notes.length > 0 && { notes }),
    exchanges: sortedExchanges(merged, ranks),
  }
  const isTolerated = outcome.verdict === 'fail' && isAdvisory(requirement, description)
  return isTolerated ? { ...outcome, verdict: 'advisory' as const } : outcome
}

/** Combines the results of checks with the catalogues: one result for each requirement, without the texts of reasons. */
export function assembleReport(gathered: RunEvidence, description: RunDescription): RunReport {
  const evidence = withoutOutages(gathered)
  const { runId, startedAt, finishedAt, interrupted, version, target, documents, settings } =
    description
  const { asOf } = description
  const requirements = description.catalogues.flatMap(({ requirements }) => requirements)
  const observable = new Map(
    description.catalogues.flatMap((one) => Object.entries(one.observations ?? {})),
  )
  const normalize = createNormalizer({ run: { id: runId }, target })
  const sorted = sortByRequest(evidence.exchanges, (record) => record, normalize)
  const ranks = new Map(sorted.map(({ id }, index) => [id, index]))
  const isSelected = (id: string) => description.selected.includes(id)
  const index = new CaseIndex(evidence.judgements.filter((one) => isSelected(one.requirement)))
  const results = requirements.map((requirement): RequirementResult => {
    const { id, level, statement, section } = requirement
    const outcome =
      isSelected(id) || !isTestable(requirement)
        ? toRequirementResult(requirement, evidence.judgements, ranks, index, description)
        : notSelected
    return { requirement: id, level, statement, section, ...outcome }
  })
  const { verdict, coverage } = summarize({ results, run: { interrupted } })
  return {
    schema: 4,
    tool: { name: 'plumbline', version },
    run: {
      id: runId,
      startedAt: startedAt.toISOString(),
      finishedAt: finishedAt.toISOString(),
      ...(interrupted && { interrupted }),
      ...(asOf !== undefined && {
        asOf: {
          version: asOf,
          later: requirements
            .filter((one) => isSelected(one.id) && isTestable(one) && isLater(one, asOf))
            .map(({ id }) => id),
        },
      }),
      requests: evidence.exchanges.length,
      retries: evidence.exchanges.filter(({ attempt }) => attempt > 1).length,
      options: ['--reports', 'reports/again'],
      program: 'plumbline',
    },
    target,
    documents,
    settings,
    verdict,
    coverage,
    cases: [...index.ids],
    results,
    observations: evidence.observations
      .filter(({ id }) => observable.get(id)?.of.some(isSelected) ?? true)
      .map((one) => ({ ...one, description: observable.get(one.id)?.description ?? one.id }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    exchanges: evidence.exchanges.toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1))),
    leakedResources: evidence.leakedResources,
  }
}
