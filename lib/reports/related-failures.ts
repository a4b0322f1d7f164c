import type { RequirementResult } from '../conformance/result.ts'

const namedAtMost = 3

/** Another failure, and the exchange that shows one of the two and that both rest on. */
export interface RelatedFailure {
  requirement: string
  exchange: string
}

/**
 * The other failures that probably have the same cause: the exchange that shows one of them is also
 * among those that the other rests on.
 *
 * @param failures the failed results of the same report
 */
export function relatedFailures(
  { requirement, exchanges }: RequirementResult,
  failures: readonly RequirementResult[],
): RelatedFailure[] {
  const [shown] = exchanges
  if (shown === undefined) return []
  return failures.flatMap((other): RelatedFailure[] => {
    const [shownThere] = other.exchanges
    if (other.requirement === requirement || shownThere === undefined) return []
    const shared = [shownThere, shown].find(
      (id) => exchanges.includes(id) && other.exchanges.includes(id),
    )
    return shared === undefined ? [] : [{ requirement: other.requirement, exchange: shared }]
  })
}

/** `code-hosting/pagination/limit-lowered rests on e52 too`; empty where nothing is related. */
export function relatedText(related: readonly RelatedFailure[]): string {
  const named = related
    .slice(0, namedAtMost)
    .map(({ requirement, exchange }) => `${requirement} rests on ${exchange} too`)
  const more = related.length - named.length
  return [...named, ...(more > 0 ? [`${more} more likewise`] : [])].join('; ')
}
