import type { DisplayVerdict } from '../results/verdict.ts'
import type { ReportModel } from './model.ts'
import { runVerdictLabels } from './verdict-labels.ts'

const colors: Record<DisplayVerdict, string> = {
  conformant: 'brightgreen',
  nonconformant: 'red',
  inconclusive: 'lightgrey',
  belowThreshold: 'blue',
  deviating: 'yellow',
}

/** Returns a badge for the endpoint of shields.io (https://shields.io/badges/endpoint-badge). */
export function badgeJson({ summary }: ReportModel): string {
  const { displayVerdict, coverage } = summary
  const message = `${runVerdictLabels[displayVerdict]}, ${coverage.judged} of ${coverage.testable} judged`
  const badge = { schemaVersion: 1, label: 'conformance', message, color: colors[displayVerdict] }
  return `${JSON.stringify(badge, null, 2)}\n`
}
