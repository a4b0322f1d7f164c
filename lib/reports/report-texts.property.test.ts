import fc from 'fast-check'
import type { Har } from 'har-format'
import { describe, expect, it } from 'vitest'
import { anyText } from '../environment/arbitrary-text.fixture.ts'
import type { RunReport } from '../results/run-report.ts'
import { annotations } from './annotations.ts'
import { evidenceHar } from './har.ts'
import { reportHtml } from './html/report-html.ts'
import { junitXml } from './junit.ts'
import { elements, readXml } from './junit-readers.fixture.ts'
import { reportModel } from './model.ts'
import { printableSentence, truncate } from './printable.ts'
import { exchangeFixture, resultFixture } from './report.fixture.ts'
import { reviewedFixture, waiverFixture } from './reviewed-report.fixture.ts'
import { summaryMarkdown } from './summary-markdown.ts'
import { terminalSummary } from './terminal.ts'

const CONTROL = /[\p{Cf}\p{Cs}\u0080-\u009f\ufffe\uffff]|[^\P{Cc}\n\t]/u

const texts = fc.record({
  statement: anyText,
  expected: anyText,
  actual: anyText,
  reason: anyText,
  body: anyText,
  value: anyText,
  path: anyText,
  error: anyText,
})

type Texts = typeof texts extends fc.Arbitrary<infer Value> ? Value : never

/** Returns a report with these texts in all parts from servers and operators. */
function reportWith(reported: Texts): RunReport {
  const { statement, expected, actual, reason, body, value, path, error } = reported
  const headers = [{ name: 'X-Text', value }]
  const url = `https://git.example.com/${path}`
  const about = { statement, reason, exchanges: ['e1', 'e2'] }
  const waiver = { requirement: 'a/b/fails', message: reason, owner: actual, reason: value }
  const diff = { id: 'a/b/seen', state: 'changed', before: value, after: body } as const
  return reviewedFixture({
    waivers: [waiverFixture({ ...waiver, state: 'expired' })],
    baseline: { pinned: true, observations: [{ ...diff, exchanges: ['e1'] }] },
    results: [
      resultFixture({ ...about, requirement: 'a/b/fails', verdict: 'fail', expected, actual }),
      resultFixture({ ...about, requirement: 'a/b/ends', verdict: 'inconclusive' }),
      resultFixture({ ...about, requirement: 'a/b/waits', verdict: 'skipped' }),
      resultFixture({ ...about, requirement: 'a/b/passes' }),
    ],
    observations: [
      { id: 'a/b/seen', description: value, value: { [value]: body }, exchanges: ['e1'] },
    ],
    exchanges: [
      exchangeFixture({
        request: { method: 'POST', url, headers, body },
        response: { status: 200, headers, body, bodyBytes: Buffer.byteLength(body) },
      }),
      exchangeFixture({
        id: 'e2',
        request: { method: 'GET', url: path, headers, body: null },
        response: null,
        error,
      }),
    ],
    leakedResources: [{ kind: 'access token', name: value, account: reason }],
  })
}

describe('a report with any text', () => {
  it('is read back from JUnit XML unchanged', () => {
    fc.assert(
      fc.property(texts, (reported) => {
        const xml = junitXml(reportModel(reportWith(reported)))
        expect(xml).not.toMatch(CONTROL)
        const root = readXml(xml)
        const properties = elements(root, 'property').map(({ attributes }) => attributes)
        const statements = properties.filter(({ name }) => name === 'statement')
        expect(statements.map(({ value }) => value)).toEqual(
          Array(4).fill(printableSentence(reported.statement)),
        )
        const message = truncate(printableSentence(reported.reason), 400)
        for (const kind of ['failure', 'error']) {
          expect(elements(root, kind)[0]?.attributes.message ?? '').toBe(message)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('is read back from HAR unchanged', () => {
    fc.assert(
      fc.property(texts, (reported) => {
        const { log }: Har = JSON.parse(evidenceHar(reportModel(reportWith(reported))))
        const [complete, failed] = log.entries
        expect(complete?.request.postData?.text).toBe(reported.body)
        expect(complete?.response.content.text).toBe(reported.body)
        expect(complete?.response.headers).toEqual([{ name: 'X-Text', value: reported.value }])
        expect(failed?.response).toMatchObject({ status: 0, _error: reported.error })
        for (const { request } of log.entries) {
          expect(URL.canParse(request.url)).toBe(true)
          expect(request.url).toMatch(/^[!-~]+$/)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('has no control characters in Markdown, page, terminal and annotations', () => {
    fc.assert(
      fc.property(texts, (reported) => {
        const report = reportWith(reported)
        expect(summaryMarkdown(reportModel(report))).not.toMatch(CONTROL)
        for (const line of annotations(reportModel(report)).trimEnd().split('\n')) {
          expect(line).toMatch(/^::(error|warning) title=[^:,]*::/)
          expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
        }
        const summary = terminalSummary(reportModel(report), {
          width: 80,
          color: false,
          reportFiles: [],
        })
        expect(summary).not.toMatch(CONTROL)
        expect(reportHtml(reportModel(report))).not.toMatch(CONTROL)
      }),
      { numRuns: 100 },
    )
  })
})
