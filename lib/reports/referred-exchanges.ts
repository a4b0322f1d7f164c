/** The exchanges that a report shows; `evidence.har` has all. */
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import { exchangeOf, type Reason } from '../results/reason.ts'
import type { RequirementResult, RunReport } from '../results/run-report.ts'
import { isDeviation } from '../results/verdict.ts'
import { createLookup, type ExchangeLookup } from './exchange-text.ts'
import { creationsFor } from './rerun-commands.ts'

/** Maximum number of exchanges of a result, besides the exchanges of its deviations and its reason. */
const MAX_EXCHANGES = 8

function namedIn(reason: Reason): readonly string[] {
  const others = reason.kind === 'not observed' ? (reason.exchanges ?? []) : []
  return [exchangeOf(reason) ?? [], others].flat()
}

/** Returns the ids of the exchanges that show a failure or a missing verdict, or that a reason names. */
function referredBy(result: RequirementResult, evidence: ExchangeLookup): readonly string[] {
  const { verdict, exchanges, deviations = [], noVerdict, cases } = result
  const reasons = [noVerdict ?? [], cases?.missing.map((one) => one.noVerdict) ?? []].flat()
  const named = reasons.flatMap(namedIn)
  if (isDeviation(verdict)) {
    const deviating = deviations.flatMap(({ exchange = [] }) => exchange)
    return [...named, ...deviating, ...exchanges.slice(0, MAX_EXCHANGES)]
  }
  if (verdict !== 'inconclusive') return named
  return [...named, evidence.of(result)?.id ?? [], exchanges.slice(-MAX_EXCHANGES)].flat()
}

/**
 * Returns a report with only the exchanges that a failure, a missing verdict or an observation refers to, and those
 * that create what these use.
 */
export function withReferredExchanges(report: RunReport): RunReport {
  const { results, observations, exchanges } = report
  const evidence = createLookup(exchanges)
  const ids = [
    ...observations.flatMap((one) => one.exchanges),
    ...results.flatMap((result) => referredBy(result, evidence)),
  ]
  const shown = [...new Set(ids)].flatMap((id) => evidence.exchange(id) ?? [])
  const creations = shown.flatMap((one) =>
    creationsFor(one, report).map((creation) => creation.exchange),
  )
  const kept = new Set<ExchangeRecord>([...shown, ...creations])
  const keptIds = new Set([...kept].map(({ id }) => id))
  return {
    ...report,
    results: results.map((result) => {
      return { ...result, exchanges: result.exchanges.filter((id) => keptIds.has(id)) }
    }),
    exchanges: exchanges.filter((one) => kept.has(one)),
  }
}
