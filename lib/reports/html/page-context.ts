import type { RequirementResult } from '../../conformance/result.ts'
import type { ExchangeRecord } from '../../probe/exchange-record.ts'
import type { ReportModel } from '../model.ts'

/** What the parts of the page draw on. */
export interface PageContext extends ReportModel {
  /** By id. */
  exchanges: ReadonlyMap<string, ExchangeRecord>
  /** Ids of all requirements in the report. */
  requirements: ReadonlySet<string>
  /**
   * By the id of an exchange: the results that it shows. The first of them shows it on the page; an
   * exchange that shows none is in the list of exchanges.
   */
  shownBy: ReadonlyMap<string, readonly RequirementResult[]>
}

/** Works out where on the page each exchange is shown: each has one place. */
export function pageContext(model: ReportModel): PageContext {
  const { report, evidence, failed, unjudged } = model
  const showing = [
    ...failed.map(({ result }) => result),
    ...unjudged.flatMap(({ example }) => example ?? []),
  ]
  const shownBy = new Map<string, RequirementResult[]>()
  for (const result of showing) {
    const id = evidence.of(result)?.id
    if (id !== undefined) shownBy.set(id, [...(shownBy.get(id) ?? []), result])
  }
  return {
    ...model,
    exchanges: new Map(report.exchanges.map((exchange) => [exchange.id, exchange])),
    requirements: new Set(report.results.map(({ requirement }) => requirement)),
    shownBy,
  }
}
