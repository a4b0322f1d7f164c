import type { RequirementResult, RunReport, Verdict } from '../conformance/result.ts'
import { notSelected } from '../reports/assemble-report.ts'
import { serviceName } from '../reports/run-words.ts'
import { isSameDeviation } from './deviations.ts'
import { type Circumstances, isJudged, listOf } from './lists.ts'

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
  /** What came before, where it deviated before too and something else came. */
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
  /** Failed, and neither failed nor was waived before. */
  newlyFailing: ChangedResult[]
  /** Inconclusive or skipped, and judged before. */
  newlyUnjudged: ChangedResult[]
  /**
   * Judged before; after, not asked for, its service not probed, or not in the report although the
   * version of Plumbline is the same.
   */
  notLookedAt: ChangedResult[]
  /**
   * Passed before; deviates now, and is waived or advisory. The deployment got worse in what somebody
   * has accepted, or has asked to be only advised of: told apart, and never part of the outcome.
   */
  newlyDeviating: ChangedResult[]
  /**
   * Deviated before and after, waived or advisory in one of the reports at least, and something else
   * came than before, such as another failure behind the same waiver. What was advisory and fails is
   * newly failing.
   */
  deviatingOtherwise: ChangedResult[]
  /** Waived before, and failed with what came before: the waiver is gone, the deviation the same. */
  noLongerWaived: ChangedResult[]
  /** Deviated in the same way before; now waived or advisory. */
  newlyTolerated: ChangedResult[]
  /** Passed before as a whole, and now with a part left out, which the reason tells. */
  judgedLess: ChangedResult[]
  /** Passed, and deviated before. */
  mended: ChangedResult[]
  /** Judged and not failed, and without a verdict before. */
  newlyJudged: ChangedResult[]
  /** Failed before and after; `actualBefore` where something else came. */
  stillFailing: ChangedResult[]
  /** Judged after and not failed; before, not asked for, or its service not probed. */
  notComparable: ChangedResult[]
  /** Of services that both probed: only in the later report, and not failed. */
  newRows: ChangedResult[]
  /** Of services that both probed: only in the earlier report, of another version of Plumbline. */
  goneRows: ChangedResult[]
  changedStatements: ChangedStatement[]
  /** How many were judged in both reports. */
  judgedInBoth: number
  /** How many have no verdict in either report. */
  unjudgedInBoth: number
}

type Report = Pick<RunReport, 'target' | 'results' | 'tool' | 'run'>

function serviceNames({ target }: Report): Set<string> {
  return new Set(Object.keys(target).map(serviceName))
}

function serviceOf(requirement: string): string {
  return requirement.split('/')[0] ?? ''
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

function noChanges(): VerdictComparison {
  return {
    newlyFailing: [],
    newlyUnjudged: [],
    notLookedAt: [],
    newlyDeviating: [],
    deviatingOtherwise: [],
    noLongerWaived: [],
    newlyTolerated: [],
    judgedLess: [],
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
}

function circumstancesOf(row: Row, before: Report, after: Report): Circumstances {
  const sameTool = before.tool.version === after.tool.version
  if (row.before === undefined || row.after === undefined) {
    return { sameTool, sameDeviation: false, newlyInPart: false }
  }
  return {
    sameTool,
    sameDeviation: isSameDeviation(row.before, row.after, { before, after }),
    newlyInPart: row.before.reason === undefined && row.after.reason !== undefined,
  }
}

/** Compares requirement by requirement. */
export function compareVerdicts(before: Report, after: Report): VerdictComparison {
  const services = { before: serviceNames(before), after: serviceNames(after) }
  const comparison = noChanges()
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
    const circumstances = circumstancesOf(row, before, after)
    const list = listOf(standings.before, standings.after, circumstances)
    const result = row.after ?? row.before
    if (list === undefined || result === undefined) continue
    const change = told(result, standings)
    const again = list === 'stillFailing' || list === 'deviatingOtherwise'
    if (again && !circumstances.sameDeviation) change.actualBefore = row.before?.actual ?? ''
    comparison[list].push(change)
  }
  return comparison
}
