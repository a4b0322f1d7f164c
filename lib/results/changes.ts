import { type Verdict, verdicts } from './run-report.ts'

/** What a report says of a requirement. A pass from which nothing is concluded is a `partial pass`. */
export type ReportedState = Verdict | 'partial pass' | 'not selected'

/** `not probed`: its service was not. `absent`: the report has its service, and not the requirement. */
export type State = ReportedState | 'not probed' | 'absent'

export const states: readonly State[] = [
  ...verdicts,
  ...(['partial pass', 'not selected', 'not probed', 'absent'] as const),
]

/**
 * `worse`: the target is, or a verdict was lost. `incomplete`: what was judged was not looked at.
 * `notable`: no worse, but to be looked at. `better` and `neutral` decide nothing.
 */
export type Severity = 'worse' | 'incomplete' | 'notable' | 'better' | 'neutral'

/** Every kind of change, what matters most first. */
export const changeSeverities = {
  newlyFailing: 'worse',
  failingUnjudgedBefore: 'worse',
  noLongerAdvisory: 'worse',
  newlyUnjudged: 'worse',
  notLookedAt: 'incomplete',
  deviatingOtherwise: 'notable',
  noLongerWaived: 'notable',
  newlyDeviating: 'neutral',
  stillFailing: 'neutral',
  mended: 'better',
  newlyTolerated: 'neutral',
  judgedLess: 'neutral',
  newlyJudged: 'neutral',
  notComparable: 'neutral',
  newRows: 'neutral',
  goneRows: 'neutral',
  unchanged: 'neutral',
} as const satisfies Record<string, Severity>

export type ChangeKind = keyof typeof changeSeverities

export const changeKinds = Object.keys(changeSeverities) as ChangeKind[]

export interface ChangeRule {
  kind: ChangeKind
  before: readonly State[]
  after: readonly State[]
  /** Whether the requirement deviates as before; without it, either way. */
  deviation?: 'same' | 'different'
  /** Whether both reports are of one version of Plumbline; without it, either way. */
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
const unjudged = ['inconclusive', 'skipped'] as const
const unasked = ['not selected', 'not probed'] as const
const open = [...unjudged, ...unasked] as const

/** The table of changes: each pair of states, in any circumstances, is in exactly one rule. */
export const changeRules: readonly ChangeRule[] = [
  rule('newlyFailing', ['pass'], ['fail']),
  rule('failingUnjudgedBefore', ['partial pass', ...open, 'absent'], ['fail']),
  rule('noLongerAdvisory', ['advisory'], ['fail']),
  rule('newlyUnjudged', judged, unjudged),
  rule('notLookedAt', judged, unasked),
  rule('notLookedAt', judged, ['absent'], { version: 'same' }),
  rule('deviatingOtherwise', ['fail', 'waived'], deviating, different),
  rule('deviatingOtherwise', ['advisory'], tolerated, different),
  rule('noLongerWaived', ['waived'], ['fail'], same),
  rule('newlyDeviating', passing, tolerated),
  rule('stillFailing', ['fail'], ['fail'], same),
  rule('mended', deviating, ['pass']),
  rule('newlyTolerated', ['fail'], tolerated, same),
  rule('newlyTolerated', ['waived'], ['advisory'], same),
  rule('newlyTolerated', ['advisory'], ['waived'], same),
  rule('judgedLess', ['pass', ...deviating], ['partial pass']),
  rule('newlyJudged', unjudged, [...passing, ...tolerated]),
  rule('notComparable', unasked, [...passing, ...tolerated]),
  rule('newRows', ['absent'], [...passing, ...tolerated, ...unjudged, 'not selected']),
  rule('goneRows', judged, ['absent'], { version: 'different' }),
  rule('goneRows', [...unjudged, 'not selected'], ['absent']),
  rule('unchanged', ['pass'], ['pass']),
  rule('unchanged', ['partial pass'], passing),
  rule('unchanged', ['waived'], ['waived'], same),
  rule('unchanged', ['advisory'], ['advisory'], same),
  rule('unchanged', open, open),
  rule('unchanged', ['absent'], ['not probed', 'absent']),
  rule('unchanged', ['not probed'], ['absent']),
]

/** A requirement in a run, as far as changes depend on it. */
export interface ComparedResult {
  state: ReportedState
  /** Equal in two runs in which the requirement deviated in the same way; absent if unknown. */
  deviation?: string
}

export interface Circumstances {
  /** True unless the earlier run did not probe the service of the requirement. */
  wasProbed?: boolean
  /** The same for the later run. */
  isProbed?: boolean
  /** True unless the runs are of different versions of Plumbline. */
  sameVersion?: boolean
}

export interface Change {
  kind: ChangeKind
  severity: Severity
  before: State
  after: State
}

/** Returns what changed for a requirement between two runs. @param before undefined: not in the report */
export function change(
  before: ComparedResult | undefined,
  after: ComparedResult | undefined,
  { wasProbed = true, isProbed = true, sameVersion = true }: Circumstances = {},
): Change {
  const was = before?.state ?? (wasProbed ? 'absent' : 'not probed')
  const is = after?.state ?? (isProbed ? 'absent' : 'not probed')
  const [one, other] = [before?.deviation, after?.deviation]
  const deviation = one === undefined || other === undefined || one === other ? 'same' : 'different'
  const version = sameVersion ? 'same' : 'different'
  const rule = changeRules.find(
    (each) =>
      each.before.includes(was) &&
      each.after.includes(is) &&
      (each.deviation ?? deviation) === deviation &&
      (each.version ?? version) === version,
  )
  if (rule === undefined) throw new Error(`No rule for a change from ${was} to ${is}.`)
  return { kind: rule.kind, severity: changeSeverities[rule.kind], before: was, after: is }
}

/** Returns true for a state with a verdict other than skipped and inconclusive. */
export function isJudgedState(state: State): boolean {
  return judged.includes(state)
}

/** Changes by which a verdict was lost, for whatever reason. */
export const lossKinds: readonly ChangeKind[] = ['newlyUnjudged', 'notLookedAt']

/** Changes of what the target does, or of whether that is known; to waive a failure is none. */
export const turnKinds: readonly ChangeKind[] = [
  'newlyFailing',
  'failingUnjudgedBefore',
  'newlyUnjudged',
  'newlyDeviating',
  'mended',
  'newlyJudged',
]
