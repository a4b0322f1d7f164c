import { groupBy } from '../text/group-by.ts'
import { type Verdict, verdicts } from './run-report.ts'
import { isDeviation, isJudged } from './verdict.ts'

export type ReportedState = Verdict | 'not selected'

/** `not probed`: the service was not probed. `absent`: the report has the service but not the requirement. */
export type State = ReportedState | 'not probed' | 'absent'

/** Changes of a requirement, or of a case of it, between two runs; the most important first. */
export const changeKinds = [
  'newlyFailing',
  'noLongerJudged',
  'failsDifferently',
  'fixed',
  'same',
] as const

export type ChangeKind = (typeof changeKinds)[number]

export interface ComparedCases {
  /** Text of the deviations of each case that deviates, simple cases first; empty if the report has none. */
  deviating: ReadonlyMap<string, string>
  /** Cases that the run judged for any requirement, and could judge for this one: what it does not apply to does not contradict it. */
  judged: ReadonlySet<string>
}

export interface ComparedResult {
  state: ReportedState
  /** Absent if they are unknown, or without a verdict. */
  cases?: ComparedCases
}

/** Ids of the cases that deviate in either of two results, by how they changed; without empty lists. */
export type ChangedCases = Partial<Record<ChangeKind, string[]>>

function changedCases(before: ComparedCases, after: ComparedCases): ChangedCases {
  const texts = new Set(before.deviating.values())
  const kindOf = (id: string): ChangeKind => {
    const [was, is] = [before.deviating.get(id), after.deviating.get(id)]
    if (is === undefined) return after.judged.has(id) ? 'fixed' : 'noLongerJudged'
    if (was === undefined && before.judged.has(id)) return 'newlyFailing'
    // The same deviation in a case that was not judged before is not another deviation.
    const isSame = was === undefined ? texts.has(is) : was === is || was === '' || is === ''
    return isSame ? 'same' : 'failsDifferently'
  }
  const ids = [...new Set([...before.deviating.keys(), ...after.deviating.keys()])]
  return Object.fromEntries(groupBy(ids, kindOf))
}

/** Returns true for a state with a verdict other than skipped and inconclusive. */
export function isJudgedState(state: State): boolean {
  return verdicts.some((verdict) => verdict === state && isJudged(verdict))
}

/** Only an unwaived failure that counts is newly failing; a waived or advisory one fails differently. */
function kindOf(before: State, after: State, cases: ChangedCases): ChangeKind {
  const isDeviating = (state: State) => isJudgedState(state) && isDeviation(state as Verdict)
  if (!isJudgedState(after)) return isJudgedState(before) ? 'noLongerJudged' : 'same'
  if (after === 'pass') {
    if (!isDeviating(before)) return 'same'
    return cases.noLongerJudged === undefined ? 'fixed' : 'noLongerJudged'
  }
  const isNew = !isDeviating(before) || cases.newlyFailing !== undefined
  if (isNew && after === 'fail') return 'newlyFailing'
  if (isNew || (after !== 'fail' && before !== after)) return 'failsDifferently'
  return cases.failsDifferently === undefined ? 'same' : 'failsDifferently'
}

export interface Change {
  kind: ChangeKind
  before: State
  after: State
  cases: ChangedCases
}

/** Returns the change of a requirement between two runs. @param absence state of a result that is undefined */
export function change(
  before: ComparedResult | undefined,
  after: ComparedResult | undefined,
  absence: { before: State; after: State } = { before: 'absent', after: 'absent' },
): Change {
  const states = { before: before?.state ?? absence.before, after: after?.state ?? absence.after }
  // Without cases in a run, only its state is known.
  const cases = before?.cases && after?.cases ? changedCases(before.cases, after.cases) : {}
  return { kind: kindOf(states.before, states.after, cases), ...states, cases }
}
