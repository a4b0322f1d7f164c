import { stateLabels } from '../../reports/run-changes.ts'
import { type ChangeKind, changeKinds, isJudgedState, type State } from '../../results/changes.ts'
import type { RequirementResult, RunReport } from '../../results/run-report.ts'
import { changesBetween, deviationTexts, snapshotOf } from '../../results/snapshot.ts'

/** State of a requirement in a report; a partial pass is a pass. */
export type RequirementState = Exclude<State, 'partial pass'>

/** Kinds of changes that a comparison lists, most important first. */
export type List = Exclude<ChangeKind, 'unchanged'>

export const listNames = changeKinds.filter((kind): kind is List => kind !== 'unchanged')

/** Changed requirement, with its result in the later report. */
export interface ChangedResult
  extends Pick<RequirementResult, 'requirement' | 'statement' | 'section'> {
  before: RequirementState
  after: RequirementState
  reason?: string | undefined
  expected?: string | undefined
  actual?: string | undefined
  /** For `changedDeviations`: the deviations that only the earlier report has. */
  actualBefore?: string | undefined
}

/** Text of a requirement that differs between the versions of Plumbline. */
interface ChangedStatement {
  requirement: string
  part: 'statement' | 'section' | 'level'
  before: string
  after: string
}

/** All lists of changes. A requirement is in one list at most. */
export interface ComparedRequirements extends Record<List, ChangedResult[]> {
  changedStatements: ChangedStatement[]
  judgedInBoth: number
  /** Number of requirements without a verdict in either report. */
  noVerdictInBoth: number
}

type Texts = ReadonlyMap<string, string>

/** Returns the texts that are only in the first list, and those that are only in the second. */
function onlyInEither(one: Texts, other: Texts): string[] {
  return [[one, other] as const, [other, one] as const].map(([some, others]) =>
    [...some].flatMap(([normal, text]) => (others.has(normal) ? [] : text)).join('; '),
  )
}

type Report = Pick<RunReport, 'target' | 'results' | 'tool' | 'run' | 'exchanges'>

function stateOf(state: State): RequirementState {
  return state === 'partial pass' ? 'pass' : state
}

/** Compares the results of each requirement in two reports. */
export function compareRequirements(before: Report, after: Report): ComparedRequirements {
  const [earlier, later] = [before, after].map(
    ({ results }) => new Map(results.map((one) => [one.requirement, one])),
  )
  const lists = Object.fromEntries(listNames.map((name): [List, ChangedResult[]] => [name, []]))
  const changedStatements: ChangedStatement[] = []
  const changes = changesBetween(snapshotOf(before), snapshotOf(after))
  for (const { requirement, kind, ...states } of changes) {
    const [was, is] = [earlier?.get(requirement), later?.get(requirement)]
    for (const part of ['statement', 'section', 'level'] as const) {
      if (was === undefined || is === undefined || was[part] === is[part]) continue
      changedStatements.push({ requirement, part, before: was[part], after: is[part] })
    }
    const result = is ?? was
    if (result === undefined || kind === 'unchanged') continue
    const { statement, section, expected, actual, reason } = result
    const state = stateOf(states.after)
    // Only the deviations that differ.
    const [gone, appeared] =
      was && is && kind === 'changedDeviations'
        ? onlyInEither(deviationTexts(was, before), deviationTexts(is, after))
        : []
    lists[kind]?.push({
      requirement,
      before: stateOf(states.before),
      after: state,
      ...{ statement, section, expected },
      reason: kind === 'notRun' ? stateLabels[state] : reason,
      actual: appeared || actual,
      actualBefore: gone || undefined,
    })
  }
  const judgedIn = (count: number) =>
    changes.filter((one) => [one.before, one.after].filter(isJudgedState).length === count).length
  return {
    ...(lists as Record<List, ChangedResult[]>),
    changedStatements,
    judgedInBoth: judgedIn(2),
    noVerdictInBoth: judgedIn(0),
  }
}
