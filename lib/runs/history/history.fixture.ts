import { reportFixture, resultFixture, runFixture } from '../../reports/report.fixture.ts'
import { outcomeOf } from '../../results/outcome.ts'
import type { RunReport, Verdict } from '../../results/run-report.ts'
import { unselectedOf } from '../compare/stored-report.fixture.ts'
import { type HistoryLine, historyLine } from './history.ts'

const letters: Record<string, Verdict> = {
  p: 'pass',
  f: 'fail',
  i: 'inconclusive',
  s: 'skipped',
  w: 'waived',
}

const here = { codeHosting: { baseUrl: 'https://git.example.com' } }

/**
 * Creates daily runs from 2026-01-01 03:00 on. Each series has a letter for each run: pass, fail, inconclusive, skipped
 * or waived; a dash if the run did not select the requirement.
 */
export function historyFixture(
  rows: Record<string, string>,
  target: RunReport['target'] = here,
): HistoryLine[] {
  const count = Math.max(...Object.values(rows).map(({ length }) => length))
  return Array.from({ length: count }, (_, index) => {
    const results = Object.entries(rows).map(([requirement, series]) => {
      const verdict = letters[series[index] ?? '-']
      if (verdict === undefined) return unselectedOf(requirement)
      return resultFixture({ requirement, verdict, reason: 'why' })
    })
    const startedAt = new Date(Date.UTC(2026, 0, 1 + index, 3)).toISOString()
    const run = runFixture({ id: `run-${index + 1}`, startedAt, finishedAt: startedAt })
    const outcome = outcomeOf({ results, run }, true)
    return historyLine(reportFixture({ run, target, results, verdict: outcome.verdict }), outcome)
  })
}
