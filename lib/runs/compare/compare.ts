import { firstTexts } from '../../reports/report-text.ts'
import { stateLabel } from '../../reports/verdict-labels.ts'
import {
  type ChangedCases,
  type ChangeKind,
  changeKinds,
  changesBetween,
  isJudgedState,
  type State,
} from '../../results/changes.ts'
import { createNormalizer } from '../../results/normalize.ts'
import { outcomeOf, type RunOutcome } from '../../results/outcome.ts'
import {
  caseIds,
  type Deviation,
  deviationText,
  type Observation,
  type RequirementResult,
  type RunReport,
} from '../../results/run-report.ts'
import { differingConditions } from './run-differences.ts'

/** Changed requirement, with its result in the later report. */
export interface ChangedResult
  extends Pick<RequirementResult, 'requirement' | 'statement' | 'section'> {
  before: State
  after: State
  reason?: string | undefined
  expected?: string | undefined
  actual?: string | undefined
  /** Its earlier deviation, unless it is newly failing or failed in the same way. */
  actualBefore?: string | undefined
  /** Ids of the cases that deviate in either report, by how they changed; without empty lists. */
  cases?: ChangedCases
}

/** Changed requirements by kind, each in one list at most; `same` has requirements that still fail. */
interface ComparedRequirements extends Record<ChangeKind, ChangedResult[]> {
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
    Pick<RunOutcome, 'counts' | 'coverage'> {
  run: Pick<RunReport['run'], 'id' | 'startedAt' | 'finishedAt' | 'interrupted'>
  file: string
  toolVersion: string
}

/** Output of `compare --format json`, as in `compare.schema.json`. */
export interface Comparison {
  schema: 6
  outcome: ComparisonOutcome
  before: ComparedRun
  after: ComparedRun
  /** Sentences without a period on what else differs between the runs; text of the reports is not escaped. */
  conditions: string[]
  requirements: ComparedRequirements
  observations: {
    changed: { id: string; before: unknown; after: unknown }[]
    appeared: Pick<Observation, 'id' | 'value'>[]
    disappeared: Pick<Observation, 'id' | 'value'>[]
    unchanged: number
  }
}

/** Returns the first deviation of a result in these cases, or its first one. */
function deviationIn(
  ids: readonly string[] = [],
  report: RunReport,
  deviations: readonly Deviation[] = [],
): Partial<Deviation> {
  const isIn = (one: Deviation) => caseIds(report, one.cases).some((id) => ids.includes(id))
  return deviations.find(isIn) ?? deviations[0] ?? {}
}

function compareRequirements(before: RunReport, after: RunReport): ComparedRequirements {
  const [earlier, later] = [before, after].map(({ results }) => {
    return new Map(results.map((one) => [one.requirement, one]))
  })
  const changes = changesBetween(before, after)
  function changedResult(change: (typeof changes)[number]): ChangedResult[] {
    const { requirement, kind, before: earlierState, after: state, cases } = change
    const [was, is] = [earlier?.get(requirement), later?.get(requirement)]
    const result = is ?? was
    if (result === undefined || (kind === 'same' && state !== 'fail')) return []
    const { statement, section, reason } = result
    const { expected, actual, subject } = deviationIn(cases[kind], after, is?.deviations)
    const past = deviationIn(cases[kind], before, was?.deviations)
    const ids = kind === 'noLongerJudged' && state === 'pass' ? cases.noLongerJudged : undefined
    const lost = ids && `passed without what deviated before: ${firstTexts(ids)}`
    const isPast = kind !== 'newlyFailing' && kind !== 'same' && past.actual !== undefined
    return [
      {
        ...{ requirement, before: earlierState, after: state, statement, section, expected },
        reason: lost ?? (isJudgedState(state) || is?.reason ? reason : stateLabel(state)),
        actual: actual && deviationText({ subject, actual }),
        ...(isPast && { actualBefore: deviationText(past as Deviation) }),
        ...(Object.keys(cases).length > 0 && { cases }),
      },
    ]
  }
  const lists = changeKinds.map((kind) => {
    return [kind, changes.filter((one) => one.kind === kind).flatMap(changedResult)]
  })
  const judgedIn = (count: number) =>
    changes.filter((one) => [one.before, one.after].filter(isJudgedState).length === count).length
  return { ...Object.fromEntries(lists), judgedInBoth: judgedIn(2), noVerdictInBoth: judgedIn(0) }
}

/** A report, and the name of its file. */
export interface StoredReport {
  path: string
  report: RunReport
}

function comparedRun({ path, report }: StoredReport): ComparedRun {
  const { tool, target } = report
  const { counts, coverage } = outcomeOf(report)
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
  const onlyIn = (one: typeof was, other: typeof was) =>
    [...one.values()].flatMap(({ id, value }) => (other.has(id) ? [] : { id, value }))
  const changed = [...was.values()].flatMap(({ id, value, normal }) => {
    const now = is.get(id)
    return now && now.normal !== normal ? { id, before: value, after: now.value } : []
  })
  const disappeared = onlyIn(was, is)
  const unchanged = was.size - disappeared.length - changed.length
  return { changed, appeared: onlyIn(is, was), disappeared, unchanged }
}

/** Returns true if a service was the reference server in only one run. */
function isOfAnotherKind({ target: was }: RunReport, { target: is }: RunReport): boolean {
  const common = Object.keys(was).filter((key) => Object.hasOwn(is, key))
  return common.some((key) => (was[key]?.embedded === true) !== (is[key]?.embedded === true))
}

/** Returns true for a requirement that was judged before and that the later run did not check. */
const isNotRun = ({ after }: Pick<ChangedResult, 'after'>) =>
  after === 'not selected' || after === 'not probed' || after === 'absent'

export function compareReports(before: StoredReport, after: StoredReport): Comparison {
  const reports = [before.report, after.report] as const
  const requirements = compareRequirements(...reports)
  const runs = { before: comparedRun(before), after: comparedRun(after) }
  const { newlyFailing, noLongerJudged, judgedInBoth } = requirements
  const isWorse = newlyFailing.length > 0 || !noLongerJudged.every(isNotRun)
  const isIncomparable = judgedInBoth === 0 || isOfAnotherKind(...reports)
  const otherOutcome = noLongerJudged.length > 0 ? 'incomplete' : 'no worse'
  return {
    schema: 6,
    outcome: isWorse ? 'worse' : isIncomparable ? 'incomparable' : otherOutcome,
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
