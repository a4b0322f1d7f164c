/** The exchanges that a report shows; `evidence.har` has all. */
import type { ExchangeRecord } from '../probe/exchange-record.ts'
import { exchangeOf } from '../results/reason.ts'
import type { RequirementResult, RunReport } from '../results/run-report.ts'
import { isDeviation } from '../results/verdict.ts'
import { createLookup, type ExchangeLookup } from './exchange-text.ts'
import { creationsFor } from './rerun-commands.ts'

/** Maximum number of exchanges of a result, besides the exchanges of its deviations and its reason. */
const MAX_EXCHANGES = 8

/** Returns the ids of the exchanges that show a failure or a missing verdict, or that a reason names. */
function referredBy(result: RequirementResult, evidence: ExchangeLookup): readonly string[] {
  const { verdict, exchanges, deviations = [], noVerdict, cases } = result
  const reasons = [noVerdict ?? [], cases?.missing.map((one) => one.noVerdict) ?? []].flat()
  const named = reasons.flatMap((reason) => {
    const others = reason.kind === 'not observed' ? (reason.exchanges ?? []) : []
    return [exchangeOf(reason) ?? [], others].flat()
  })
  if (isDeviation(verdict)) {
    const deviating = deviations.flatMap(({ exchange = [] }) => exchange)
    return [...named, ...deviating, ...exchanges.slice(0, MAX_EXCHANGES)]
  }
  if (verdict !== 'inconclusive') return named
  return [...named, evidence.of(result)?.id ?? [], exchanges.slice(-MAX_EXCHANGES)].flat()
}

/** Returns a report with only the exchanges that a failure, a missing verdict or an observation refers to, and those that create what these use. */
export function withReferredExchanges(report: RunReport): RunReport {
  const { results, observations } = report
  const evidence = createLookup(report.exchanges)
  const ids = [...observations, ...results.map((one) => ({ exchanges: referredBy(one, evidence) }))]
  const kept = new Set<ExchangeRecord>()
  for (const id of new Set(ids.flatMap(({ exchanges }) => exchanges))) {
    const one = evidence.exchange(id)
    if (one === undefined) continue
    for (const { exchange } of [...creationsFor(one, report), { exchange: one }]) kept.add(exchange)
  }
  const exchanges = report.exchanges.filter((one) => kept.has(one))
  const keptIds = new Set(exchanges.map(({ id }) => id))
  const withKept = (result: RequirementResult) => {
    return { ...result, exchanges: result.exchanges.filter((id) => keptIds.has(id)) }
  }
  return { ...report, results: results.map(withKept), exchanges }
}
