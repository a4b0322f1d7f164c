import type { RequirementResult, RunReport, Verdict } from '../conformance/result.ts'
import { notSelected } from '../reports/assemble-report.ts'
import { serviceName } from '../reports/run-words.ts'
import { judged } from '../reports/verdict-counts.ts'

/**
 * What the earlier report has of a requirement: its verdict, or `absent` where the service was probed
 * and the tool did not know the requirement, `not probed` where the service was not, `not selected`
 * where nobody asked for it.
 */
export type Standing = Verdict | 'absent' | 'not probed' | 'not selected'

/** A requirement whose standing changed, with what the later report has of it. */
export interface ChangedResult {
  requirement: string
  statement: string
  section: string
  before: Standing
  after: Standing
  reason?: string
  expected?: string
  actual?: string
  /** What came before, where it failed before too and something else came. */
  actualBefore?: string
}

/** A part of a requirement that reads differently under the same id. */
export interface ChangedStatement {
  requirement: string
  part: 'statement' | 'section' | 'level'
  before: string
  after: string
}

/** What became of the requirements of two reports; each is in one of the lists or counts, at most. */
export interface VerdictComparison {
  /** Failed, and did not before. */
  newlyFailing: ChangedResult[]
  /** Inconclusive or skipped, and judged before. */
  newlyUnjudged: ChangedResult[]
  /** Passed or failed before; the deviation is now waived or advisory. */
  newlyTolerated: ChangedResult[]
  /** Passed, and deviated before. */
  mended: ChangedResult[]
  /** Judged and not failed, and without a verdict before. */
  newlyJudged: ChangedResult[]
  /** Failed before and after. */
  stillFailing: ChangedResult[]
  /** Judged in one report, and in the other not asked for. */
  notComparable: ChangedResult[]
  /** Of services that both probed: only in the later report, and not failed. */
  newRows: ChangedResult[]
  /** Of services that both probed: only in the earlier report. */
  goneRows: ChangedResult[]
  changedStatements: ChangedStatement[]
  /** How many were judged in both reports. */
  judgedInBoth: number
  /** How many have no verdict in either report. */
  unjudgedInBoth: number
}

type Report = Pick<RunReport, 'target' | 'results'>

function serviceNames({ target }: Report): Set<string> {
  return new Set(Object.keys(target).map(serviceName))
}

function serviceOf(requirement: string): string {
  return requirement.split('/')[0] ?? ''
}

function isVerdict(standing: Standing): standing is Verdict {
  return standing !== 'absent' && standing !== 'not probed' && standing !== 'not selected'
}

function isJudged(standing: Standing): boolean {
  return isVerdict(standing) && judged(standing)
}

type List = {
  [Key in keyof VerdictComparison]: VerdictComparison[Key] extends ChangedResult[] ? Key : never
}[keyof VerdictComparison]

/** The list that a change belongs to; `undefined` for what is no change. */
function listOf(before: Standing, after: Standing): List | undefined {
  if (after === 'fail') return before === 'fail' ? 'stillFailing' : 'newlyFailing'
  if (after === 'absent') return 'goneRows'
  if (before === 'absent') return 'newRows'
  if (!isVerdict(before) || !isVerdict(after)) {
    return isJudged(before) || isJudged(after) ? 'notComparable' : undefined
  }
  if (judged(before) && !judged(after)) return 'newlyUnjudged'
  if (!judged(before) && judged(after)) return 'newlyJudged'
  if (before === after || !judged(after)) return undefined
  return after === 'pass' ? 'mended' : 'newlyTolerated'
}

function standing(
  result: RequirementResult | undefined,
  requirement: string,
  services: ReadonlySet<string>,
): Standing {
  if (result !== undefined) return result.reason === notSelected ? 'not selected' : result.verdict
  return services.has(serviceOf(requirement)) ? 'absent' : 'not probed'
}

function told(
  result: RequirementResult,
  standings: Pick<ChangedResult, 'before' | 'after'>,
): ChangedResult {
  const { requirement, statement, section, reason, expected, actual } = result
  return {
    requirement,
    statement,
    section,
    ...standings,
    ...(reason === undefined ? {} : { reason }),
    ...(expected === undefined ? {} : { expected }),
    ...(actual === undefined ? {} : { actual }),
  }
}

function changedParts(before: RequirementResult, after: RequirementResult): ChangedStatement[] {
  const parts = ['statement', 'section', 'level'] as const
  return parts
    .filter((part) => before[part] !== after[part])
    .map((part) => ({
      requirement: after.requirement,
      part,
      before: before[part],
      after: after[part],
    }))
}

interface Row {
  requirement: string
  before: RequirementResult | undefined
  after: RequirementResult | undefined
}

/** In the order of the later report; what only the earlier one has comes last. */
function rowsOf(before: Report, after: Report): Row[] {
  const earlier = new Map(before.results.map((result) => [result.requirement, result]))
  const later = new Map(after.results.map((result) => [result.requirement, result]))
  return [...new Set([...later.keys(), ...earlier.keys()])].map((requirement) => ({
    requirement,
    before: earlier.get(requirement),
    after: later.get(requirement),
  }))
}

/** Compares requirement by requirement. */
export function compareVerdicts(before: Report, after: Report): VerdictComparison {
  const services = { before: serviceNames(before), after: serviceNames(after) }
  const comparison: VerdictComparison = {
    newlyFailing: [],
    newlyUnjudged: [],
    newlyTolerated: [],
    mended: [],
    newlyJudged: [],
    stillFailing: [],
    notComparable: [],
    newRows: [],
    goneRows: [],
    changedStatements: [],
    judgedInBoth: 0,
    unjudgedInBoth: 0,
  }
  for (const row of rowsOf(before, after)) {
    const standings = {
      before: standing(row.before, row.requirement, services.before),
      after: standing(row.after, row.requirement, services.after),
    }
    const [judgedBefore, judgedAfter] = [isJudged(standings.before), isJudged(standings.after)]
    if (judgedBefore && judgedAfter) comparison.judgedInBoth += 1
    if (!judgedBefore && !judgedAfter) comparison.unjudgedInBoth += 1
    if (row.before !== undefined && row.after !== undefined) {
      comparison.changedStatements.push(...changedParts(row.before, row.after))
    }
    const list = listOf(standings.before, standings.after)
    const result = row.after ?? row.before
    if (list === undefined || result === undefined) continue
    const change = told(result, standings)
    const actualBefore = row.before?.actual
    if (list === 'stillFailing' && actualBefore !== undefined && actualBefore !== change.actual) {
      change.actualBefore = actualBefore
    }
    comparison[list].push(change)
  }
  return comparison
}
