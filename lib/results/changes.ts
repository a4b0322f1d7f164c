import { type Verdict, verdicts } from './result.ts'

/** What a report says of a requirement. A pass from which nothing is concluded is a `partial pass`. */
export type ReportedState = Verdict | 'partial pass' | 'not selected'

/** `not probed`: its service was not. `absent`: the report has its service, and not the requirement. */
export type State = ReportedState | 'not probed' | 'absent'

export const states = [
  ...verdicts,
  'partial pass',
  'not selected',
  'not probed',
  'absent',
] as const satisfies readonly State[]

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

const tolerated = ['waived', 'advisory'] as const
const deviating = ['fail', ...tolerated] as const
const passing = ['pass', 'partial pass'] as const
const judged = [...passing, ...deviating] as const
const unjudged = ['inconclusive', 'skipped'] as const
const unasked = ['not selected', 'not probed'] as const

/** The table of changes: each pair of states, in any circumstances, is in exactly one rule. */
export const changeRules: readonly ChangeRule[] = [
  { kind: 'newlyFailing', before: ['pass'], after: ['fail'] },
  {
    kind: 'failingUnjudgedBefore',
    before: ['partial pass', ...unjudged, ...unasked, 'absent'],
    after: ['fail'],
  },
  { kind: 'noLongerAdvisory', before: ['advisory'], after: ['fail'] },
  { kind: 'newlyUnjudged', before: judged, after: unjudged },
  { kind: 'notLookedAt', before: judged, after: unasked },
  { kind: 'notLookedAt', before: judged, after: ['absent'], version: 'same' },
  {
    kind: 'deviatingOtherwise',
    before: ['fail', 'waived'],
    after: deviating,
    deviation: 'different',
  },
  {
    kind: 'deviatingOtherwise',
    before: ['advisory'],
    after: tolerated,
    deviation: 'different',
  },
  { kind: 'noLongerWaived', before: ['waived'], after: ['fail'], deviation: 'same' },
  { kind: 'newlyDeviating', before: passing, after: tolerated },
  { kind: 'stillFailing', before: ['fail'], after: ['fail'], deviation: 'same' },
  { kind: 'mended', before: deviating, after: ['pass'] },
  { kind: 'newlyTolerated', before: ['fail'], after: tolerated, deviation: 'same' },
  { kind: 'newlyTolerated', before: ['waived'], after: ['advisory'], deviation: 'same' },
  { kind: 'newlyTolerated', before: ['advisory'], after: ['waived'], deviation: 'same' },
  { kind: 'judgedLess', before: ['pass', ...deviating], after: ['partial pass'] },
  { kind: 'newlyJudged', before: unjudged, after: [...passing, ...tolerated] },
  { kind: 'notComparable', before: unasked, after: [...passing, ...tolerated] },
  {
    kind: 'newRows',
    before: ['absent'],
    after: [...passing, ...tolerated, ...unjudged, 'not selected'],
  },
  { kind: 'goneRows', before: judged, after: ['absent'], version: 'different' },
  { kind: 'goneRows', before: [...unjudged, 'not selected'], after: ['absent'] },
  { kind: 'unchanged', before: ['pass'], after: ['pass'] },
  { kind: 'unchanged', before: ['partial pass'], after: passing },
  { kind: 'unchanged', before: ['waived'], after: ['waived'], deviation: 'same' },
  { kind: 'unchanged', before: ['advisory'], after: ['advisory'], deviation: 'same' },
  { kind: 'unchanged', before: [...unjudged, ...unasked], after: [...unjudged, ...unasked] },
  { kind: 'unchanged', before: ['absent'], after: ['not probed', 'absent'] },
  { kind: 'unchanged', before: ['not probed'], after: ['absent'] },
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

/** Returns true if a verdict was lost, for whatever reason. */
export function isLoss(kind: ChangeKind): boolean {
  return kind === 'newlyUnjudged' || kind === 'notLookedAt'
}

/** Returns true if the target behaves differently, or its behavior became known or unknown. */
export function isTurn(kind: ChangeKind): boolean {
  const turns: readonly ChangeKind[] = [
    'newlyFailing',
    'failingUnjudgedBefore',
    'newlyUnjudged',
    'newlyDeviating',
    'mended',
    'newlyJudged',
  ]
  return turns.includes(kind)
}
