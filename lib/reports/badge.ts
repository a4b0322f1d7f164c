import type { RunReport } from '../results/run-report.ts'
import { type DisplayVerdict, summarize } from '../results/verdict.ts'
import { runVerdictLabels } from './verdict-labels.ts'

const colors: Record<DisplayVerdict, string> = {
  conformant: 'brightgreen',
  nonconformant: 'red',
  inconclusive: 'lightgrey',
  belowThreshold: 'blue',
  deviating: 'yellow',
}

/** Returns a badge for the endpoint of shields.io (https://shields.io/badges/endpoint-badge). */
export function badgeJson(report: RunReport): string {
  const { displayVerdict, coverage } = summarize(report)
  const message = `${runVerdictLabels[displayVerdict]}, ${coverage.judged} of ${coverage.testable} judged`
  const badge = { schemaVersion: 1, label: 'conformance', message, color: colors[displayVerdict] }
  return `${JSON.stringify(badge, null, 2)}\n`
}
