import { verdictWords } from '../../reports/verdict-words.ts'
import { idParts, serviceName } from '../../results/ids.ts'
import { createNormalizer } from '../../results/normalize.ts'
import {
  deviationsOf,
  deviationText,
  type RequirementResult,
  type RunReport,
  type Verdict,
} from '../../results/result.ts'
import { isFullPass, isJudged as isJudgedVerdict } from '../../results/verdict.ts'

export const standingWords = {
  ...verdictWords,
  /** The service was probed, and the tool did not know the requirement. */
  absent: 'not in the report',
  'not probed': 'the service was not probed',
  'not selected': 'not selected',
} as const

type Standing = keyof typeof standingWords

/** The presentation of a list, and the outcome that it leads to or qualifies. */
export interface ListFormat {
  title: string
  outcome?: 'worse' | 'incomplete' | 'no worse'
  color?: 'red' | 'yellow' | 'green'
  layout: 'failures' | 'reasons' | 'ids'
  /** Whether Markdown folds it until a reader opens it. */
  folded?: boolean
}

const failing = { color: 'red', layout: 'failures' } as const
const deviating = { color: 'yellow', layout: 'failures' } as const
const unjudged = { color: 'yellow', layout: 'reasons' } as const
const folded = { layout: 'ids', folded: true } as const

/**
 * Every list of a comparison, what matters most first; `compare.schema.json` says what is in it. A
 * requirement is in one of them at most.
 */
export const lists = {
  newlyFailing: { title: 'Newly failing', outcome: 'worse', ...failing },
  newlyUnjudged: { title: 'Newly without a verdict', outcome: 'worse', ...unjudged },
  notLookedAt: {
    title: 'Judged before and not looked at after',
    outcome: 'incomplete',
    ...unjudged,
  },
  deviatingOtherwise: {
    title: 'Deviating differently than before',
    outcome: 'no worse',
    ...deviating,
  },
  noLongerWaived: { title: 'No longer waived', outcome: 'no worse', ...failing },
  newlyDeviating: { title: 'Newly deviating but waived or advisory', ...deviating },
  stillFailing: { title: 'Still failing', ...folded, color: 'red' },
  mended: { title: 'Mended', ...folded, color: 'green' },
  newlyTolerated: { title: 'Now waived or advisory', ...folded },
  judgedLess: { title: 'Judged less than before', ...unjudged, folded: true },
  newlyJudged: { title: 'Newly judged', ...folded },
  notComparable: { title: 'Judged after and not asked for before', ...folded },
  newRows: { title: 'Only in the report after', ...folded },
  goneRows: { title: 'Only in the report before', ...folded },
} satisfies Record<string, ListFormat>

export type List = keyof typeof lists

export const listNames = Object.keys(lists) as List[]

function isVerdict(standing: Standing): standing is Verdict {
  return standing in verdictWords
}

function isJudged(standing: Standing): boolean {
  return isVerdict(standing) && isJudgedVerdict(standing)
}

/**
 * `undefined` for what is no change. `sameDeviation`: what came is the same, or neither report tells it.
 * `wasPartial`, `isPartial`: the pass of the earlier and of the later report has unchecked parts.
 */
function transition(
  before: Standing,
  after: Standing,
  circumstances: {
    sameDeviation: boolean
    wasPartial: boolean
    isPartial: boolean
    sameTool: boolean
  },
): List | undefined {
  const { sameDeviation, wasPartial, isPartial, sameTool } = circumstances
  const wasJudged = isJudged(before)
  if (after === 'fail' && !wasJudged) return 'newlyFailing'
  if (after === 'absent') return wasJudged && sameTool ? 'notLookedAt' : 'goneRows'
  if (!isVerdict(after) && wasJudged) return 'notLookedAt'
  if (before === 'absent') return 'newRows'
  if (!isJudged(after)) return wasJudged ? 'newlyUnjudged' : undefined
  if (!wasJudged) return isVerdict(before) ? 'newlyJudged' : 'notComparable'
  if (after === 'pass' && isPartial)
    return before === 'pass' && wasPartial ? undefined : 'judgedLess'
  if (after === 'pass') return before === 'pass' ? undefined : 'mended'
  if (before === 'pass') return after === 'fail' ? 'newlyFailing' : 'newlyDeviating'
  if (after === 'fail' && before === 'advisory') return 'newlyFailing'
  if (!sameDeviation) return 'deviatingOtherwise'
  if (after === 'fail' && before === 'fail') return 'stillFailing'
  if (after === 'fail') return 'noLongerWaived'
  return before === after ? undefined : 'newlyTolerated'
}

