import type { ReportModel } from './model.ts'
import { runVerdictLabels, runVerdictStyles } from './verdict-labels.ts'

/** Returns a badge for the endpoint of shields.io (https://shields.io/badges/endpoint-badge). */
export function badgeJson({ summary }: ReportModel): string {
  const { displayVerdict, counts, coverage } = summary
  const share = `of ${coverage.testable}`
  const count =
    counts.fail > 0 ? `${counts.fail} ${share} failed` : `${coverage.judged} ${share} judged`
  const message = `${runVerdictLabels[displayVerdict]}, ${count}`
  const { badge: color } = runVerdictStyles[displayVerdict]
  const badge = { schemaVersion: 1, label: 'conformance', message, color }
  return `${JSON.stringify(badge, null, 2)}\n`
}
