import { describe, expect, it } from 'vitest'
import type { RequirementResult } from '../results/run-report.ts'
import { snapshotOf } from '../results/snapshot.ts'
import { coverageOf } from '../results/verdict.ts'
import { annotations } from './annotations.ts'
import { reportHtml } from './html/report-html.ts'
import { junitXml } from './junit.ts'
import { reportModel } from './model.ts'
import { deviatingFixture } from './report.fixture.ts'
import { pastRunsFixture, reviewedFixture } from './reviewed-report.fixture.ts'
import { summaryMarkdown } from './summary-markdown.ts'
import { terminalSummary } from './terminal.ts'

/** Run with each list, each cause of its status, and each kind of change. */
const fixture = reviewedFixture()
const results = [...fixture.results, deviatingFixture(23)]
const report = {
  ...fixture,
  results,
  run: { ...fixture.run, interrupted: true },
  documents: { 'code-hosting': { title: 'The API', url: 'https://docs.example.com/api' } },
  coverage: coverageOf(results, 9),
  leakedResources: [
    ...fixture.leakedResources,
    { kind: 'access token', name: 'plumbline-b', account: 'maria', unconfirmed: true as const },
  ],
  exchanges: fixture.exchanges.map((one) =>
    one.id === 'e2' && one.response
      ? { ...one, secrets: ['READ_USER_TOKEN'], response: { ...one.response, status: 201 } }
      : one,
  ),
}

const before: Record<string, Partial<RequirementResult>> = {
  'code-hosting/resources/user': { verdict: 'fail' },
  'code-hosting/tokens/created': { verdict: 'pass' },
  'code-hosting/tokens/documented-scopes': { verdict: 'pass' },
  'code-hosting/errors/body': { verdict: 'skipped' },
  'code-hosting/pagination/limit-lowered': {
    verdict: 'fail',
    deviations: [{ expected: 'X-PerPage: 25', actual: 'X-PerPage: 100' }],
  },
  'code-hosting/pagination/total-count': { verdict: 'fail' },
  'code-hosting/scopes/missing-scope-message': { verdict: 'pass' },
}
const previous = snapshotOf({
  ...report,
  results: results.map((result) => {
    const { partial: _, ...rest } = result
    const changed = before[result.requirement]
    return changed === undefined ? result : { ...rest, ...changed }
  }),
})
const model = reportModel(report, { previous, runs: pastRunsFixture(4) })
const reportFiles = ['reports/report.json', 'reports/report.html']
const terminal = { color: false, width: 100, reportFiles, notes: ['A note.'] }

describe('text of', () => {
  it.each([
    ['terminal.txt', terminalSummary(model, { ...terminal, verbose: true })],
    ['annotations.txt', annotations(model)],
    ['summary.txt', summaryMarkdown(model)],
    ['junit.txt', junitXml(model)],
    [
      'page.txt',
      reportHtml(model).replaceAll(/(<(style|script)\b[^>]*>).*?(?=<\/\2>)|sha256-[^']*/gs, '$1'),
    ],
  ])('%s', async (name, text) => {
    await expect(text).toMatchFileSnapshot(`snapshots/${name}`)
  })
})
