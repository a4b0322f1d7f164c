import type { RequirementResult, RunReport, Verdict } from '../conformance/result.ts'
import { serviceName } from '../reports/run-words.ts'
import { judged } from '../reports/verdict-counts.ts'
import { originsOf } from './observation-diff.ts'

/**
 * What a report has of a requirement: its verdict, or `absent` where the service was probed and the
 * tool did not know the requirement, `not probed` where the service was not, `not selected` where
 * nobody asked for it.
 */
export type Standing = Verdict | 'absent' | 'not probed' | 'not selected'

/** A requirement whose standing changed, with what the later report has of it. */
export interface ChangedResult {
  requirement: string
  statement: string
  section: string
  before: Standing
  after: Standing
  reason?: string
  expected?: string
  actual?: string
  /** What came before, where it deviated before too and something else came. */
  actualBefore?: string
}

/** A part of a requirement that reads differently under the same id. */
export interface ChangedStatement {
  requirement: string
  part: 'statement' | 'section' | 'level'
  before: string
  after: string
}

/** How a list of changed results is presented. */
export interface ListFormat {
  title: string
  /** What follows the number in the line of the outcome, for one and for several where it differs. */
  phrase?: string | readonly [one: string, many: string]
  /** The exit status of a comparison with something in the list; 1 wins over 3. */
  status?: 1 | 3
  tone: Tone
  /** `failures`: with what was expected and what came. `reasons`: grouped by reason. */
  layout: 'failures' | 'reasons' | 'ids'
  /** Whether Markdown folds it until a reader opens it. */
  folded?: true
}

export type Tone = 'bad' | 'doubtful' | 'good' | 'plain'

const bad = { tone: 'bad', layout: 'failures' } as const
const doubtful = { tone: 'doubtful', layout: 'failures' } as const
const unjudged = { tone: 'doubtful', layout: 'reasons' } as const
const folded = { tone: 'plain', layout: 'ids', folded: true } as const

/** Every list of a comparison, what matters most first. A requirement is in one of them at most. */
export const lists = {
  /** Failed, and neither failed nor was waived before. */
  newlyFailing: { title: 'Newly failing', phrase: 'newly failing', status: 1, ...bad },
  /** Inconclusive or skipped, and judged before. */
  newlyUnjudged: {
    title: 'Newly without a verdict',
    phrase: 'newly without a verdict',
    status: 1,
    ...unjudged,
  },
  /** Judged before; after, not asked for, not probed, or absent from the same version's report. */
  notLookedAt: {
    title: 'Judged before, and not looked at after',
    phrase: [
      'requirement was judged before and not looked at after',
      'requirements were judged before and not looked at after',
    ],
    status: 3,
    ...unjudged,
  },
  /** Deviated before and after, waived or advisory at least once, and something else came. */
  deviatingOtherwise: {
    title: 'Deviating otherwise than before',
    phrase: 'deviating otherwise than before',
    ...doubtful,
  },
  /** Waived before, and failed with what came before: the waiver is gone, the deviation the same. */
  noLongerWaived: { title: 'No longer waived', phrase: 'no longer waived', ...bad },
  /** Passed before; deviates now, and is waived or advisory. */
  newlyDeviating: {
    title: 'Newly deviating, and waived or advisory',
    phrase: 'newly deviating but waived or advisory',
    ...doubtful,
  },
  /** Failed before and after; `actualBefore` where something else came. */
  stillFailing: { title: 'Still failing', phrase: 'still failing', ...folded, tone: 'bad' },
  /** Passed, and deviated before. */
  mended: { title: 'Mended', phrase: 'mended', ...folded, tone: 'good' },
  /** Deviated in the same way before; now waived or advisory. */
  newlyTolerated: {
    title: 'Now waived or advisory',
    phrase: 'now waived or advisory',
    ...folded,
  },
  /** Passed before as a whole, and now with a part left out, which the reason tells. */
  judgedLess: {
    title: 'Judged less than before',
    phrase: 'judged less than before',
    ...unjudged,
    folded: true,
  },
  /** Judged and not failed, and without a verdict before. */
  newlyJudged: { title: 'Newly judged', phrase: 'newly judged', ...folded },
  /** Judged after and not failed; before, not asked for, or its service not probed. */
  notComparable: {
    title: 'Judged after, and not asked for before',
    phrase: 'judged in the report after only',
    ...folded,
  },
  /** Of services that both probed: only in the later report, and not failed. */
  newRows: { title: 'New requirements', ...folded },
  /** Of services that both probed: only in the earlier report, of another version of Plumbline. */
  goneRows: { title: 'Requirements that are gone', ...folded },
} satisfies Record<string, ListFormat>

