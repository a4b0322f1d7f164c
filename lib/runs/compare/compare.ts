import { printableJson } from '../../reports/printable.ts'
import { changeSeverities, type Severity } from '../../results/changes.ts'
import type { Observation, ObservationState, RunReport } from '../../results/run-report.ts'
import { isCoverageLess, type RunSummary, summarize } from '../../results/verdict.ts'
import {
  type ComparedObservation,
  compareObservations,
  normalObservations,
} from './observation-diff.ts'
import type { StoredReport } from './read-report.ts'
import { type ComparedRequirements, compareRequirements, listNames } from './requirements.ts'
import { type DifferingCondition, differingConditions } from './run-differences.ts'

const statuses = { worse: 1, 'no worse': 0, incomparable: 3, incomplete: 3 } as const

/**
 * `worse`: a requirement changed for the worse. `incomparable`: no requirement was judged in both reports,
 * or only one of them is of the reference server. `incomplete`: a requirement that was
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
  schema: 3
  outcome: ComparisonOutcome
  before: ComparedRun
  after: ComparedRun
  /** True if the later run judged a smaller share. */
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

/** Returns true if a service was the reference server in only one of the runs. */
function isOfAnotherKind({ target: was }: RunReport, { target: is }: RunReport): boolean {
  const common = Object.keys(was).filter((key) => Object.hasOwn(is, key))
  return common.some((key) => (was[key]?.embedded === true) !== (is[key]?.embedded === true))
}

function comparisonOutcome(
  requirements: ComparedRequirements,
  before: RunReport,
  after: RunReport,
): ComparisonOutcome {
  const has = (severity: Severity) =>
    listNames.some((kind) => changeSeverities[kind] === severity && requirements[kind].length > 0)
  if (has('worse')) return 'worse'
  if (requirements.judgedInBoth === 0 || isOfAnotherKind(before, after)) return 'incomparable'
  return has('incomplete') ? 'incomplete' : 'no worse'
}

export function compareReports(before: StoredReport, after: StoredReport): Comparison {
  const requirements = compareRequirements(before.report, after.report)
  const runs = { before: comparedRun(before), after: comparedRun(after) }
  return {
    schema: 3,
    outcome: comparisonOutcome(requirements, before.report, after.report),
    ...runs,
    coverageDropped: isCoverageLess(runs.before.coverage, runs.after.coverage),
    conditions: differingConditions(before.report, after.report),
    requirements,
    observations: comparedObservations(before.report, after.report),
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
