import type { RequirementResult, RunReport, Verdict } from '../conformance/result.ts'
import { serviceName } from '../reports/run-words.ts'
import { judged, verdictWords } from '../reports/verdict-counts.ts'
import { originsOf } from './observation-diff.ts'

const otherStandings = {
  absent: 'not in the report',
  'not probed': 'the service was not probed',
  'not selected': 'not selected',
} as const

/**
 * What a report has of a requirement: its verdict, or `absent` where the service was probed and the
 * tool did not know the requirement, `not probed` where the service was not, `not selected` where
 * nobody asked for it.
 */
type Standing = Verdict | keyof typeof otherStandings

/** A standing in words: `passed`, `not selected`. */
export function standingText(standing: Standing): string {
  return { ...verdictWords, ...otherStandings }[standing]
}

/** A requirement whose standing changed, with what the later report has of it. */
export interface ChangedResult {
  requirement: string
  statement: string
  section: string
  before: Standing
  after: Standing
  reason: string | undefined
  expected: string | undefined
  actual: string | undefined
  /** What came before, where it deviated before too and something else came. */
  actualBefore: string | undefined
}

export type Tone = 'bad' | 'doubtful' | 'good' | 'plain'

/** How a list of changed results is presented. */
export interface ListFormat {
  title: string
  /** The exit status of a comparison with something in the list; 1 wins over 3. */
  status?: 1 | 3
  tone: Tone
  /** `failures`: with what was expected and what came. `reasons`: grouped by reason. */
  layout: 'failures' | 'reasons' | 'ids'
  /** Whether Markdown folds it until a reader opens it. */
  folded?: true
}

const bad = { tone: 'bad', layout: 'failures' } as const
const doubtful = { tone: 'doubtful', layout: 'failures' } as const
const unjudged = { tone: 'doubtful', layout: 'reasons' } as const
const folded = { tone: 'plain', layout: 'ids', folded: true } as const

/**
 * Every list of a comparison, what matters most first; `compare.schema.json` says what is in it. A
 * requirement is in one of them at most.
 */
export const lists = {
  newlyFailing: { title: 'Newly failing', status: 1, ...bad },
  newlyUnjudged: { title: 'Newly without a verdict', status: 1, ...unjudged },
  notLookedAt: { title: 'Judged before and not looked at after', status: 3, ...unjudged },
  deviatingOtherwise: { title: 'Deviating otherwise than before', ...doubtful },
  noLongerWaived: { title: 'No longer waived', ...bad },
  newlyDeviating: { title: 'Newly deviating but waived or advisory', ...doubtful },
  stillFailing: { title: 'Still failing', ...folded, tone: 'bad' },
  mended: { title: 'Mended', ...folded, tone: 'good' },
  newlyTolerated: { title: 'Now waived or advisory', ...folded },
  judgedLess: { title: 'Judged less than before', ...unjudged, folded: true },
  newlyJudged: { title: 'Newly judged', ...folded },
  notComparable: { title: 'Judged after and not asked for before', ...folded },
  newRows: { title: 'Only in the report after', ...folded },
  goneRows: { title: 'Only in the report before', ...folded },
} satisfies Record<string, ListFormat>

export type List = keyof typeof lists

export const listNames = Object.keys(lists) as List[]

/** What became of the requirements of two reports. */
export interface VerdictComparison extends Record<List, ChangedResult[]> {
  /** Parts of requirements that read differently under the same id. */
  changedStatements: { requirement: string; part: string; before: string; after: string }[]
  /** How many were judged in both reports. */
  judgedInBoth: number
  /** How many have no verdict in either report. */
  unjudgedInBoth: number
}

export function isVerdict(standing: Standing): standing is Verdict {
  return standing in verdictWords
}

function isJudged(standing: Standing): boolean {
  return isVerdict(standing) && judged(standing)
}

/**
 * The list that a change belongs to; `undefined` for what is no change.
 *
 * @param circumstances.sameDeviation what came is the same in both reports, or neither tells it
 * @param circumstances.newlyInPart the later report tells what was left out of a pass, the other not
 * @param circumstances.sameTool both reports are of the same version of Plumbline
 */
