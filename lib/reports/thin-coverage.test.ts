import { describe, expect, it } from 'vitest'
import type { RequirementResult, RunReport, Verdict } from '../results/result.ts'
import { snapshotOf } from '../results/snapshot.ts'
import { coverageOf, summarize } from '../results/verdict.ts'
import { annotations } from './annotations.ts'
import { evidenceHar } from './har.ts'
import { reportHtml } from './html/report-html.ts'
import { reportFixture, resultFixture } from './report.fixture.ts'
import { summaryMarkdown } from './summary-markdown.ts'
import { terminalSummary } from './terminal.ts'
import { runVerdictText } from './verdict-words.ts'

const variables = ['CODE_HOSTING_USERNAME', 'SOME_PASSWORD']
const missing = { name: 'main account', variables, advice: 'Set them.' }

/** Rows in a section, of which some are waiting for an account and some cannot be tested. */
function report(judged: Verdict[], waiting: number, required?: number): RunReport {
  const row = (index: number, parts: Partial<RequirementResult>) =>
    resultFixture({ requirement: `code-hosting/errors/row-${index}`, ...parts })
  const unjudged = { kind: 'needs', needs: [missing] } as const
  const untestable = { kind: 'untestable', why: 'so' } as const
  const skipped = { verdict: 'skipped', reason: 'SOME_PASSWORD is not set' } as const
  const results = [
    ...judged.map((verdict, index) => row(index, { verdict })),
    ...Array.from({ length: waiting }, (_, index) => row(50 + index, { ...skipped, unjudged })),
    row(90, { verdict: 'skipped', unjudged: untestable }),
  ]
  return reportFixture({ results, coverage: coverageOf(results, required), target: {} })
}

it.each<[string, RunReport]>([
  ['conformant: 2 of 5 requirements were judged and none failed', report(['pass', 'advisory'], 2)],
  [
    'no failure found but for 1 waived: 2 of 6 judged (40% of the 5 that can be; conformant from 50%)',
    report(['pass', 'waived'], 3),
  ],
  ['passed with 1 known deviation: 2 of 5 judged', report(['pass', 'waived'], 2, 2)],
  [
    'no failure found, but fewer were judged than the 3 of --min-judged; 2 of 5 judged (50% of the 4 that can be)',
    report(['pass', 'pass'], 2, 3),
  ],
  [
    'nonconformant: 1 of 5 requirements failed; fewer were judged than the 3 of --min-judged',
    report(['fail'], 3, 3),
  ],
])('the verdict of a run: %s', (text, run) => {
  expect(runVerdictText(summarize(run))).toBe(text)
})

const texts: Record<string, (run: RunReport) => string> = {
  terminal: (run) => terminalSummary(run, { color: false, width: 100, reportFiles: [] }),
  page: (run) => reportHtml(run),
  summary: (run) => summaryMarkdown(run),
  archive: (run) => evidenceHar(run),
}

describe.each(Object.entries(texts))('the %s of a run that judged little', (_name, textOf) => {
  it('does not call it conformant', () => {
    const text = textOf(report(['pass'], 4))
    expect(text).toMatch(/no failure found: 1 of 6 judged/i)
    expect(text).not.toMatch(/\bconformant(:|, but)|✅/i)
    expect(textOf(report(['pass'], 1))).toMatch(/\bconformant: 1 of 3/i)
  })
})

it('with fewer than were asked for, every text says what is missing and what got lost', () => {
  const run = report(['pass'], 4, 3)
  const results = [2, 50].map((index) =>
    resultFixture({ requirement: `code-hosting/errors/row-${index}` }),
  )
  const target = { codeHosting: { baseUrl: 'https://git.example.com' } }
  const past = { previous: snapshotOf(reportFixture({ results, target })) }
  run.target = target
  const all = [
    annotations(run, past),
    summaryMarkdown(run, past),
    reportHtml(run, past),
    terminalSummary(run, { color: false, width: 100, reportFiles: [], ...past }),
  ]
  for (const text of all) {
    const line = text.replaceAll('\\', '')
    expect(line).toMatch(/missing: CODE_HOSTING_USERNAME \(4 requirements\), SOME_PASSWORD \(4/i)
    // Of one, there is no row any more: its service is not probed.
    expect(line).toMatch(
      /no longer judged: code-hosting\/errors\/row-2, code-hosting\/errors\/row-50/i,
    )
  }
  expect(all[0]).toMatch(/^::error title=fewer were judged than the 3 of --min-judged::/)
})
