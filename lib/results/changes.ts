import { type Verdict, verdicts } from './run-report.ts'

export type ReportedState = Verdict | 'not selected'

/** `not probed`: the service was not probed. `absent`: the report has the service but not the requirement. */
export type State = ReportedState | 'not probed' | 'absent'

export const states: readonly State[] = [
  ...verdicts,
  ...(['not selected', 'not probed', 'absent'] as const),
]

/**
 * `worse`: the target got worse, or a verdict was lost. `incomplete`: a judged requirement was not checked.
 * `notable`: requires review. `better` and `neutral` do not affect the result.
 */
export type Severity = 'worse' | 'incomplete' | 'notable' | 'better' | 'neutral'

/** Severities by kind of change, the most important first. */
export const changeSeverities = {
  regressions: 'worse',
  failingWithoutVerdictBefore: 'worse',
  lostVerdicts: 'worse',
  notRun: 'incomplete',
  changedDeviations: 'notable',
  noLongerTolerated: 'notable',
  newlyTolerated: 'neutral',
  stillFailing: 'neutral',
  fixed: 'better',
  newVerdicts: 'neutral',
  unchanged: 'neutral',
} as const satisfies Record<string, Severity>

export type ChangeKind = keyof typeof changeSeverities

export const changeKinds = Object.keys(changeSeverities) as ChangeKind[]

export interface ComparedCases {
  /** Text of the deviations of each case that deviates, simple cases first; empty if the report has none. */
  deviating: ReadonlyMap<string, string>
  /**
   * Cases that the run judged for any requirement, without those that it could not judge for this one: a response that
   * a requirement does not apply to does not contradict it.
   */
  judged: ReadonlySet<string>
}

export interface ComparedResult {
  state: ReportedState
  /** Absent if they are unknown, as in a history, or without a verdict. */
  cases?: ComparedCases
}

/** Ids of cases that deviate in either of two results, by how they changed. */
export interface ChangedCases {
  /** Deviated, and conform. */
  fixed: string[]
  stillFailing: string[]
  /** Deviate differently. */
  different: string[]
  /** Conformed, and deviate. */
  newlyFailing: string[]
  /** Deviate, and were not judged before. */
  unknownBefore: string[]
  /** Deviated, and are not judged. */
  lost: string[]
}

function changedCases(before: ComparedCases, after: ComparedCases): ChangedCases {
  const was = [...before.deviating].map(([id, digest]) => {
    const now = after.deviating.get(id)
    const isSame = now !== undefined && (now === digest || now === '' || digest === '')
    return { id, now, isSame, isJudged: now !== undefined || after.judged.has(id) }
  })
  const added = [...after.deviating.keys()].filter((id) => !before.deviating.has(id))
  const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id)
  return {
    fixed: ids(was.filter(({ now, isJudged }) => now === undefined && isJudged)),
    stillFailing: ids(was.filter(({ isSame }) => isSame)),
    different: ids(was.filter(({ now, isSame }) => now !== undefined && !isSame)),
    newlyFailing: added.filter((id) => before.judged.has(id)),
    unknownBefore: added.filter((id) => !before.judged.has(id)),
    lost: ids(was.filter(({ isJudged }) => !isJudged)),
  }
}

/**
 * Comparison of the cases. `lost`: a case that deviated was not judged again, and no other deviates. `newly failing`: a case
 * conformed and deviates now. `different`: a case deviates differently, or was not judged before. The first
 * that applies; otherwise `same`.
 */
type CaseChange = 'lost' | 'newly failing' | 'different' | 'same'

function caseChangeOf(was: ComparedCases, is: ComparedCases, changed: ChangedCases): CaseChange {
  const { newlyFailing, different, unknownBefore, lost } = changed
  if (is.deviating.size === 0) return lost.length > 0 ? 'lost' : 'same'
  if (newlyFailing.length > 0) return 'newly failing'
  // The same deviation in a case that was not judged before is not another deviation.
  const digests = new Set(was.deviating.values())
  const isOther = unknownBefore.some((id) => !digests.has(is.deviating.get(id) ?? ''))
  return different.length > 0 || isOther ? 'different' : 'same'
}

/** Returns true for a state with a verdict other than skipped and inconclusive. */
export function isJudgedState(state: State): boolean {
  return ['pass', 'fail', 'waived', 'advisory'].includes(state)
}

function kindOf(before: State, after: State, cases: CaseChange): ChangeKind {
  const [wasJudged, isJudged] = [isJudgedState(before), isJudgedState(after)]
  if (!isJudged) {
    if (!wasJudged) return 'unchanged'
    return after === 'inconclusive' || after === 'skipped' ? 'lostVerdicts' : 'notRun'
  }
  if (!wasJudged) return after === 'fail' ? 'failingWithoutVerdictBefore' : 'newVerdicts'
  if (after === 'pass') {
    if (before === 'pass') return 'unchanged'
    return cases === 'lost' ? 'lostVerdicts' : 'fixed'
  }
  if (after === 'fail' && cases === 'newly failing') return 'regressions'
  if (before === 'pass') return after === 'fail' ? 'failingWithoutVerdictBefore' : 'newlyTolerated'
  if (cases === 'newly failing' || cases === 'different') return 'changedDeviations'
  if (before === after) return after === 'fail' ? 'stillFailing' : 'unchanged'
  return after === 'fail' ? 'noLongerTolerated' : 'newlyTolerated'
}

export interface Change {
  kind: ChangeKind
  before: State
  after: State
  /** Absent if the cases of either result are unknown. */
  cases?: ChangedCases
}

/** Returns the change of a requirement between two runs. @param absence state of a result that is undefined */
export function change(
  before: ComparedResult | undefined,
  after: ComparedResult | undefined,
  absence: { before: State; after: State } = { before: 'absent', after: 'absent' },
): Change {
  const from = before?.state ?? absence.before
  const to = after?.state ?? absence.after
  const [was, is] = [before?.cases, after?.cases]
  if (was && is) {
    const cases = changedCases(was, is)
    return { kind: kindOf(from, to, caseChangeOf(was, is, cases)), before: from, after: to, cases }
  }
  // Without cases in a run, only its state is known.
  return {
    kind: kindOf(from, to, from === 'pass' ? 'newly failing' : 'same'),
    before: from,
    after: to,
  }
}
