/** Results and cases without a verdict, grouped by their reason. */
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { Reason } from '../results/reason.ts'
import type { RequirementResult } from '../results/run-report.ts'
import { groupBy } from '../text/group-by.ts'
import { counted } from '../text/quantities.ts'
import { exchangeNames, needsText, reasonText } from './reason-text.ts'

type Reasoned = Pick<RequirementResult, 'requirement' | 'reason' | 'noVerdict'>

/** Cases of judged requirements that could not be judged for one reason. */
interface LostCases {
  /** Absent for several reasons. */
  noVerdict?: Reason
  /** Indexes of `RunReport.cases`. */
  cases: ReadonlySet<number>
  requirements: ReadonlySet<string>
}

/** Results without a verdict, and the cases of other results, for the same reason. */
export interface ReasonGroup<Result extends Reasoned = RequirementResult> {
  reason: string
  results: Result[]
  lost?: LostCases
}

/** Returns the reason of a result; one text for all untestable requirements. */
function ownText({ reason, noVerdict }: Reasoned): string {
  if (noVerdict?.kind === 'untestable') {
    return 'cannot be tested (see "plumbline requirements")'
  }
  return reason ?? 'no reason was recorded'
}

/** Returns the missing cases of judged results by the text of their reason, as `groupByReason` expects them. */
export function lostCases(
  results: readonly RequirementResult[],
  exchanges: readonly ExchangeRecord[],
): Map<string, LostCases> {
  const shared = exchangeNames(exchanges, { isShared: true })
  const missing = results.flatMap(({ requirement, noVerdict, cases }) => {
    if (noVerdict !== undefined || cases === undefined) return []
    // Nothing that an operator does adds a case that another requirement explains.
    const addable = cases.missing.filter((one) => one.noVerdict.kind !== 'explained')
    return addable.map((one) => ({ requirement, ...one }))
  })
  // The same variable adds a case and its control.
  const textOf = (reason: Reason) =>
    reason.kind === 'needs' ? needsText(reason.needs) : reasonText(reason, shared)
  const groups = groupBy(missing, ({ noVerdict }) => textOf(noVerdict))
  return new Map(
    Array.from(groups, ([text, members]) => {
      const cases = new Set(members.flatMap((one) => one.cases))
      const requirements = new Set(members.map(({ requirement }) => requirement))
      return [text, { noVerdict: members[0].noVerdict, cases, requirements }]
    }),
  )
}

/** Returns `and 4 cases of 5 other requirements`, or without results `4 cases of 5 requirements`. */
export function lostCasesText({ results, lost }: ReasonGroup): string | undefined {
  if (lost === undefined) return undefined
  const cases = counted(lost.cases.size, 'case')
  return results.length === 0
    ? `${cases} of ${counted(lost.requirements.size, 'requirement')}`
    : `and ${cases} of ${counted(lost.requirements.size, 'other requirement')}`
}

/**
 * Groups results by reason, the largest group first. An unreachable server is one reason for all URLs.
 *
 * @param exchanges the exchanges that the reasons name
 * @param lost cases of other results, which are a group too if no result has their reason
 */
export function groupByReason<Result extends Reasoned>(
  results: readonly Result[],
  exchanges: readonly ExchangeRecord[] = [],
  lost: ReadonlyMap<string, LostCases> = new Map(),
): ReasonGroup<Result>[] {
  const shared = exchangeNames(exchanges, { isShared: true })
  const sharedText = (result: Result): string => {
    const { noVerdict } = result
    const isOwn = noVerdict === undefined || noVerdict.kind === 'untestable'
    return isOwn ? ownText(result) : reasonText(noVerdict, shared)
  }
  const groups = groupBy(results, sharedText)
  return [...new Set([...groups.keys(), ...lost.keys()])]
    .map((text) => {
      const members = groups.get(text) ?? []
      const [first = text, ...others] = new Set(members.map(ownText))
      const cases = lost.get(text)
      const reason = others.length === 0 ? first : text
      return { reason, results: members, ...(cases && { lost: cases }) }
    })
    .sort((one, other) => {
      const byResults = other.results.length - one.results.length
      return byResults || (other.lost?.cases.size ?? 0) - (one.lost?.cases.size ?? 0)
    })
}
