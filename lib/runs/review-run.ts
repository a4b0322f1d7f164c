import type { RunReport, Waiver } from '../results/run-report.ts'
import { outcomeOf } from '../results/verdict.ts'
import { failingSince, type HistoryLine, historyLine } from './history/history.ts'
import { withWaivers } from './waivers/apply.ts'

/** Applies waivers, whose texts are of the operator and may contain a secret. */
export function withRedactedWaivers(
  report: RunReport,
  waivers: readonly Waiver[],
  requirementIds: ReadonlySet<string>,
  redact: (text: string) => string,
): RunReport {
  const redacted = waivers.map(({ requirement, expires, ...texts }): Waiver => {
    const others = JSON.parse(JSON.stringify(texts), (_key, part) =>
      typeof part === 'string' ? redact(part) : part,
    )
    return { requirement, ...(expires !== undefined && { expires }), ...others }
  })
  return withWaivers(report, redacted, requirementIds)
}

/** Adds to each failure the run since which it fails. @param earlier runs of the same target, oldest first */
export function withFailingSince(
  report: RunReport,
  isComplete: boolean,
  earlier: readonly HistoryLine[],
): RunReport {
  const line = historyLine(report, outcomeOf(report, isComplete))
  const since = failingSince([...earlier, line])
  const results = report.results.map((result) => {
    const first = result.verdict === 'fail' ? since.get(result.requirement) : undefined
    return { ...result, ...(first && { failingSince: first }) }
  })
  return { ...report, results }
}
