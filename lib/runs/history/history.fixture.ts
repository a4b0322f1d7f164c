import { reportFixture, resultFixture, runFixture } from '../../reports/report.fixture.ts'
import { outcomeOf } from '../../results/outcome.ts'
import type {
  JudgedCases,
  MissingCases,
  RequirementResult,
  RunReport,
  Verdict,
} from '../../results/run-report.ts'
import { unselectedOf } from '../compare/stored-report.fixture.ts'
import { type HistoryLine, historyLine } from './history.ts'

const letters: Record<string, Verdict> = {
  p: 'pass',
  o: 'pass',
  f: 'fail',
  g: 'fail',
  i: 'inconclusive',
  s: 'skipped',
  w: 'waived',
}

const here = { codeHosting: { baseUrl: 'https://git.example.com' } }

const missing: MissingCases[] = [
  { cases: [1], noVerdict: { kind: 'missing', text: '' }, reason: '' },
]

/** Cases of each letter. The second one deviates, in `g` the first. */
const casesByLetter: Record<string, JudgedCases> = {
  p: { conforming: [0, 1], deviating: [], missing: [] },
  o: { conforming: [0], deviating: [], missing },
  g: { conforming: [1], deviating: [0], missing: [] },
}
const secondDeviates: JudgedCases = { conforming: [0], deviating: [1], missing: [] }

function letterResult(requirement: string, letter: string, verdict: Verdict): RequirementResult {
  if (verdict === 'inconclusive' || verdict === 'skipped') {
    return resultFixture({ requirement, verdict, reason: 'why' })
  }
  const cases = casesByLetter[letter] ?? secondDeviates
  const deviations = [{ expected: '', actual: 'why', cases: cases.deviating }]
  return resultFixture({ requirement, verdict, cases, ...(verdict !== 'pass' && { deviations }) })
}

/**
 * Creates daily runs from 2026-01-01 03:00 on. Each series has a letter for each run: pass, pass without the
 * second case (o), fail in the second or in the first case (g), inconclusive, skipped or waived; a dash if the run
 * did not select the requirement.
 */
export function historyFixture(
  rows: Record<string, string>,
  target: RunReport['target'] = here,
): HistoryLine[] {
  const count = Math.max(...Object.values(rows).map(({ length }) => length))
  return Array.from({ length: count }, (_, index) => {
    const results = Object.entries(rows).map(([requirement, series]) => {
      const letter = series[index] ?? '-'
      const verdict = letters[letter]
      if (verdict === undefined) return unselectedOf(requirement)
      return letterResult(requirement, letter, verdict)
    })
    const startedAt = new Date(Date.UTC(2026, 0, 1 + index, 3)).toISOString()
    const run = runFixture({ id: `run-${index + 1}`, startedAt, finishedAt: startedAt })
    const outcome = outcomeOf({ results, run }, true)
    const { verdict } = outcome
    return historyLine(
      reportFixture({ run, target, results, verdict, cases: ['first', 'second'] }),
      outcome,
    )
  })
}
