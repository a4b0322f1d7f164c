import type { RequirementResult, RunReport } from '../../conformance/result.ts'
import type { ExchangeRecord } from '../../probe/exchange-record.ts'
import { Evidence } from '../evidence.ts'
import { groupByReason, type ReasonGroup } from '../reason-groups.ts'

/** What the parts of the page draw on. */
export interface PageContext {
  report: RunReport
  evidence: Evidence
  /** By id. */
  exchanges: ReadonlyMap<string, ExchangeRecord>
  /** Ids of all requirements in the report. */
  requirements: ReadonlySet<string>
  /** What got no verdict, by reason. */
  inconclusiveGroups: readonly ReasonGroup[]
  /**
   * By the id of an exchange: the results that it shows. The first of them shows it on the page; an
   * exchange that shows none is in the list of exchanges.
   */
  shownBy: ReadonlyMap<string, readonly RequirementResult[]>
}

/** The result whose exchange stands for its whole group, where any has one. */
export function exampleOf(
  { results }: ReasonGroup,
  evidence: Evidence,
): RequirementResult | undefined {
  return results.find((result) => evidence.of(result) !== undefined)
}

/** Works out where on the page each exchange is shown: each has one place. */
export function pageContext(report: RunReport): PageContext {
  const evidence = new Evidence(report.exchanges)
  const inconclusiveGroups = groupByReason(
    report.results.filter(({ verdict }) => verdict === 'inconclusive'),
  )
  const showing = [
    ...report.results.filter(({ verdict }) => verdict === 'fail'),
    ...inconclusiveGroups.map((group) => exampleOf(group, evidence)),
  ]
  const shownBy = new Map<string, RequirementResult[]>()
  for (const result of showing) {
    const exchange = result === undefined ? undefined : evidence.of(result)
    if (result === undefined || exchange === undefined) continue
    shownBy.set(exchange.id, [...(shownBy.get(exchange.id) ?? []), result])
  }
  return {
    report,
    evidence,
    exchanges: new Map(report.exchanges.map((exchange) => [exchange.id, exchange])),
    requirements: new Set(report.results.map(({ requirement }) => requirement)),
    inconclusiveGroups,
    shownBy,
  }
}
