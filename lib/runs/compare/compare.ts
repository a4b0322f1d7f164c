import { needsText } from '../../reports/reason-text.ts'
import { stateLabels } from '../../reports/run-changes.ts'
import {
  type ChangedCases,
  type ChangeKind,
  changeKinds,
  changeSeverities,
  isJudgedState,
  type Severity,
  type State,
} from '../../results/changes.ts'
import { idParts, toServiceName } from '../../results/ids.ts'
import type {
  Coverage,
  Deviation,
  Observation,
  ObservationState,
  RequirementResult,
  RunReport,
} from '../../results/run-report.ts'
import {
  caseKey,
  changesBetween,
  deviationTexts,
  judgedCaseIds,
  snapshotOf,
} from '../../results/snapshot.ts'
import {
  coverageOf,
  isCoverageLess,
  isJudged,
  type RunSummary,
  summarize,
} from '../../results/verdict.ts'
import { groupBy } from '../../text/group-by.ts'
import { printableJson } from '../../text/printable.ts'
import {
  type ComparedObservation,
  compareObservations,
  normalObservations,
} from './observation-diff.ts'
import type { StoredReport } from './read-report.ts'
import { type DifferingCondition, differingConditions } from './run-differences.ts'

/** Kinds of changes that a comparison lists, most important first. */
export type List = Exclude<ChangeKind, 'unchanged'>

export const listNames = changeKinds.filter((kind): kind is List => kind !== 'unchanged')

/** Changed requirement, with its result in the later report. */
export interface ChangedResult
  extends Pick<RequirementResult, 'requirement' | 'statement' | 'section'> {
  before: State
  after: State
  reason?: string | undefined
  expected?: string | undefined
  actual?: string | undefined
  /** Deviations that only the earlier report has, for `changedDeviations`, `fixed` and `lostVerdicts`. */
  actualBefore?: string | undefined
  /** Ids of the cases that deviate in either report, by how they changed; without empty lists. */
  cases?: Partial<ChangedCases> | undefined
}

/** Cases that conformed before, and were not judged after for one reason. */
interface LostCases {
  /** Absent if they were not planned in the later run. */
  reason?: string
  cases: string[]
}

/** Text of a requirement that differs between the versions of Plumbline. */
interface ChangedStatement {
  requirement: string
  part: 'statement' | 'section' | 'level'
  before: string
  after: string
}

/** All lists of changes. A requirement is in one list at most. */
interface ComparedRequirements extends Record<List, ChangedResult[]> {
  changedStatements: ChangedStatement[]
  /** Cases of requirements that were judged in both reports. */
  lostCases: LostCases[]
  judgedInBoth: number
  noVerdictInBoth: number
}

const statuses = { worse: 1, 'no worse': 0, incomparable: 3, incomplete: 3 } as const

/**
 * `worse`: a requirement changed for the worse. `incomparable`: no requirement was judged in both reports,
 * or exactly one is of the reference server. `incomplete`: a requirement that was
 * judged before was not run after. `no worse`: none of these. The first that applies.
 */
export type ComparisonOutcome = keyof typeof statuses

export interface ComparedRun
  extends Pick<RunReport, 'target'>,
    Pick<RunSummary, 'counts' | 'coverage'> {
  run: Pick<RunReport['run'], 'id' | 'startedAt' | 'finishedAt' | 'interrupted'>
  file: string
  toolVersion: string
}

/** Output of `compare --format json`, as in `compare.schema.json`. */
export interface Comparison {
  schema: 4
  outcome: ComparisonOutcome
  before: ComparedRun
  after: ComparedRun
  coverageDropped: boolean
  conditions: DifferingCondition[]
  requirements: ComparedRequirements
  observations: {
    changed: Omit<ComparedObservation, 'state'>[]
    appeared: Pick<Observation, 'id' | 'value'>[]
    disappeared: Pick<Observation, 'id' | 'value'>[]
    unchanged: number
  }
}

type Texts = ReadonlyMap<string, string>

