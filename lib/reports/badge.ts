import type { ReportModel } from './model.ts'
import { runVerdictLabels, runVerdictStyles } from './verdict-labels.ts'

/** Returns a badge for the endpoint of shields.io (https://shields.io/badges/endpoint-badge). */
export function badgeJson({ summary }: ReportModel): string {
  const { displayVerdict, coverage } = summary
  const message = `${runVerdictLabels[displayVerdict]}, ${coverage.judged} of ${coverage.testable} judged`
  const { badge: color } = runVerdictStyles[displayVerdict]
  const badge = { schemaVersion: 1, label: 'conformance', message, color }
  return `${JSON.stringify(badge, null, 2)}\n`
}
