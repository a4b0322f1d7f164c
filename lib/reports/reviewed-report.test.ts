import { describe, expect, it } from 'vitest'
import { summarize } from '../results/verdict.ts'
import { annotations } from './annotations.ts'
import { reportHtml } from './html/report-html.ts'
import { resultFixture } from './report.fixture.ts'
import { pastRunsFixture, reviewedFixture } from './reviewed-report.fixture.ts'
import { summaryMarkdown } from './summary-markdown.ts'
import { terminalSummary } from './terminal.ts'
import { runVerdictText } from './verdict-words.ts'

const options = { color: false, width: 100, reportFiles: [] }
const report = reviewedFixture()
const inTerminal = terminalSummary(report, options).replace(/\s+/g, ' ')
const summary = summaryMarkdown(report)
const page = reportHtml(report, { runs: pastRunsFixture(30) })

/** Nothing failed, but what is told beside the verdict. */
const passed = reviewedFixture({ results: [resultFixture()] })

describe('a run with waivers and a baseline, and --pin', () => {
  it('fails although every requirement passes, and stays conformant', () => {
    expect(summarize(passed).exitStatus).toBe(1)
    expect(runVerdictText(summarize(passed))).toBe(
      'conformant, but 3 waivers fail the run; 1 recorded observation changed, which fails the run; 1 of 1 requirements were judged and none failed',
    )
    expect(reportHtml(passed)).toContain('<header class="run nonconformant">')
    expect(summaryMarkdown(passed)).toMatch(/^## ❌ conformant, but 3 waivers /)
    expect(terminalSummary(passed, options)).toContain('(exit status 1)')
  })

  it.each([
    ['a waived row', 'Platform team, until 2026-02-10: The proxy in front has a limit of its own.'],
    ['what deviates', 'expected X-PerPage: 25'],
    ['a waiver that fails the run', 'This one is unneeded.'],
    ['a waiver that was not tried', 'This one is unjudged.'],
  ])('tells of %s in the terminal and in the summary', (_name, text) => {
    expect(inTerminal).toContain(text)
    expect(summary).toContain(text)
  })

  it('has places of their own in the terminal, those that fail the run last', () => {
    const places = [
      'Waived (2)',
      'Waivers that were not tried (1)',
      'Failed (2)',
      'Not in the baseline (1)',
      'Changed since the baseline (1) code-hosting/errors/malformed-body was 400 is 422',
      'Waivers that fail the run (3)',
      'beside the baseline: 1 observation changed, 1 is new, 1 was not observed, 1 is unchanged',
    ].map((text) => inTerminal.indexOf(text))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
  })

  it('has them as errors of a job', () => {
    const errors = annotations(passed).split('\n')
    expect(errors.filter((line) => line.startsWith('::error title=waiver of '))).toHaveLength(3)
    expect(annotations(passed)).toContain(
      '::error title=code-hosting/errors/malformed-body changed since the baseline::was: 400%0Ais: 422',
    )
  })
})

describe('the page', () => {
  it.each([
    ['waivers that fail the run', '<h2 id="failing-waivers-title">Waivers that fail the run'],
    ['a link of a waiver', '<a href="https://tracker.example.com/PLAT-12" rel="noreferrer">'],
    ['that a waiver expires', 'This waiver expires in 7 days: then the failure fails the run.'],
    ['changes', '<h2 id="baseline-title">Changed since the baseline'],
    ['the last runs', '<h2 id="history-title">The last runs <span class="count">30</span>'],
  ])('has %s', (_name, markup) => {
    expect(page).toContain(markup)
  })

  it('has the last runs in words beside the picture', () => {
    expect(page).toContain(
      'Of 30 runs, 8 ended with status 0, 15 with status 1 (failed), 7 with status 3 (without a verdict).',
    )
    expect(page.match(/Run <code>run-\d+/g)).toHaveLength(30)
    expect(page).toContain('status 1 (4 recorded observations changed, which fails the run). Run')
    expect(page).toMatch(/<svg class="picture"[^>]* aria-hidden="true"/)
  })
})
