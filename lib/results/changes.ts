import { type Verdict, verdicts } from './run-report.ts'

/** State of a requirement in a report. */
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
  noLongerAdvisory: 'worse',
  lostVerdicts: 'worse',
  notRun: 'incomplete',
  changedDeviations: 'notable',
  noLongerWaived: 'notable',
  newDeviations: 'neutral',
  stillFailing: 'neutral',
  fixed: 'better',
  newlyAccepted: 'neutral',
  newVerdicts: 'neutral',
  notComparable: 'neutral',
  addedRequirements: 'neutral',
  removedRequirements: 'neutral',
  unchanged: 'neutral',
} as const satisfies Record<string, Severity>

export type ChangeKind = keyof typeof changeSeverities

export const changeKinds = Object.keys(changeSeverities) as ChangeKind[]

/**
 * Comparison of the cases. `lost`: a case that deviated was not judged again, and no other deviates. `newly failing`: a case
 * conformed and deviates now. `different`: a case deviates differently, or was not judged before. The first
 * that applies; otherwise `same`.
 */
export const caseChanges = ['lost', 'newly failing', 'different', 'same'] as const

export type CaseChange = (typeof caseChanges)[number]

export interface ChangeRule {
  kind: ChangeKind
  before: readonly State[]
  after: readonly State[]
  /** Absent: any. */
  cases?: readonly CaseChange[]
  /** Comparison of the versions of Plumbline; absent: any. */
  version?: 'same' | 'different'
}

const rule = (
  kind: ChangeKind,
  before: readonly State[],
  after: readonly State[],
  conditions: Pick<ChangeRule, 'cases' | 'version'> = {},
): ChangeRule => ({ kind, before, after, ...conditions })

const cases = (...changes: readonly CaseChange[]) => ({ cases: changes })
const same = cases('same', 'lost')

const tolerated = ['waived', 'advisory'] as const
const deviating = ['fail', ...tolerated] as const
const judged: readonly State[] = ['pass', ...deviating]
const noVerdict = ['inconclusive', 'skipped'] as const
const notRequested = ['not selected', 'not probed'] as const
const open = [...noVerdict, ...notRequested] as const

/** Rules for changes: exactly one applies to each pair of states in any circumstances. */
export const changeRules: readonly ChangeRule[] = [
  rule('regressions', ['pass', 'fail', 'waived'], ['fail'], cases('newly failing')),
  rule('failingWithoutVerdictBefore', ['pass'], ['fail'], cases('different', 'same', 'lost')),
  rule('failingWithoutVerdictBefore', [...open, 'absent'], ['fail']),
  rule('noLongerAdvisory', ['advisory'], ['fail']),
  rule('lostVerdicts', judged, noVerdict),
  rule('lostVerdicts', deviating, ['pass'], cases('lost')),
  rule('notRun', judged, notRequested),
  rule('notRun', judged, ['absent'], { version: 'same' }),
  rule('changedDeviations', ['fail', 'waived'], ['fail'], cases('different')),
  rule('changedDeviations', deviating, tolerated, cases('newly failing', 'different')),
  rule('noLongerWaived', ['waived'], ['fail'], same),
  rule('newDeviations', ['pass'], tolerated),
  rule('stillFailing', ['fail'], ['fail'], same),
  rule('fixed', deviating, ['pass'], cases('newly failing', 'different', 'same')),
  rule('newlyAccepted', ['fail'], tolerated, same),
  rule('newlyAccepted', ['waived'], ['advisory'], same),
  rule('newlyAccepted', ['advisory'], ['waived'], same),
  rule('newVerdicts', noVerdict, ['pass', ...tolerated]),
  rule('notComparable', notRequested, ['pass', ...tolerated]),
  rule('addedRequirements', ['absent'], ['pass', ...tolerated, ...noVerdict, 'not selected']),
  rule('removedRequirements', judged, ['absent'], { version: 'different' }),
  rule('removedRequirements', [...noVerdict, 'not selected'], ['absent']),
  rule('unchanged', ['pass'], ['pass']),
  rule('unchanged', ['waived'], ['waived'], same),
  rule('unchanged', ['advisory'], ['advisory'], same),
  rule('unchanged', open, open),
  rule('unchanged', ['absent'], ['not probed', 'absent']),
  rule('unchanged', ['not probed'], ['absent']),
]

