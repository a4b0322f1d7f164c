import { stateWords } from '../../reports/changes.ts'
import { type ChangeKind, changeKinds, type State } from '../../results/changes.ts'
import { type RequirementResult, type RunReport, verdicts } from '../../results/result.ts'
import { changesBetween, deviationTexts, snapshotOf } from '../../results/snapshot.ts'
import { isJudged } from '../../results/verdict.ts'

/** What a report has of a requirement; a pass in part is a pass. */
export type Standing = Exclude<State, 'partial pass'>

/** The kinds of changes that a comparison lists, what matters most first. */
export type List = Exclude<ChangeKind, 'unchanged'>

export const listNames = changeKinds.filter((kind): kind is List => kind !== 'unchanged')

/** A requirement in a list, with what the later report has of it. */
export interface ChangedResult {
  requirement: string
  before: Standing
  after: Standing
  statement: string
  section: string
  reason?: string | undefined
  expected?: string | undefined
  actual?: string | undefined
  /** Of `deviatingOtherwise`: the deviations that only the earlier report has. */
  actualBefore?: string | undefined
}

/** A part of a requirement that reads differently under the same id. */
interface ChangedStatement {
  requirement: string
  part: 'statement' | 'section' | 'level'
  before: string
  after: string
}

/** Every list of changes, and what is apart from them. A requirement is in one list at most. */
export interface ComparedRequirements extends Record<List, ChangedResult[]> {
  changedStatements: ChangedStatement[]
  /** Number of requirements that were judged in both reports. */
  judgedInBoth: number
  /** Number of requirements without a verdict in either report. */
  unjudgedInBoth: number
}

type Report = Pick<RunReport, 'target' | 'results' | 'tool' | 'run' | 'exchanges'>

const byId = ({ results }: Report) => new Map(results.map((one) => [one.requirement, one]))

function standingOf(state: State): Standing {
  return state === 'partial pass' ? 'pass' : state
}

function hasVerdict(state: State): boolean {
  const standing = standingOf(state)
  return verdicts.some((verdict) => verdict === standing && isJudged(verdict))
}

/** Returns the deviations that only the first result has, as its report has them. */
function deviationsOnlyIn(
  [result, report]: [RequirementResult | undefined, Report],
  [otherResult, otherReport]: [RequirementResult | undefined, Report],
): string {
  if (result === undefined || otherResult === undefined) return ''
  const others = deviationTexts(otherResult, otherReport)
  const own = [...deviationTexts(result, report)]
  return own.flatMap(([normal, text]) => (others.has(normal) ? [] : text)).join('; ')
}

/** Compares what two reports say of each requirement. */
export function compareRequirements(before: Report, after: Report): ComparedRequirements {
  const [earlier, later] = [byId(before), byId(after)]
  const lists = Object.fromEntries(listNames.map((name): [List, ChangedResult[]] => [name, []]))
  const judgedIn = [0, 0, 0]
  const changedStatements: ChangedStatement[] = []
  for (const { requirement, kind, ...states } of changesBetween(
    snapshotOf(before),
    snapshotOf(after),
  )) {
    const [was, is] = [earlier.get(requirement), later.get(requirement)]
    const judged = [states.before, states.after].filter(hasVerdict).length
    judgedIn[judged] = (judgedIn[judged] ?? 0) + 1
    for (const part of ['statement', 'section', 'level'] as const) {
      if (was === undefined || is === undefined || was[part] === is[part]) continue
      changedStatements.push({ requirement, part, before: was[part], after: is[part] })
    }
    const result = is ?? was
    if (result === undefined || kind === 'unchanged') continue
    const isDifferent = kind === 'deviatingOtherwise'
    const [gone, appeared] = isDifferent
      ? [deviationsOnlyIn([was, before], [is, after]), deviationsOnlyIn([is, after], [was, before])]
      : ['', '']
    const { statement, section, expected, actual, reason } = result
    lists[kind]?.push({
      requirement,
      before: standingOf(states.before),
      after: standingOf(states.after),
      ...{ statement, section, expected },
      reason: kind === 'notLookedAt' ? stateWords[standingOf(states.after)] : reason,
      // Of several deviations only those that are different.
      actual: appeared || actual,
      actualBefore: gone || undefined,
    })
  }
  return {
    ...(lists as Record<List, ChangedResult[]>),
    changedStatements,
    judgedInBoth: judgedIn[2] ?? 0,
    unjudgedInBoth: judgedIn[0] ?? 0,
  }
}
