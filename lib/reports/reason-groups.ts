/** Results and cases without a verdict, grouped by their reason. */
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import type { Reason } from '../results/reason.ts'
import type { RequirementResult, RunReport } from '../results/run-report.ts'
import { groupBy } from '../text/group-by.ts'
import { exchangeNames, needsText, reasonText } from './reason-text.ts'

type Reasoned = Pick<RequirementResult, 'requirement' | 'reason' | 'noVerdict'>

/** Cases of judged requirements that could not be judged for one reason. */
interface LostCases {
  noVerdict: Reason
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
const ownText = ({ reason, noVerdict }: Reasoned): string =>
  noVerdict?.kind === 'untestable'
    ? 'cannot be tested (see "plumbline requirements")'
    : (reason ?? 'no reason was recorded')

/** Returns the missing cases of judged results by the text of their reason, as `groupByReason` expects them. */
export function lostCases({ results, exchanges }: RunReport): Map<string, LostCases> {
  const shared = exchangeNames(exchanges, { isShared: true })
  const missing = results.flatMap(({ requirement, noVerdict, cases }) => {
    if (noVerdict !== undefined || cases === undefined) return []
    // Nothing that an operator does adds a case that another requirement explains.
    const addable = cases.missing.filter((one) => one.noVerdict.kind !== 'explained')
    return addable.map((one) => ({ requirement, ...one }))
  })
  // The same variable adds a case and its control.
  const groups = groupBy(missing, ({ noVerdict: reason }) =>
    reason.kind === 'needs' ? needsText(reason.needs) : reasonText(reason, shared),
  )
  return new Map(
    Array.from(groups, ([text, members]) => {
      const cases = new Set(members.flatMap((one) => one.cases))
      const requirements = new Set(members.map(({ requirement }) => requirement))
      return [text, { noVerdict: members[0].noVerdict, cases, requirements }]
    }),
  )
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
  const groups = groupBy(results, (result) => {
    const { noVerdict } = result
    const isOwn = noVerdict === undefined || noVerdict.kind === 'untestable'
    return isOwn ? ownText(result) : reasonText(noVerdict, shared)
  })
  const sizes = ({ results, lost }: ReasonGroup<Result>) =>
    [results.length, lost?.cases.size ?? 0] as const
  return [...new Set([...groups.keys(), ...lost.keys()])]
    .map((text) => {
      const members = groups.get(text) ?? []
      const [first = text, ...others] = new Set(members.map(ownText))
      const cases = lost.get(text)
      const reason = others.length === 0 ? first : text
      return { reason, results: members, ...(cases && { lost: cases }) }
    })
    .sort((one, other) => {
      const [[results, cases], [otherResults, otherCases]] = [sizes(one), sizes(other)]
      return otherResults - results || otherCases - cases
    })
}
