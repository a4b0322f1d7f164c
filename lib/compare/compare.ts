import type { RunReport } from '../conformance/result.ts'
import { printableJson } from '../reports/printable.ts'
import { countVerdicts } from '../reports/verdict-counts.ts'
import { differingConditions } from './conditions.ts'
import { normalObservation, observationDiff, originsOf } from './observation-diff.ts'
import type { StoredReport } from './read-report.ts'
import { compareTimings } from './timings.ts'
import {
  compareVerdicts,
  type ListFormat,
  listNames,
  lists,
  type VerdictComparison,
} from './transitions.ts'

const statuses = { worse: 1, 'no worse': 0, incomparable: 3, incomplete: 3 } as const

function comparedRun({ path, report }: StoredReport) {
  const { tool, run, target, results } = report
  return { file: path, toolVersion: tool.version, run, target, counts: countVerdicts(results) }
}

function normalObservations({ target, observations }: RunReport): Map<string, unknown> {
  const origins = originsOf(target)
  return new Map(observations.map(({ id, value }) => [id, normalObservation(value, origins)]))
}

/** Compares by id and by meaning, see `observationDiff`. */
function compareObservations(before: RunReport, after: RunReport) {
  const [earlier, later] = [normalObservations(before), normalObservations(after)]
  const onlyIn = (some: ReadonlyMap<string, unknown>, others: ReadonlyMap<string, unknown>) =>
    [...some].filter(([id]) => !others.has(id)).map(([id, value]) => ({ id, value }))
  const common = [...earlier].filter(([id]) => later.has(id))
  const changed = common
    .map(([id, value]) => ({ id, before: value, after: later.get(id) }))
    .map((each) => ({ ...each, differences: observationDiff(each.before, each.after) }))
    .filter(({ differences }) => differences.length > 0)
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

/**
 * `worse`: something is newly failing or newly without a verdict. `incomparable`: no requirement was
 * judged in both reports, or one of them is of the embedded deployment and the other is not.
 * `incomplete`: something that was judged before was not looked at after. `no worse`: none of these.
 * Where several apply, it is the first of them.
 */
function outcomeOf(
  requirements: VerdictComparison,
  before: RunReport,
  after: RunReport,
): keyof typeof statuses {
  const formats = listNames.flatMap((name): ListFormat[] =>
    requirements[name].length === 0 ? [] : [lists[name]],
  )
  if (formats.some(({ status }) => status === 1)) return 'worse'
  if (requirements.judgedInBoth === 0 || isOfAnotherKind(before, after)) return 'incomparable'
  return formats.some(({ status }) => status === 3) ? 'incomplete' : 'no worse'
}

/**
 * Puts the report of an earlier run beside that of a later one: what `compare --format json` prints
 * and `compare.schema.json` describes.
 */
export function compareReports(before: StoredReport, after: StoredReport) {
  const requirements = compareVerdicts(before.report, after.report)
  return {
    schema: 1,
    outcome: outcomeOf(requirements, before.report, after.report),
    before: comparedRun(before),
    after: comparedRun(after),
    /** In what the runs differ besides the server's behaviour. */
    conditions: differingConditions(before.report, after.report),
    requirements,
    /** Never make a deployment worse, nor do the times. */
    observations: compareObservations(before.report, after.report),
    timings: compareTimings(before.report, after.report),
  }
}

export type Comparison = ReturnType<typeof compareReports>

/** The exit status of a comparison: 3 where nobody can tell that nothing got worse. */
export function comparisonStatus({ outcome }: Pick<Comparison, 'outcome'>): 0 | 1 | 3 {
  return statuses[outcome]
}

/**
 * The comparison as JSON, indented by two spaces, with a line break at its end; it fits
 * `compare.schema.json`. What a terminal would obey is written as escapes of JSON.
 */
export function comparisonJson(comparison: Comparison): string {
  return `${printableJson(comparison)}\n`
}
