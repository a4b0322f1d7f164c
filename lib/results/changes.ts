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

type CaseChange = (typeof caseChanges)[number]

interface ChangeRule {
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
const statesWithoutVerdict = ['inconclusive', 'skipped'] as const
const notRequested = ['not selected', 'not probed'] as const
const open = [...statesWithoutVerdict, ...notRequested] as const

/** Rules for changes: exactly one applies to each pair of states in any circumstances. */
export const changeRules: readonly ChangeRule[] = [
  rule('regressions', ['pass', 'fail', 'waived'], ['fail'], cases('newly failing')),
  rule('failingWithoutVerdictBefore', ['pass'], ['fail'], cases('different', 'same', 'lost')),
  rule('failingWithoutVerdictBefore', [...open, 'absent'], ['fail']),
  rule('noLongerAdvisory', ['advisory'], ['fail']),
  rule('lostVerdicts', judged, statesWithoutVerdict),
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
  rule('newVerdicts', statesWithoutVerdict, ['pass', ...tolerated]),
  rule('notComparable', notRequested, ['pass', ...tolerated]),
  rule(
    'addedRequirements',
    ['absent'],
    ['pass', ...tolerated, ...statesWithoutVerdict, 'not selected'],
  ),
  rule('removedRequirements', judged, ['absent'], { version: 'different' }),
  rule('removedRequirements', [...statesWithoutVerdict, 'not selected'], ['absent']),
  rule('unchanged', ['pass'], ['pass']),
  rule('unchanged', ['waived'], ['waived'], same),
  rule('unchanged', ['advisory'], ['advisory'], same),
  rule('unchanged', open, open),
  rule('unchanged', ['absent'], ['not probed', 'absent']),
  rule('unchanged', ['not probed'], ['absent']),
]

/** Cases are named by keys, see `caseKey`. */
export interface ComparedCases {
  /** Digest of the deviations of each case that deviates, simple cases first; empty if the report has none. */
  deviating: ReadonlyMap<string, string>
  /**
   * Cases that the run judged for any requirement; absent in a line of a history, which judged all. A response that
   * a requirement does not apply to does not contradict it.
   */
  judged?: ReadonlySet<string>
  missing?: ReadonlySet<string>
}

export interface ComparedResult {
  state: ReportedState
  /** Absent if they are unknown, or without a verdict. */
  cases?: ComparedCases
}

/** Cases that deviate in either of two results, by how they changed. */
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

function isCaseJudged({ deviating, judged, missing }: ComparedCases, key: string): boolean {
  return deviating.has(key) || (!missing?.has(key) && (judged?.has(key) ?? true))
}

export function changedCases(before: ComparedCases, after: ComparedCases): ChangedCases {
  const was = [...before.deviating].map(([key, digest]) => {
    const now = after.deviating.get(key)
    const isSame = now !== undefined && (now === digest || now === '' || digest === '')
    return { key, now, isSame, isJudged: isCaseJudged(after, key) }
  })
  const added = [...after.deviating.keys()]
    .filter((key) => !before.deviating.has(key))
    .map((key) => ({ key, wasJudged: isCaseJudged(before, key) }))
  const keys = (list: readonly { key: string }[]) => list.map(({ key }) => key)
  return {
    fixed: keys(was.filter(({ now, isJudged }) => now === undefined && isJudged)),
    stillFailing: keys(was.filter(({ isSame }) => isSame)),
    different: keys(was.filter(({ now, isSame }) => now !== undefined && !isSame)),
    newlyFailing: keys(added.filter(({ wasJudged }) => wasJudged)),
    unknownBefore: keys(added.filter(({ wasJudged }) => !wasJudged)),
    lost: keys(was.filter(({ isJudged }) => !isJudged)),
  }
}

const noCases: ComparedCases = { deviating: new Map(), judged: new Set() }

/** Returns the cases of a result, none for a result without a verdict; undefined if they are unknown. */
function casesOf(result: ComparedResult | undefined): ComparedCases | undefined {
  return result?.cases ?? (result && isJudgedState(result.state) ? undefined : noCases)
}

/** Returns the change of the cases that decides about a requirement. */
function caseChangeOf(was: ComparedCases, is: ComparedCases, changed: ChangedCases): CaseChange {
  const { newlyFailing, different, unknownBefore, lost } = changed
  if (is.deviating.size === 0) return lost.length > 0 ? 'lost' : 'same'
  if (newlyFailing.length > 0) return 'newly failing'
  // The same deviation in a case that was not judged before is not another deviation.
  const digests = new Set(was.deviating.values())
  const isOther = unknownBefore.some((key) => !digests.has(is.deviating.get(key) ?? ''))
  return different.length > 0 || isOther ? 'different' : 'same'
}

interface Circumstances {
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
  /** Absent if the cases of either result are unknown. */
  cases?: ChangedCases
}

/** Returns the change of a requirement between two runs. @param before undefined: not in the report */
export function change(
  before: ComparedResult | undefined,
  after: ComparedResult | undefined,
  { wasProbed = true, isProbed = true, sameVersion = true }: Circumstances = {},
): Change {
  const from = before?.state ?? (wasProbed ? 'absent' : 'not probed')
  const to = after?.state ?? (isProbed ? 'absent' : 'not probed')
  const [was, is] = [casesOf(before), casesOf(after)]
  const cases = was && is ? changedCases(was, is) : undefined
  // Without cases in a run, only its state is known.
  const unknown = from === 'pass' ? 'newly failing' : 'same'
  const caseChange = was && is && cases ? caseChangeOf(was, is, cases) : unknown
  const version = sameVersion ? 'same' : 'different'
  const rule = changeRules.find(
    (candidate) =>
      candidate.before.includes(from) &&
      candidate.after.includes(to) &&
      (candidate.cases ?? caseChanges).includes(caseChange) &&
      (candidate.version ?? version) === version,
  )
  if (rule === undefined) throw new Error(`No rule for a change from ${from} to ${to}.`)
  const { kind } = rule
  return {
    kind,
    severity: changeSeverities[kind],
    before: from,
    after: to,
    ...(cases && { cases }),
  }
}

/** Returns true for a state with a verdict other than skipped and inconclusive. */
export function isJudgedState(state: State): boolean {
  return judged.includes(state)
}

export const lossKinds: readonly ChangeKind[] = ['lostVerdicts', 'notRun']

/** Changes of the target, or of the knowledge about it; waiving a failure is not included. */
export const targetChanges: readonly ChangeKind[] = [
  'regressions',
  'failingWithoutVerdictBefore',
  'lostVerdicts',
  'newDeviations',
  'fixed',
  'newVerdicts',
]