/** Lists that show what a requirement deviated in. */
const withDeviations: readonly List[] = ['changedDeviations', 'fixed', 'lostVerdicts']

/** Returns the texts that are only in the first list; undefined if there are none. */
function textsOnlyIn(one: Texts, other: Texts): string | undefined {
  const texts = [...one].flatMap(([normal, text]) => (other.has(normal) ? [] : text))
  return texts.join('; ') || undefined
}

const caseIdsByKey = ({ cases }: RunReport) => new Map(cases.map((id) => [caseKey(id), id]))

/** Returns lists of ids instead of keys, without empty lists; undefined if all are empty. */
function withIds(
  changed: ChangedCases | undefined,
  ids: ReadonlyMap<string, string>,
): Partial<ChangedCases> | undefined {
  const lists = Object.entries<string[]>({ ...changed })
    .filter(([, keys]) => keys.length > 0)
    .map(([name, keys]) => [name, keys.map((key) => ids.get(key) ?? key)])
  return lists.length === 0 ? undefined : Object.fromEntries(lists)
}

/** Returns the deviation of a failure to show: of a newly failing case, or the first. */
function shownDeviation(
  { deviations = [] }: RequirementResult,
  { newlyFailing = [] }: Partial<ChangedCases>,
  { cases: ids }: RunReport,
): Deviation | undefined {
  const isNew = (number: number) => newlyFailing.includes(ids[number] ?? '')
  return deviations.find(({ cases = [] }) => cases.some(isNew)) ?? deviations[0]
}

interface ComparedPair {
  was?: RequirementResult | undefined
  is?: RequirementResult | undefined
}

/** Returns the cases that conformed before and were not judged after, of requirements that both reports judged. */
function lostCases(
  pairs: readonly ComparedPair[],
  before: RunReport,
  after: RunReport,
): LostCases[] {
  const reasons = new Map<string, string>()
  const judged = judgedCaseIds(after)
  for (const { was, is } of pairs) {
    if (!was?.cases || !is?.cases || !isJudged(was.verdict) || !isJudged(is.verdict)) continue
    const { missing } = is.cases
    for (const id of was.cases.conforming.flatMap((number) => before.cases[number] ?? [])) {
      const group = missing.find(({ cases }) => cases.some((one) => after.cases[one] === id))
      if (reasons.has(id) || (group === undefined && judged.has(id))) continue
      const needs = group?.noVerdict.kind === 'needs' ? group.noVerdict.needs : undefined
      // The same variable adds a case and its control.
      reasons.set(id, needs ? needsText(needs) : (group?.reason ?? ''))
    }
  }
  return [...groupBy([...reasons], ([, reason]) => reason)].map(([reason, group]) => {
    return { ...(reason !== '' && { reason }), cases: group.map(([id]) => id) }
  })
}

export function compareRequirements(before: RunReport, after: RunReport): ComparedRequirements {
  const indexed = ({ results }: RunReport) => new Map(results.map((one) => [one.requirement, one]))
  const [earlier, later] = [indexed(before), indexed(after)]
  const changes = changesBetween(snapshotOf(before), snapshotOf(after)).map((change) => {
    return { ...change, was: earlier.get(change.requirement), is: later.get(change.requirement) }
  })
  const ids = new Map([...caseIdsByKey(before), ...caseIdsByKey(after)])
  const listOf = (list: List) =>
    changes.flatMap((change): ChangedResult[] => {
      const result = change.is ?? change.was
      if (change.kind !== list || result === undefined) return []
      const textsOf = (one: RequirementResult | undefined, report: RunReport): Texts =>
        one && withDeviations.includes(list) ? deviationTexts(one, report) : new Map()
      const [was, is] = [textsOf(change.was, before), textsOf(change.is, after)]
      const { requirement, statement, section, reason } = result
      const cases = withIds(change.cases, ids)
      const isNew = list === 'regressions' && cases !== undefined
      const { expected, actual } = (isNew && shownDeviation(result, cases, after)) || result
      const { before: earlierState, after: state } = change
      return [
        {
          ...{ requirement, before: earlierState, after: state },
          ...{ statement, section, expected },
          reason: list === 'notRun' ? stateLabels[state] : reason,
          actual: textsOnlyIn(is, was) ?? actual,
          actualBefore: textsOnlyIn(was, is),
          ...(cases && { cases }),
        },
      ]
    })
  const lists = Object.fromEntries(listNames.map((list) => [list, listOf(list)]))
  const judgedIn = (count: number) =>
    changes.filter((one) => [one.before, one.after].filter(isJudgedState).length === count).length
  return {
    ...(lists as Record<List, ChangedResult[]>),
    changedStatements: changes.flatMap(({ requirement, was, is }) =>
      (['statement', 'section', 'level'] as const).flatMap((part) => {
        if (was === undefined || is === undefined || was[part] === is[part]) return []
        return [{ requirement, part, before: was[part], after: is[part] }]
      }),
    ),
    lostCases: lostCases(changes, before, after),
    judgedInBoth: judgedIn(2),
    noVerdictInBoth: judgedIn(0),
  }
}

