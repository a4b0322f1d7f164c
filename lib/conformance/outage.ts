import type { Exchange, ProbeRequest } from '../probe/exchange.ts'
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import { isGatewayStatus } from '../probe/retry.ts'
import { Interrupted } from './outcome.ts'
import { CLEAN_UP } from './scope.ts'

/** A server that starts anew, or a gateway that does, is back sooner. */
const SHORTEST_OUTAGE_MS = 2000

/** Attempts in a row without an answer: no weather brings as many. */
const LONGEST_STREAK = 16

/** As many deletions are tried when nothing else is sent any more. */
const CLEANING_ATTEMPTS = 8

/** Statuses of refusals are documented there: of the other services, a 503 may well be one. */
const WITH_DOCUMENTED_STATUSES = 'code-hosting'

interface Streak {
  count: number
  /** Of the last that was answered, or of the first attempt, by `now`. */
  since: number
  cleaning: number
  /** Set once the outage is one. */
  reason?: string
}

/** Sees when a service stops answering in the middle of a run. */
export interface Outages {
  /** Told of every attempt when it ends. */
  note(record: ExchangeRecord, exchange: Exchange | undefined): void
  /**
   * Asked before each attempt: a service that does not answer any more is not asked for the rest, but
   * for a few requests that take something away.
   *
   * @throws Interrupted with what was seen of the outage
   */
  admit(request: Pick<ProbeRequest, 'service' | 'purpose'>): void
}

function withoutAnswer({ service, response }: ExchangeRecord): boolean {
  if (response === null) return true
  return service === WITH_DOCUMENTED_STATUSES && isGatewayStatus(response.status)
}

function describe({ request, response, error }: ExchangeRecord): string {
  return `${request.method} ${request.url}: ${response?.status ?? error}`
}

/** @param now a clock, in milliseconds */
export function watchOutages(now: () => number = () => performance.now()): Outages {
  const streaks = new Map<string, Streak>()
  return {
    note(record) {
      const { service, purpose } = record
      if (!withoutAnswer(record)) {
        streaks.delete(service)
        return
      }
      const streak = streaks.get(service) ?? { count: 0, since: now(), cleaning: 0 }
      streaks.set(service, streak)
      streak.count += 1
      if (streak.reason !== undefined && purpose === CLEAN_UP) streak.cleaning += 1
      const lasted = now() - streak.since
      if (streak.reason !== undefined || streak.count < LONGEST_STREAK) return
      if (lasted < SHORTEST_OUTAGE_MS) return
      streak.reason =
        `the service stopped answering: ${streak.count} attempts in a row, within ` +
        `${Math.round(lasted / 1000)} s, brought no answer of its own (the last of them ${describe(record)})`
    },
    admit({ service, purpose }) {
      const streak = streaks.get(service)
      if (streak?.reason === undefined) return
      if (purpose === CLEAN_UP && streak.cleaning < CLEANING_ATTEMPTS) return
      throw new Interrupted(streak.reason)
    },
  }
}
