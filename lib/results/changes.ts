import { type Verdict, verdicts } from './run-report.ts'

/** State of a requirement in a report. `partial pass`: a pass with unchecked parts. */
export type ReportedState = Verdict | 'partial pass' | 'not selected'

/** `not probed`: the service was not probed. `absent`: the report has the service but not the requirement. */
export type State = ReportedState | 'not probed' | 'absent'

export const states: readonly State[] = [
  ...verdicts,
  ...(['partial pass', 'not selected', 'not probed', 'absent'] as const),
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
  partialPasses: 'neutral',
  newVerdicts: 'neutral',
  notComparable: 'neutral',
  addedRequirements: 'neutral',
  removedRequirements: 'neutral',
  unchanged: 'neutral',
} as const satisfies Record<string, Severity>

export type ChangeKind = keyof typeof changeSeverities

export const changeKinds = Object.keys(changeSeverities) as ChangeKind[]

export interface ChangeRule {
  kind: ChangeKind
  before: readonly State[]
  after: readonly State[]
  /** Comparison of the deviations; absent: any. */
  deviation?: 'same' | 'different'
  /** Comparison of the versions of Plumbline; absent: any. */
  version?: 'same' | 'different'
}

const rule = (
  kind: ChangeKind,
  before: readonly State[],
  after: readonly State[],
  conditions: Pick<ChangeRule, 'deviation' | 'version'> = {},
): ChangeRule => ({ kind, before, after, ...conditions })

const same = { deviation: 'same' } as const
const different = { deviation: 'different' } as const
const tolerated = ['waived', 'advisory'] as const
const deviating = ['fail', ...tolerated] as const
const passing = ['pass', 'partial pass'] as const
const judged: readonly State[] = [...passing, ...deviating]
const noVerdict = ['inconclusive', 'skipped'] as const
const notRequested = ['not selected', 'not probed'] as const
const open = [...noVerdict, ...notRequested] as const

/** Rules for changes: exactly one applies to each pair of states in any circumstances. */
export const changeRules: readonly ChangeRule[] = [
  rule('regressions', ['pass'], ['fail']),
  rule('failingWithoutVerdictBefore', ['partial pass', ...open, 'absent'], ['fail']),
  rule('noLongerAdvisory', ['advisory'], ['fail']),
  rule('lostVerdicts', judged, noVerdict),
  rule('notRun', judged, notRequested),
  rule('notRun', judged, ['absent'], { version: 'same' }),
  rule('changedDeviations', ['fail', 'waived'], deviating, different),
  rule('changedDeviations', ['advisory'], tolerated, different),
  rule('noLongerWaived', ['waived'], ['fail'], same),
  rule('newDeviations', passing, tolerated),
  rule('stillFailing', ['fail'], ['fail'], same),
  rule('fixed', deviating, ['pass']),
  rule('newlyAccepted', ['fail'], tolerated, same),
  rule('newlyAccepted', ['waived'], ['advisory'], same),
  rule('newlyAccepted', ['advisory'], ['waived'], same),
  rule('partialPasses', ['pass', ...deviating], ['partial pass']),
  rule('newVerdicts', noVerdict, [...passing, ...tolerated]),
  rule('notComparable', notRequested, [...passing, ...tolerated]),
  rule('addedRequirements', ['absent'], [...passing, ...tolerated, ...noVerdict, 'not selected']),
  rule('removedRequirements', judged, ['absent'], { version: 'different' }),
  rule('removedRequirements', [...noVerdict, 'not selected'], ['absent']),
  rule('unchanged', ['pass'], ['pass']),
  rule('unchanged', ['partial pass'], passing),
  rule('unchanged', ['waived'], ['waived'], same),
  rule('unchanged', ['advisory'], ['advisory'], same),
  rule('unchanged', open, open),
  rule('unchanged', ['absent'], ['not probed', 'absent']),
  rule('unchanged', ['not probed'], ['absent']),
]

/** State of a requirement in a run. */
export interface ComparedResult {
  state: ReportedState
  /** Digest that is equal for equal deviations; absent if unknown. */
  deviation?: string
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
  const deviations = [before, after].flatMap((result) => result?.deviation ?? [])
  const deviation = new Set(deviations).size < 2 ? 'same' : 'different'
  const version = sameVersion ? 'same' : 'different'
  const rule = changeRules.find(
    (candidate) =>
      candidate.before.includes(from) &&
      candidate.after.includes(to) &&
      (candidate.deviation ?? deviation) === deviation &&
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
