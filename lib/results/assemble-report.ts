import { groupBy } from '../text/group-by.ts'
import { createNormalizer } from './normalize.ts'
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
import { type CheckResult, type RunEvidence, withoutOutages } from './run-evidence.ts'
import type { JudgedCases, RequirementResult, RunReport, Verdict } from './run-report.ts'
import { outcomeOf } from './verdict.ts'

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
  /** Ids of the reported requirements. */
  selected: readonly string[]
}

/** Returns the ids of all cases, in an order that does not depend on time, and a function from ids to indexes. */
function numberCases(judgements: readonly CheckResult[]) {
  const ids = [...new Set(judgements.flatMap(({ cases }) => Object.keys(cases)))].sort()
  const numbers = new Map(ids.map((id, number) => [id, number]))
  const numbersOf = (some: readonly string[]) => some.flatMap((id) => numbers.get(id) ?? [])
  return { ids, numbersOf }
}

type NumbersOf = ReturnType<typeof numberCases>['numbersOf']

function judgedCases({ cases: results }: CheckResult, numbersOf: NumbersOf): JudgedCases {
  const groups = groupBy(Object.keys(results).sort(), (id) => JSON.stringify(results[id]))
  const judged: JudgedCases = { conforming: [], deviating: [], missing: [] }
  for (const ids of groups.values()) {
    const [result, cases] = [results[ids[0]], numbersOf(ids)]
    if (result === 'conforms') judged.conforming = cases
    else if (result === 'deviates') judged.deviating = cases
    else if (result) judged.missing.push({ cases, noVerdict: result, reason: '' })
  }
  return judged
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
  return [...new Set([first, others, shownBy ?? []].flat())]
}

type ResultData = Omit<
  RequirementResult,
  'requirement' | 'level' | 'impact' | 'statement' | 'section'
>

const withoutVerdict = (verdict: Verdict, noVerdict: Reason): ResultData => {
  return { exchanges: [], durationMs: 0, verdict, noVerdict }
}

function toRequirementResult(
  requirement: Requirement,
  judgements: readonly CheckResult[],
  ranks: ReadonlyMap<string, number>,
  numbersOf: NumbersOf,
  description: RunDescription,
): ResultData {
  const { id, checkedBy, reason: why = '' } = requirement
  const { interrupted, aborted, selected } = description
  if (checkedBy.includes('untestable')) {
    return withoutVerdict('skipped', { kind: 'untestable', why })
  }
  if (!selected.includes(id)) return withoutVerdict('skipped', { kind: 'not selected' })
  const judgement = judgements.find(({ requirement }) => requirement === id)
  if (judgement === undefined) {
    const by = interrupted ? 'operator' : aborted && 'internal error'
    return withoutVerdict('inconclusive', { kind: 'interrupted', before: true, ...(by && { by }) })
  }
  const { requirement: _, deviations, ...rest } = judgement
  const [first] = deviations ?? []
  const outcome = {
    ...rest,
    ...(deviations && {
      ...{ expected: first?.expected, actual: first?.actual },
      ...(first?.reads && { reads: first.reads }),
      deviations: deviations.map(({ cases = [], ...one }) => {
        return { ...one, cases: numbersOf(cases) }
      }),
    }),
    cases: judgedCases(judgement, numbersOf),
    exchanges: sortedExchanges(judgement, ranks),
  }
  const isTolerated = outcome.verdict === 'fail' && isAdvisory(requirement, description)
  return isTolerated ? { ...outcome, verdict: 'advisory' as const } : outcome
}

/** Combines the results of checks with the catalogues: one result for each requirement, without the texts of reasons. */
export function assembleReport(gathered: RunEvidence, description: RunDescription): RunReport {
  const evidence = withoutOutages(gathered)
  const { runId, interrupted, version, target, documents, settings, asOf } = description
  const requirements = description.catalogues.flatMap(({ requirements }) => requirements)
  const observable = new Map(
    description.catalogues.flatMap((one) => Object.entries(one.observations ?? {})),
  )
  const normalize = createNormalizer({ run: { id: runId }, target })
  const sorted = sortByRequest(evidence.exchanges, (record) => record, normalize)
  const ranks = new Map(sorted.map(({ id }, index) => [id, index]))
  const isSelected = (id: string) => description.selected.includes(id)
  const { ids: cases, numbersOf } = numberCases(
    evidence.judgements.filter((one) => isSelected(one.requirement)),
  )
  const results = requirements.map((requirement): RequirementResult => {
    const { id, level, impact, statement, section } = requirement
    const { judgements } = evidence
    const outcome = toRequirementResult(requirement, judgements, ranks, numbersOf, description)
    return { requirement: id, level, impact, statement, section, ...outcome }
  })
  const { verdict, coverage } = outcomeOf({ results, run: { interrupted } })
  return {
    schema: 4,
    tool: { name: 'plumbline', version },
    run: {
      id: runId,
      startedAt: description.startedAt.toISOString(),
      finishedAt: description.finishedAt.toISOString(),
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
    cases,
    results,
    observations: evidence.observations
      .filter(({ id }) => observable.get(id)?.of.some(isSelected) ?? true)
      .map((one) => ({ ...one, description: observable.get(one.id)?.description ?? one.id }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
    exchanges: evidence.exchanges.toSorted((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1))),
    leakedResources: evidence.leakedResources,
  }
}
