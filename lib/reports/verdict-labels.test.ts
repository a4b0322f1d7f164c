import { expect, it } from 'vitest'
import type { RequirementResult, RunReport, Verdict } from '../results/run-report.ts'
import { coverageOf, summarize } from '../results/verdict.ts'
import { evidenceHar } from './har.ts'
import { reportHtml } from './html/report-html.ts'
import { reportModel } from './model.ts'
import { reportFixture, resultFixture } from './report.fixture.ts'
import { summaryMarkdown } from './summary-markdown.ts'
import { terminalSummary } from './terminal.ts'
import { runVerdictText } from './verdict-labels.ts'

const variables = ['CODE_HOSTING_USERNAME', 'SOME_PASSWORD']
const missing = { name: 'main account', variables, advice: 'Set them.' }

/** Creates a run; some requirements need an account and some are untestable. */
function report(judged: Verdict[], waiting: number, required?: number): RunReport {
  const row = (index: number, parts: Partial<RequirementResult>) =>
    resultFixture({ requirement: `code-hosting/errors/row-${index}`, ...parts })
  const noVerdict = { kind: 'needs', needs: [missing] } as const
  const untestable = { kind: 'untestable', why: 'so' } as const
  const skipped = { verdict: 'skipped', reason: 'SOME_PASSWORD is not set' } as const
  const results = [
    ...judged.map((verdict, index) => row(index, { verdict })),
    ...Array.from({ length: waiting }, (_, index) => row(50 + index, { ...skipped, noVerdict })),
    row(90, { verdict: 'skipped', noVerdict: untestable }),
  ]
  return reportFixture({ results, coverage: coverageOf(results, required), target: {} })
}

it('runVerdictText returns the verdict with its reasons', async () => {
  const runs = [
    report(['pass', 'advisory'], 2),
    report(['pass', 'waived'], 3),
    report(['pass', 'waived'], 2, 2),
    report(['pass', 'pass'], 2, 3),
    report(['fail'], 3, 3),
  ]
  const texts = runs.map((run) => runVerdictText(summarize(run)))
  await expect(texts.join('\n')).toMatchFileSnapshot('snapshots/verdicts.txt')
})

const texts: Record<string, (run: RunReport) => string> = {
  terminal: (run) =>
    terminalSummary(reportModel(run), { color: false, width: 100, reportFiles: [] }),
  page: (run) => reportHtml(reportModel(run)),
  summary: (run) => summaryMarkdown(reportModel(run)),
  archive: (run) => evidenceHar(reportModel(run)),
}

it.each(Object.entries(texts))(
  'the %s does not report conformant with low coverage',
  (_name, textOf) => {
    const text = textOf(report(['pass'], 4))
    expect(text).not.toMatch(/\bconformant(:|, but)|✅/i)
    expect(textOf(report(['pass'], 1))).toMatch(/\bconformant: 1 of 3/i)
  },
)
