import { groupBy } from '../text/group-by.ts'
import { idParts, toServiceName } from './ids.ts'
import { createNormalizer } from './normalize.ts'
import { isDeviation, isJudged } from './outcome.ts'
import {
  caseIds,
  problemText,
  type RequirementResult,
  type RunReport,
  type Verdict,
  verdicts,
} from './run-report.ts'

/** `not probed`: the service was not probed. `absent`: the report has the service but not the requirement. */
export type State = Verdict | 'not selected' | 'not probed' | 'absent'

/** Changes of a requirement, or of a case of it, between two runs; the most important first. */
export const changeKinds = [
  'newlyFailing',
  'noLongerJudged',
  'failsDifferently',
  'fixed',
  'same',
] as const

export type ChangeKind = (typeof changeKinds)[number]

interface ComparedCases {
  /** Text of the deviations of each case that deviates, simple cases first; empty if the report has none. */
  deviating: ReadonlyMap<string, string>
  /** Cases that the run judged for any requirement, and could judge for this one: what it does not apply to does not contradict it. */
  judged: ReadonlySet<string>
}

export interface ComparedResult {
  state: State
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
    const isNew = before.judged.has(id) || before.deviating.size === 0
    if (was === undefined && isNew) return 'newlyFailing'
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

export function change(before: ComparedResult, after: ComparedResult) {
  // Without cases in a run, only its state is known.
  const cases = before.cases && after.cases ? changedCases(before.cases, after.cases) : {}
  const kind = kindOf(before.state, after.state, cases)
  return { kind, before: before.state, after: after.state, cases }
}

export const stateOf = ({ verdict, noVerdict }: RequirementResult): State =>
  noVerdict?.kind === 'not selected' ? 'not selected' : verdict

type ComparedRun = Pick<RunReport, 'run' | 'target' | 'results' | 'cases'>

export function snapshotOf(report: ComparedRun): ReadonlyMap<string, ComparedResult> {
  const normalize = createNormalizer(report)
  const numbers = report.results.flatMap(({ cases }) =>
    cases ? [...cases.conforming, ...cases.deviating] : [],
  )
  const judged = caseIds(report, [...new Set(numbers)])

  /** Returns the deviations of each case; undefined for a check that did not start. */
  function comparedCases({ cases, deviations: found = [] }: RequirementResult) {
    if (cases === undefined) return undefined
    // The cases of a deviation are sorted, the cases of the result are not.
    const sorted = found.flatMap((one) => one.cases ?? [])
    const numbers = [...sorted, ...cases.deviating].filter((one) => cases.deviating.includes(one))
    const texts = new Map<number, string[]>(numbers.map((number) => [number, []]))
    for (const deviation of found) {
      const text = normalize(problemText(deviation))
      for (const number of deviation.cases ?? []) texts.get(number)?.push(text)
    }
    // A report has only some of many deviations.
    const digest = (some: string[]) => (some.length === 0 ? '' : JSON.stringify(some.sort()))
    const missing = new Set(
      caseIds(
        report,
        cases.missing.flatMap((one) => one.cases),
      ),
    )
    const deviating = [...texts].map(([number, some]) => {
      return [report.cases[number] ?? '', digest(some)] as const
    })
    return {
      deviating: new Map(deviating),
      judged: new Set(judged.filter((id) => !missing.has(id))),
    }
  }

  return new Map(
    report.results.map((result) => {
      const cases = comparedCases(result)
      return [result.requirement, { state: stateOf(result), ...(cases && { cases }) }]
    }),
  )
}

/** Returns the changes of all requirements, in the order of the later run. */
export function changesBetween(before: ComparedRun, after: ComparedRun) {
  const [was, is] = [snapshotOf(before), snapshotOf(after)]
  const absenceIn = ({ target }: ComparedRun, id: string): ComparedResult => {
    const services = Object.keys(target).map(toServiceName)
    return { state: services.includes(idParts(id).service) ? 'absent' : 'not probed' }
  }
  return [...new Set([...is.keys(), ...was.keys()])].map((id) => {
    const [earlier, later] = [
      was.get(id) ?? absenceIn(before, id),
      is.get(id) ?? absenceIn(after, id),
    ]
    return { requirement: id, ...change(earlier, later) }
  })
}