function transition(
  before: Standing,
  after: Standing,
  circumstances: { sameDeviation: boolean; newlyInPart: boolean; sameTool: boolean },
): List | undefined {
  const { sameDeviation, newlyInPart, sameTool } = circumstances
  const wasJudged = isJudged(before)
  if (after === 'fail' && !wasJudged) return 'newlyFailing'
  if (after === 'absent') return wasJudged && sameTool ? 'notLookedAt' : 'goneRows'
  if (!isVerdict(after) && wasJudged) return 'notLookedAt'
  if (before === 'absent') return 'newRows'
  if (!isJudged(after)) return wasJudged ? 'newlyUnjudged' : undefined
  if (!wasJudged) return isVerdict(before) ? 'newlyJudged' : 'notComparable'
  if (after === 'pass' && before === 'pass') return newlyInPart ? 'judgedLess' : undefined
  if (after === 'pass') return 'mended'
  if (before === 'pass') return after === 'fail' ? 'newlyFailing' : 'newlyDeviating'
  if (after === 'fail' && before === 'advisory') return 'newlyFailing'
  if (after === 'fail' && before === 'fail') return 'stillFailing'
  if (!sameDeviation) return 'deviatingOtherwise'
  if (after === 'fail') return 'noLongerWaived'
  return before === after ? undefined : 'newlyTolerated'
}

type Report = Pick<RunReport, 'target' | 'results' | 'tool' | 'run'>

/** What a run writes into its texts and no other run does, with what stands for it. */
const volatileTexts: readonly [RegExp, string][] = [
  [/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi, '(a UUID)'],
  [/\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?/g, '(a date)'],
  [/\b(?=[a-f]*\d)[\da-f]{16,}\b/gi, '(an id)'],
]

/** What came, without dates, ids, the name of the run and the address of the deployment. */
function comparableActual({ actual = '' }: RequirementResult, { run, target }: Report): string {
  const ofTheRun = [run.id, ...originsOf(target)].filter((text) => text !== '')
  const withoutOwn = ofTheRun.reduce((text, own) => text.replaceAll(own, '(of the run)'), actual)
  return volatileTexts.reduce((text, [pattern, words]) => text.replace(pattern, words), withoutOwn)
}

/** Results by id, and the standing of any requirement. */
function standingsIn({ results, target }: Report) {
  const byId = new Map(results.map((result) => [result.requirement, result]))
  const services = new Set(Object.keys(target).map(serviceName))
  const standingOf = (requirement: string): Standing => {
    const result = byId.get(requirement)
    if (result?.unjudged?.kind === 'not selected') return 'not selected'
    if (result !== undefined) return result.verdict
    return services.has(requirement.split('/')[0] ?? '') ? 'absent' : 'not probed'
  }
  return { byId, standingOf }
}

/** Compares requirement by requirement. */
export function compareVerdicts(before: Report, after: Report): VerdictComparison {
  const [earlier, later] = [standingsIn(before), standingsIn(after)]
  const sameTool = before.tool.version === after.tool.version
  const changed = Object.fromEntries(
    listNames.map((name): [List, ChangedResult[]] => [name, []]),
  ) as Record<List, ChangedResult[]>
  const comparison: VerdictComparison = {
    ...changed,
    changedStatements: [],
    judgedInBoth: 0,
    unjudgedInBoth: 0,
  }
  // In the order of the later report; what only the earlier one has comes last.
  for (const requirement of new Set([...later.byId.keys(), ...earlier.byId.keys()])) {
    const [was, is] = [earlier.byId.get(requirement), later.byId.get(requirement)]
    const result = is ?? was
    if (result === undefined) continue
    const standings = {
      before: earlier.standingOf(requirement),
      after: later.standingOf(requirement),
    }
    const judgedIn = Object.values(standings).filter(isJudged).length
    if (judgedIn === 2) comparison.judgedInBoth += 1
    if (judgedIn === 0) comparison.unjudgedInBoth += 1
    const both = was !== undefined && is !== undefined
    for (const part of ['statement', 'section', 'level'] as const) {
      if (!both || was[part] === is[part]) continue
      const texts = { before: was[part], after: is[part] }
      comparison.changedStatements.push({ requirement, part, ...texts })
    }
    const sameDeviation = both && comparableActual(was, before) === comparableActual(is, after)
    const list = transition(standings.before, standings.after, {
      sameTool,
      sameDeviation,
      newlyInPart: both && was.reason === undefined && is.reason !== undefined,
    })
    if (list === undefined) continue
    const { statement, section, expected, actual } = result
    const reason = list === 'notLookedAt' ? standingText(standings.after) : result.reason
    const again = list === 'stillFailing' || list === 'deviatingOtherwise'
    comparison[list].push({
      requirement,
      statement,
      section,
      ...standings,
      reason,
      expected,
      actual,
      actualBefore: again && !sameDeviation ? (was?.actual ?? '') : undefined,
    })
  }
  return comparison
}