/** Cases are named by keys, see `caseKey`. */
export interface ComparedCases {
  /** Digest of the deviations of each case that deviates. */
  deviating: ReadonlyMap<string, string>
  /** Undefined if it is unknown which cases were judged: then all of them. */
  judged?: ReadonlySet<string>
}

/** State of a requirement in a run. */
export interface ComparedResult {
  state: ReportedState
  /** Absent if the report has none, as after a check that did not start. */
  cases?: ComparedCases
}

/** Cases by how they changed. */
export interface ChangedCases {
  fixed: string[]
  stillFailing: string[]
  different: string[]
  newlyFailing: string[]
  /** Cases that deviate and were not judged before. */
  unknownBefore: string[]
  /** Cases that deviated and were not judged after. */
  lost: string[]
}

const noCases: ComparedCases = { deviating: new Map() }

/** Returns the changes of the cases that deviate in one of two results. */
export function changedCases(
  before: ComparedCases = noCases,
  after: ComparedCases = noCases,
): ChangedCases {
  const changes: ChangedCases = {
    ...{
      fixed: [],
      stillFailing: [],
      different: [],
      newlyFailing: [],
      unknownBefore: [],
      lost: [],
    },
  }
  for (const [id, digest] of before.deviating) {
    const now = after.deviating.get(id)
    const isJudged = after.judged?.has(id) ?? true
    if (now === digest) changes.stillFailing.push(id)
    else if (now !== undefined) changes.different.push(id)
    else changes[isJudged ? 'fixed' : 'lost'].push(id)
  }
  for (const id of after.deviating.keys()) {
    if (before.deviating.has(id)) continue
    const wasJudged = before.judged?.has(id) ?? true
    changes[wasJudged ? 'newlyFailing' : 'unknownBefore'].push(id)
  }
  return changes
}

/** Returns the change that decides about a requirement. */
function caseChangeOf(before: ComparedResult | undefined, after: ComparedResult | undefined) {
  const [was, is] = [before?.cases, after?.cases]
  // Without cases in one of the runs, its state says all that is known.
  if (was === undefined || is === undefined) {
    return before?.state === 'pass' && after?.state !== 'pass' ? 'newly failing' : 'same'
  }
  const { newlyFailing, different, unknownBefore, lost } = changedCases(was, is)
  if (is.deviating.size === 0) return lost.length > 0 ? 'lost' : 'same'
  if (newlyFailing.length > 0) return 'newly failing'
  // The same deviation in a case that was not judged before is no other one.
  const digests = new Set(was.deviating.values())
  const isOther = unknownBefore.some((id) => !digests.has(is.deviating.get(id) ?? ''))
  return different.length > 0 || isOther ? 'different' : 'same'
}

export interface Circumstances {
  /** True if the earlier run probed the service of the requirement; default: true. */
  wasProbed?: boolean
  /** True if the later run probed the service; default: true. */
  isProbed?: boolean
  /** True if both runs have the same version of Plumbline; default: true. */
  sameVersion?: boolean
}

export interface Change {
  kind: ChangeKind
  severity: Severity
  before: State
  after: State
}

/** Returns the change of a requirement between two runs. @param before undefined: not in the report */
export function change(
  before: ComparedResult | undefined,
  after: ComparedResult | undefined,
  { wasProbed = true, isProbed = true, sameVersion = true }: Circumstances = {},
): Change {
  const from = before?.state ?? (wasProbed ? 'absent' : 'not probed')
  const to = after?.state ?? (isProbed ? 'absent' : 'not probed')
  const cases = caseChangeOf(before, after)
  const version = sameVersion ? 'same' : 'different'
  const rule = changeRules.find(
    (candidate) =>
      candidate.before.includes(from) &&
      candidate.after.includes(to) &&
      (candidate.cases ?? caseChanges).includes(cases) &&
      (candidate.version ?? version) === version,
  )
  if (rule === undefined) throw new Error(`No rule for a change from ${from} to ${to}.`)
  return { kind: rule.kind, severity: changeSeverities[rule.kind], before: from, after: to }
}

/** Returns true for a state with a verdict other than skipped and inconclusive. */
export function isJudgedState(state: State): boolean {
  return judged.includes(state)
}

export const lossKinds: readonly ChangeKind[] = ['lostVerdicts', 'notRun']

/** Changes of the target, or of the knowledge about it; waiving a failure is not included. */
export const turnKinds: readonly ChangeKind[] = [
  'regressions',
  'failingWithoutVerdictBefore',
  'lostVerdicts',
  'newDeviations',
  'fixed',
  'newVerdicts',
]
