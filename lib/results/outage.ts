import type { ExchangeRecord } from '../probe/exchange.ts'
import type { Reason, ReasonOf } from './reason.ts'
import type { CaseResult, CheckResult, RunEvidence } from './run-evidence.ts'

/** Time before an outage in which a server that stops may send wrong responses. */
const MAX_BEFORE_MS = 2000

/** Returns true for the reason that a service stopped responding, not one of its paths. */
function isOutage(reason: CaseResult | undefined): reason is ReasonOf<'stopped'> {
  if (typeof reason !== 'object' || reason.kind !== 'stopped') return false
  return reason.path === undefined && reason.pausesMs === undefined
}

const startOf = ({ startedAt }: ExchangeRecord) => Date.parse(startedAt)
const endOf = (record: ExchangeRecord) => startOf(record) + record.durationMs

/** Returns the exchanges that were in flight when their service stopped responding, or shortly before, with the reason. */
function exchangesInOutages({ judgements, exchanges }: RunEvidence): Map<string, Reason> {
  const reasons = judgements
    .flatMap(({ noVerdict, cases }) => [noVerdict, ...Object.values(cases)])
    .filter(isOutage)
  const affected = new Map<string, Reason>()
  for (const reason of new Map(reasons.map((one) => [one.exchange, one])).values()) {
    const last = exchanges.find(({ id }) => id === reason.exchange)
    if (last === undefined) continue
    const until = endOf(last)
    const since = until - (reason.lastedMs ?? 0) - MAX_BEFORE_MS
    for (const one of exchanges) {
      const isDuring = endOf(one) >= since && startOf(one) <= until
      if (isDuring && one.service === last.service) affected.set(one.id, reason)
    }
  }
  return affected
}

/** Returns a failure without the deviations of an outage; without any other, it is inconclusive. */
function withoutOutage(result: CheckResult, affected: ReadonlyMap<string, Reason>): CheckResult {
  const { verdict, deviations = [], exchanges, cases } = result
  const reasonOf = (id = exchanges[0] ?? '') => affected.get(id)
  const lost = deviations.filter(({ exchange }) => reasonOf(exchange))
  const noVerdict = reasonOf(lost[0]?.exchange)
  if (verdict !== 'fail' || noVerdict === undefined) return result
  const kept = deviations.filter((one) => !lost.includes(one))
  const casesOf = (some: typeof kept) => new Set(some.flatMap((one) => one.cases ?? []))
  const [keptCases, lostCases] = [casesOf(kept), casesOf(lost)]
  const isLost = (id: string) =>
    cases[id] === 'deviates' && (kept.length === 0 || (lostCases.has(id) && !keptCases.has(id)))
  const missing = Object.keys(cases).filter(isLost)
  const judged = { ...cases, ...Object.fromEntries(missing.map((id) => [id, noVerdict])) }
  if (kept.length === 0) {
    const { deviations: _, furtherDeviations: __, ...rest } = result
    return { ...rest, verdict: 'inconclusive', noVerdict, cases: judged }
  }
  return { ...result, deviations: kept, cases: judged }
}

/** Returns the evidence without failures that a server causes that stops during the run. */
export function withoutOutages(evidence: RunEvidence): RunEvidence {
  const affected = exchangesInOutages(evidence)
  if (affected.size === 0) return evidence
  const judgements = evidence.judgements.map((one) => withoutOutage(one, affected))
  return { ...evidence, judgements }
}
