import { printableJson } from '../../reports/printable.ts'
import type { RunReport } from '../../results/result.ts'
import { isCoverageLess, summarize } from '../../results/verdict.ts'
import { differingConditions } from './conditions.ts'
import { normalObservation, observationDiff, originsOf } from './observation-diff.ts'
import type { StoredReport } from './read-report.ts'
import { compareVerdicts } from './transitions.ts'

const statuses = { worse: 1, 'no worse': 0, incomparable: 3, incomplete: 3 } as const

function comparedRun({ path, report }: StoredReport) {
  const { tool, run, target } = report
  const { counts, coverage } = summarize(report)
  return { file: path, toolVersion: tool.version, run, target, counts, coverage }
}

function normalObservations({ target, observations }: RunReport): Map<string, unknown> {
  const origins = originsOf(target)
  return new Map(observations.map(({ id, value }) => [id, normalObservation(value, origins)]))
}

function compareObservations(before: RunReport, after: RunReport) {
  const [earlier, later] = [normalObservations(before), normalObservations(after)]
  const onlyIn = (some: Map<string, unknown>, others: Map<string, unknown>) =>
    [...some].filter(([id]) => !others.has(id)).map(([id, value]) => ({ id, value }))
  const common = [...earlier].filter(([id]) => later.has(id))
  const changed = common.flatMap(([id, before]) => {
    const after = later.get(id)
    const differences = observationDiff(before, after)
    return differences.length === 0 ? [] : [{ id, before, after, differences }]
  })
  const [appeared, disappeared] = [onlyIn(later, earlier), onlyIn(earlier, later)]
  return { changed, appeared, disappeared, unchanged: common.length - changed.length }
}

/** Whether a service was that of the embedded deployment in one run, and another one in the other. */
function isOfAnotherKind({ target: was }: RunReport, { target: is }: RunReport): boolean {
  const common = Object.keys(was).filter((key) => Object.hasOwn(is, key))
  return common.some((key) => (was[key]?.embedded === true) !== (is[key]?.embedded === true))
}

/**
 * `worse`: something is newly failing or newly without a verdict. `incomparable`: no requirement was
 * judged in both reports, or one of them is of the embedded deployment and the other is not.
 * `incomplete`: something that was judged before was not looked at after. `no worse`: none of these.
 * Where several apply, it is the first of them.
 */
function outcomeOf(
  requirements: ReturnType<typeof compareVerdicts>,
  before: RunReport,
  after: RunReport,
): keyof typeof statuses {
  const { newlyFailing, newlyUnjudged, notLookedAt, judgedInBoth } = requirements
  if (newlyFailing.length + newlyUnjudged.length > 0) return 'worse'
  if (judgedInBoth === 0 || isOfAnotherKind(before, after)) return 'incomparable'
  return notLookedAt.length > 0 ? 'incomplete' : 'no worse'
}

/** What `compare --format json` prints and `compare.schema.json` describes. */
export function compareReports(before: StoredReport, after: StoredReport) {
  const requirements = compareVerdicts(before.report, after.report)
  const runs = { before: comparedRun(before), after: comparedRun(after) }
  return {
    schema: 1,
    outcome: outcomeOf(requirements, before.report, after.report),
    ...runs,
    coverageFell: isCoverageLess(runs.before.coverage, runs.after.coverage),
    conditions: differingConditions(before.report, after.report),
    requirements,
    observations: compareObservations(before.report, after.report),
  }
}

export type Comparison = ReturnType<typeof compareReports>

/** The exit status of a comparison: 3 where nobody can tell that nothing got worse. */
export function comparisonStatus({ outcome }: Pick<Comparison, 'outcome'>): 0 | 1 | 3 {
  return statuses[outcome]
}

/** No terminal obeys it. */
export function comparisonJson(comparison: Comparison): string {
  return `${printableJson(comparison)}\n`
}
