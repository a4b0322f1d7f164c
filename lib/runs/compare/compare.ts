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
import { createNormalizer } from '../../results/normalize.ts'
import type { Observation, RequirementResult, RunReport } from '../../results/run-report.ts'
import { changesBetween, deviationTexts, snapshotOf } from '../../results/snapshot.ts'
import { type RunSummary, summarize } from '../../results/verdict.ts'
import { printableJson } from '../../text/printable.ts'
import type { StoredReport } from './read-report.ts'
import { differingConditions } from './run-differences.ts'

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

/** All lists of changes. A requirement is in one list at most. */
interface ComparedRequirements extends Record<List, ChangedResult[]> {
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

interface ChangedObservation {
  id: string
  before: unknown
  after: unknown
}

/** Output of `compare --format json`, as in `compare.schema.json`. */
export interface Comparison {
  schema: 5
  outcome: ComparisonOutcome
  before: ComparedRun
  after: ComparedRun
  /** Sentences without a period on what else differs between the runs; text of the reports is not escaped. */
  conditions: string[]
  requirements: ComparedRequirements
  observations: {
    changed: ChangedObservation[]
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

/** Returns the lists that are not empty; undefined if all are. */
function withoutEmpty(changed: ChangedCases | undefined): Partial<ChangedCases> | undefined {
  const lists = Object.entries<string[]>({ ...changed }).filter(([, ids]) => ids.length > 0)
  return lists.length === 0 ? undefined : Object.fromEntries(lists)
}

function compareRequirements(before: RunReport, after: RunReport): ComparedRequirements {
  const indexed = ({ results }: RunReport) => new Map(results.map((one) => [one.requirement, one]))
  const [earlier, later] = [indexed(before), indexed(after)]
  const changes = changesBetween(snapshotOf(before), snapshotOf(after))
  const listOf = (list: List) =>
    changes.flatMap((change): ChangedResult[] => {
      const { requirement, kind, before: earlierState, after: state } = change
      const [was, is] = [earlier.get(requirement), later.get(requirement)]
      const result = is ?? was
      if (kind !== list || result === undefined) return []
      const textsOf = (one: RequirementResult | undefined, report: RunReport): Texts =>
        one && withDeviations.includes(list) ? deviationTexts(one, report) : new Map()
      const [textsBefore, textsAfter] = [textsOf(was, before), textsOf(is, after)]
      const { statement, section, reason, deviations = [] } = result
      const cases = withoutEmpty(change.cases)
      const newlyFailing = new Set(cases?.newlyFailing)
      const isNew = (number: number) => newlyFailing.has(after.cases[number] ?? '')
      // Of a newly failing requirement, a newly failing case is shown.
      const { expected, actual } = deviations.find((one) => one.cases?.some(isNew)) ?? result
      return [
        {
          ...{ requirement, before: earlierState, after: state },
          ...{ statement, section, expected },
          reason: list === 'notRun' ? stateLabels[state] : reason,
          actual: textsOnlyIn(textsAfter, textsBefore) ?? actual,
          actualBefore: textsOnlyIn(textsBefore, textsAfter),
          ...(cases && { cases }),
        },
      ]
    })
  const lists = Object.fromEntries(listNames.map((list) => [list, listOf(list)]))
  const judgedIn = (count: number) =>
    changes.filter((one) => [one.before, one.after].filter(isJudgedState).length === count).length
  return {
    ...(lists as Record<List, ChangedResult[]>),
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
  const indexed = (report: RunReport) => {
    const normalize = createNormalizer(report)
    return new Map(
      report.observations.map(({ id, value }) => {
        return [id, { id, value, normal: normalize(JSON.stringify(value)) }]
      }),
    )
  }
  const [was, is] = [indexed(before), indexed(after)]
  const common = [...was.values()].flatMap(({ id, value, normal }) => {
    const now = is.get(id)
    return now ? [{ id, before: value, after: now.value, isSame: normal === now.normal }] : []
  })
  const onlyIn = (one: typeof was, other: typeof was) =>
    [...one.values()].flatMap(({ id, value }) => (other.has(id) ? [] : [{ id, value }]))
  const changed = common.filter(({ isSame }) => !isSame)
  return {
    changed: changed.map(({ isSame: _, ...one }) => one),
    appeared: onlyIn(is, was),
    disappeared: onlyIn(was, is),
    unchanged: common.length - changed.length,
  }
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
    schema: 5,
    outcome: has('worse') ? 'worse' : isIncomparable ? 'incomparable' : otherOutcome,
    ...runs,
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