type Report = Pick<RunReport, 'target' | 'results' | 'tool' | 'run' | 'exchanges'>

/** Results by id, the state of any requirement, and deviations without what differs from run to run. */
function standingsIn({ results, target, run, exchanges }: Report) {
  const byId = new Map(results.map((result) => [result.requirement, result]))
  const services = new Set(Object.keys(target).map(serviceName))
  const normalize = createNormalizer({ run, target })
  return {
    byId,
    standingOf: (requirement: string): Standing => {
      const result = byId.get(requirement)
      if (result?.unjudged?.kind === 'not selected') return 'not selected'
      if (result !== undefined) return result.verdict
      return services.has(idParts(requirement).service) ? 'absent' : 'not probed'
    },
    /** Texts of the deviations by what they are without what differs from run to run. */
    deviationsIn: (result: RequirementResult) =>
      new Map(
        deviationsOf(result, exchanges).map((one) => [
          normalize(deviationText(one)),
          deviationText(one),
        ]),
      ),
  }
}

type DeviationTexts = ReadonlyMap<string, string>

/** Returns the deviations that only the earlier report has, and those that only the later one has. */
function deviationChanges(before: DeviationTexts, after: DeviationTexts): [string[], string[]] {
  const onlyIn = (some: DeviationTexts, others: DeviationTexts) =>
    [...some].flatMap(([key, text]) => (others.has(key) ? [] : text))
  return [onlyIn(before, after), onlyIn(after, before)]
}

export function compareVerdicts(before: Report, after: Report) {
  const [earlier, later] = [standingsIn(before), standingsIn(after)]
  const sameTool = before.tool.version === after.tool.version
  // In the order of the later report; what only the earlier one has comes last.
  const rows = [...new Map([...later.byId, ...earlier.byId]).keys()].map((requirement) => ({
    requirement,
    was: earlier.byId.get(requirement),
    is: later.byId.get(requirement),
    before: earlier.standingOf(requirement),
    after: later.standingOf(requirement),
  }))
  const changed = rows.flatMap(({ was, is, ...row }) => {
    const [gone, appeared] =
      was && is ? deviationChanges(earlier.deviationsIn(was), later.deviationsIn(is)) : [[], []]
    const sameDeviation = gone.length + appeared.length === 0
    const list = transition(row.before, row.after, {
      sameTool,
      sameDeviation,
      wasPartial: was !== undefined && !isFullPass(was),
      isPartial: is !== undefined && !isFullPass(is),
    })
    const result = is ?? was
    if (list === undefined || result === undefined) return []
    const { statement, section, expected } = result
    const reason = list === 'notLookedAt' ? standingWords[row.after] : result.reason
    const differs = list === 'deviatingOtherwise'
    // Of several deviations only those that are different.
    const actual = (differs && appeared.join('; ')) || result.actual
    const actualBefore = differs && gone.length > 0 ? gone.join('; ') : undefined
    const texts = { statement, section, reason, expected, actual, actualBefore }
    return [{ list, result: { ...row, ...texts } }]
  })
  const inList = (name: List) => changed.flatMap((each) => (each.list === name ? each.result : []))
  const judgedIn = rows.map((row) => [row.before, row.after].filter(isJudged).length)
  return {
    ...(Object.fromEntries(listNames.map((name) => [name, inList(name)])) as Record<
      List,
      ReturnType<typeof inList>
    >),
    /** Parts of requirements that read differently under the same id. */
    changedStatements: rows.flatMap(({ requirement, was, is }) =>
      (['statement', 'section', 'level'] as const).flatMap((part) =>
        was === undefined || is === undefined || was[part] === is[part]
          ? []
          : [{ requirement, part, before: was[part], after: is[part] }],
      ),
    ),
    /** How many were isJudged in both reports. */
    judgedInBoth: judgedIn.filter((count) => count === 2).length,
    /** How many have no verdict in either report. */
    unjudgedInBoth: judgedIn.filter((count) => count === 0).length,
  }
}

export type ChangedResult = ReturnType<typeof compareVerdicts>[List][number]