function comparedRun({ path, report }: StoredReport): ComparedRun {
  const { tool, target } = report
  const { counts, coverage } = summarize(report)
  const { id, startedAt, finishedAt, interrupted } = report.run
  const run = { id, startedAt, finishedAt, ...(interrupted && { interrupted }) }
  return { file: path, toolVersion: tool.version, run, target, counts, coverage }
}

function comparedObservations(before: RunReport, after: RunReport): Comparison['observations'] {
  const all = compareObservations(normalObservations(before), normalObservations(after))
  const having = (requested: ObservationState) => all.filter(({ state }) => state === requested)
  return {
    changed: having('changed').map(({ state: _, ...one }) => one),
    appeared: having('new').map(({ id, after: value }) => ({ id, value })),
    disappeared: having('missing').map(({ id, before: value }) => ({ id, value })),
    unchanged: having('unchanged').length,
  }
}

/** Returns the coverage of the services that another run probed too. */
function commonCoverage({ results }: RunReport, { target }: RunReport): Coverage {
  const services = Object.keys(target).map(toServiceName)
  return coverageOf(
    results.filter(({ requirement }) => services.includes(idParts(requirement).service)),
  )
}

/** Returns true if a service was the reference server in only one run. */
function isOfAnotherKind({ target: was }: RunReport, { target: is }: RunReport): boolean {
  const common = Object.keys(was).filter((key) => Object.hasOwn(is, key))
  return common.some((key) => (was[key]?.embedded === true) !== (is[key]?.embedded === true))
}

export function compareReports(before: StoredReport, after: StoredReport): Comparison {
  const reports = [before.report, after.report] as const
  const requirements = compareRequirements(...reports)
  const runs = { before: comparedRun(before), after: comparedRun(after) }
  const has = (severity: Severity) =>
    listNames.some((kind) => changeSeverities[kind] === severity && requirements[kind].length > 0)
  const isIncomparable = requirements.judgedInBoth === 0 || isOfAnotherKind(...reports)
  const otherOutcome = has('incomplete') ? 'incomplete' : 'no worse'
  return {
    schema: 4,
    outcome: has('worse') ? 'worse' : isIncomparable ? 'incomparable' : otherOutcome,
    ...runs,
    coverageDropped: isCoverageLess(
      commonCoverage(before.report, after.report),
      commonCoverage(after.report, before.report),
    ),
    conditions: differingConditions(...reports),
    requirements,
    observations: comparedObservations(...reports),
  }
}

/** Returns the exit status of a comparison: 3 if it cannot show that nothing got worse. */
export function comparisonStatus({ outcome }: Pick<Comparison, 'outcome'>): 0 | 1 | 3 {
  return statuses[outcome]
}

/** Text without control characters. */
export function comparisonJson(comparison: Comparison): string {
  return `${printableJson(comparison)}\n`
}
