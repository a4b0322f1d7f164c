import type { RequirementResult } from '../conformance/result.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'

const namedOthers = 5

/** Finds among the exchanges of a report those that results rest on. */
export class Evidence {
  readonly #exchanges: ReadonlyMap<string, ExchangeRecord>

  constructor(exchanges: readonly ExchangeRecord[]) {
    this.#exchanges = new Map(exchanges.map((exchange) => [exchange.id, exchange]))
  }

  /**
   * The exchange that shows why a result is what it is: for a failure the first; otherwise the one
   * that ended the check, which brought no response or came last. `undefined` where there is none.
   */
  of(result: RequirementResult): ExchangeRecord | undefined {
    const found = result.exchanges
      .map((id) => this.#exchanges.get(id))
      .filter((exchange) => exchange !== undefined)
    if (result.verdict === 'fail') return found[0]
    return found.findLast(({ response }) => response === null) ?? found.at(-1)
  }
}

/**
 * One line about the exchange that shows a result: its id, when it was sent, how long it took, and
 * the ids of some of the result's other exchanges.
 */
export function exchangeTitle(exchange: ExchangeRecord, result: RequirementResult): string {
  const { id, startedAt, durationMs, attempt } = exchange
  const others = result.exchanges.filter((other) => other !== id)
  const more = others.length - namedOthers
  return [
    `${id}, sent ${startedAt}, ${Math.round(durationMs)} ms`,
    ...(attempt > 1 ? [`, attempt ${attempt}`] : []),
    ...(others.length > 0 ? [`; see also ${others.slice(0, namedOthers).join(', ')}`] : []),
    ...(more > 0 ? [` and ${more} more`] : []),
  ].join('')
}

/** All that is said about a result: what it names of an exchange is worth showing. */
export function aboutText({ statement, expected, actual, reason }: RequirementResult): string {
  return [statement, expected, actual, reason].join(' ')
}

/** Whether the reason repeats what stands beside it: expected, actual and the request. */
export function saysOnlyWhatDiffers({ reason, expected, actual }: RequirementResult): boolean {
  if (expected === undefined || actual === undefined) return false
  return reason?.endsWith(`: expected ${expected}, got ${actual}`) ?? false
}

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