export type List = keyof typeof lists

export const listNames = Object.keys(lists) as List[]

/** What became of the requirements of two reports. */
export interface VerdictComparison extends Record<List, ChangedResult[]> {
  changedStatements: ChangedStatement[]
  /** How many were judged in both reports. */
  judgedInBoth: number
  /** How many have no verdict in either report. */
  unjudgedInBoth: number
}

/** What decides, besides the two standings, which list a requirement belongs to. */
export interface Circumstances {
  /** What came is the same in both reports, or neither tells it. */
  sameDeviation: boolean
  /** The later report tells what was left out of a pass, and the earlier one does not. */
  newlyInPart: boolean
  /** Both reports are of the same version of Plumbline. */
  sameTool: boolean
}

function isVerdict(standing: Standing): standing is Verdict {
  return standing !== 'absent' && standing !== 'not probed' && standing !== 'not selected'
}

function isJudged(standing: Standing): boolean {
  return isVerdict(standing) && judged(standing)
}

/** The list that a change belongs to; `undefined` for what is no change. */
function transition(
  before: Standing,
  after: Standing,
  { sameDeviation, newlyInPart, sameTool }: Circumstances,
): List | undefined {
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

function standing(
  result: RequirementResult | undefined,
  requirement: string,
  { target }: Report,
): Standing {
  if (result?.unjudged?.kind === 'not selected') return 'not selected'
  if (result !== undefined) return result.verdict
  const services = Object.keys(target).map(serviceName)
  return services.includes(requirement.split('/')[0] ?? '') ? 'absent' : 'not probed'
}

function changedParts(before: RequirementResult, after: RequirementResult): ChangedStatement[] {
  const { requirement } = after
  return (['statement', 'section', 'level'] as const)
    .filter((part) => before[part] !== after[part])
    .map((part) => ({ requirement, part, before: before[part], after: after[part] }))
}

/** Compares requirement by requirement. */
export function compareVerdicts(before: Report, after: Report): VerdictComparison {
  const earlier = new Map(before.results.map((result) => [result.requirement, result]))
  const later = new Map(after.results.map((result) => [result.requirement, result]))
  const sameTool = before.tool.version === after.tool.version
  const comparison: VerdictComparison = {
    ...(Object.fromEntries(listNames.map((name) => [name, []])) as unknown as Record<
      List,
      ChangedResult[]
    >),
    changedStatements: [],
    judgedInBoth: 0,
    unjudgedInBoth: 0,
  }
  // In the order of the later report; what only the earlier one has comes last.
  for (const requirement of new Set([...later.keys(), ...earlier.keys()])) {
    const [was, is] = [earlier.get(requirement), later.get(requirement)]
    const result = is ?? was
    if (result === undefined) continue
    const standings = {
      before: standing(was, requirement, before),
      after: standing(is, requirement, after),
    }
    const both = was !== undefined && is !== undefined
    const circumstances = {
      sameTool,
      sameDeviation: both && comparableActual(was, before) === comparableActual(is, after),
      newlyInPart: both && was.reason === undefined && is.reason !== undefined,
    }
    const judgedIn = [standings.before, standings.after].filter(isJudged).length
    if (judgedIn === 2) comparison.judgedInBoth += 1
    if (judgedIn === 0) comparison.unjudgedInBoth += 1
    if (both) comparison.changedStatements.push(...changedParts(was, is))
    const list = transition(standings.before, standings.after, circumstances)
    if (list === undefined) continue
    const { statement, section, reason, expected, actual } = result
    const again = list === 'stillFailing' || list === 'deviatingOtherwise'
    comparison[list].push({
      requirement,
      statement,
      section,
      ...standings,
      ...(reason === undefined ? {} : { reason }),
      ...(expected === undefined ? {} : { expected }),
      ...(actual === undefined ? {} : { actual }),
      ...(again && !circumstances.sameDeviation ? { actualBefore: was?.actual ?? '' } : {}),
    })
  }
  return comparison
}
