import type { Verdict } from '../conformance/result.ts'
import { judged } from '../reports/verdict-counts.ts'
import type { ChangedResult, Standing, VerdictComparison } from './verdicts.ts'

function isVerdict(standing: Standing): standing is Verdict {
  return standing !== 'absent' && standing !== 'not probed' && standing !== 'not selected'
}

/** Whether a report has a verdict that is one. */
export function isJudged(standing: Standing): boolean {
  return isVerdict(standing) && judged(standing)
}

type List = {
  [Key in keyof VerdictComparison]: VerdictComparison[Key] extends ChangedResult[] ? Key : never
}[keyof VerdictComparison]

/** What decides, besides the two standings, to which list a row belongs. */
export interface Circumstances {
  /** What came is the same in both reports, or neither tells it. */
  sameDeviation: boolean
  /** The later report tells what was left out of a pass, and the earlier one does not. */
  newlyInPart: boolean
  /** Both are of the same version of Plumbline. */
  sameTool: boolean
}

/** The list of a row that was not looked at in one report; `undefined` for what was not judged. */
function listOfOneSided(before: Standing, after: Standing, sameTool: boolean): List | undefined {
  if (after === 'absent') return sameTool && isJudged(before) ? 'notLookedAt' : 'goneRows'
  if (isJudged(before)) return 'notLookedAt'
  if (before === 'absent') return 'newRows'
  return isJudged(after) ? 'notComparable' : undefined
}

/** The list of a row that deviated in both reports. */
function listOfDeviating(before: Verdict, after: Verdict, isSame: boolean): List | undefined {
  if (before === 'advisory' && after === 'fail') return 'newlyFailing'
  if (before === 'fail' && after === 'fail') return 'stillFailing'
  if (!isSame) return 'deviatingOtherwise'
  if (after === 'fail') return 'noLongerWaived'
  return before === after ? undefined : 'newlyTolerated'
}

/** The list that a change belongs to; `undefined` for what is no change. */
export function listOf(
  before: Standing,
  after: Standing,
  { sameDeviation, newlyInPart, sameTool }: Circumstances,
): List | undefined {
  if (after === 'fail' && !isJudged(before)) return 'newlyFailing'
  if (!isVerdict(before) || !isVerdict(after)) return listOfOneSided(before, after, sameTool)
  if (!judged(before)) return judged(after) ? 'newlyJudged' : undefined
  if (!judged(after)) return 'newlyUnjudged'
  if (after === 'pass') {
    if (before !== 'pass') return 'mended'
    return newlyInPart ? 'judgedLess' : undefined
  }
  if (before === 'pass') return after === 'fail' ? 'newlyFailing' : 'newlyDeviating'
  return listOfDeviating(before, after, sameDeviation)
}
