import type { Observation, RunReport } from '../conformance/result.ts'
import { printableJson } from '../reports/printable.ts'
import { countVerdicts, type VerdictCounts } from '../reports/verdict-counts.ts'
import { type DifferingCondition, differingConditions } from './conditions.ts'
import {
  normalObservation,
  observationDiff,
  originsOf,
  type ValueDifference,
} from './observation-diff.ts'
import type { StoredReport } from './read-report.ts'
import { compareTimings, type TimingComparison } from './timings.ts'
import { compareVerdicts, listNames, lists, type VerdictComparison } from './transitions.ts'

/** One of the two runs. */
export interface ComparedRun {
  /** Path of its report. */
  file: string
  toolVersion: string
  run: RunReport['run']
  target: RunReport['target']
  counts: VerdictCounts
}

/** An observation that both reports have, with values that mean different things. */
export interface ChangedObservation {
  id: string
  /** Both without what differs from run to run. */
  before: unknown
  after: unknown
  differences: ValueDifference[]
}

/** What two reports tell about what the documents leave open. Never makes a deployment worse. */
export interface ObservationComparison {
  changed: ChangedObservation[]
  /** Only in the later report. */
  appeared: Pick<Observation, 'id' | 'value'>[]
  /** Only in the earlier report. */
  disappeared: Pick<Observation, 'id' | 'value'>[]
  /** How many mean the same. */
  unchanged: number
}

/**
 * `worse`: something is newly failing or newly without a verdict. `incomparable`: no requirement was
 * judged in both reports, or one of them is of the embedded deployment and the other is not.
 * `incomplete`: something that was judged before was not looked at after. `no worse`: none of these.
 * Where several apply, it is the first of them.
 */
export type ComparisonOutcome = 'worse' | 'incomparable' | 'incomplete' | 'no worse'

/** Two runs side by side: what `compare --format json` prints. */
export interface Comparison {
  schema: 1
  outcome: ComparisonOutcome
  before: ComparedRun
  after: ComparedRun
  /** In what they differ besides the server's behaviour. */
  conditions: DifferingCondition[]
  requirements: VerdictComparison
  observations: ObservationComparison
  timings: TimingComparison
}

function compared({ path, report }: StoredReport): ComparedRun {
  const { tool, run, target, results } = report
  return { file: path, toolVersion: tool.version, run, target, counts: countVerdicts(results) }
}

type Observed = Pick<RunReport, 'target' | 'observations'>

function normalObservations({ target, observations }: Observed): Map<string, unknown> {
  const origins = originsOf(target)
  return new Map(observations.map(({ id, value }) => [id, normalObservation(value, origins)]))
}

/** Compares by id and by meaning, see `observationDiff`. */
export function compareObservations(before: Observed, after: Observed): ObservationComparison {
  const [earlier, later] = [normalObservations(before), normalObservations(after)]
  const onlyIn = (some: ReadonlyMap<string, unknown>, others: ReadonlyMap<string, unknown>) =>
    [...some].filter(([id]) => !others.has(id)).map(([id, value]) => ({ id, value }))
  const common = [...earlier].filter(([id]) => later.has(id))
  const changed = common.flatMap(([id, value]): ChangedObservation[] => {
    const now = later.get(id)
    const differences = observationDiff(value, now)
    return differences.length === 0 ? [] : [{ id, before: value, after: now, differences }]
  })
  return {
    changed,
    appeared: onlyIn(later, earlier),
    disappeared: onlyIn(earlier, later),
    unchanged: common.length - changed.length,
  }
}

/** Whether a service was that of the embedded deployment in one run, and another one in the other. */
function isOfAnotherKind(before: RunReport, after: RunReport): boolean {
  return Object.entries(before.target).some(([key, { embedded = false }]) => {
    const later = after.target[key]
    return later !== undefined && (later.embedded ?? false) !== embedded
  })
}

function outcomeOf(
  requirements: VerdictComparison,
  before: RunReport,
  after: RunReport,
): ComparisonOutcome {
  const filled = listNames.filter((name) => requirements[name].length > 0)
  const statuses = new Set(filled.map((name) => 'status' in lists[name] && lists[name].status))
  if (statuses.has(1)) return 'worse'
  if (requirements.judgedInBoth === 0 || isOfAnotherKind(before, after)) return 'incomparable'
  return statuses.has(3) ? 'incomplete' : 'no worse'
}

/** Puts the report of an earlier run beside that of a later one. */
export function compareReports(before: StoredReport, after: StoredReport): Comparison {
  const requirements = compareVerdicts(before.report, after.report)
  return {
    schema: 1,
    outcome: outcomeOf(requirements, before.report, after.report),
    before: compared(before),
    after: compared(after),
    conditions: differingConditions(before.report, after.report),
    requirements,
    observations: compareObservations(before.report, after.report),
    timings: compareTimings(before.report, after.report),
  }
}

/**
 * 0 when nothing got worse, 1 when something did, 3 when nothing can be compared, or something that was
 * judged before was not looked at after.
 */
export function comparisonStatus({ outcome }: Pick<Comparison, 'outcome'>): 0 | 1 | 3 {
  if (outcome === 'worse') return 1
  return outcome === 'no worse' ? 0 : 3
}

/**
 * The comparison as JSON, indented by two spaces, with a line break at its end; it fits
 * `compare.schema.json`. What a terminal would obey is written as escapes of JSON.
 */
export function comparisonJson(comparison: Comparison): string {
  return `${printableJson(comparison)}\n`
}
