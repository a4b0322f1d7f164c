import fc from 'fast-check'
import type { Har } from 'har-format'
import { describe, expect, it } from 'vitest'
import type { RunReport } from '../conformance/result.ts'
import { anyText } from '../environment/arbitrary-text.fixture.ts'
import { evidenceHar } from './har.ts'
import { pageTags, pageText, references } from './html/page-tags.fixture.ts'
import { reportHtml } from './html/report-html.ts'
import { junitXml } from './junit.ts'
import { printableSentence, shortened } from './printable.ts'
import { exchangeFixture, reportFixture, resultFixture } from './report.fixture.ts'
import { summaryMarkdown } from './summary-markdown.ts'
import { terminalSummary } from './terminal.ts'
import { elements, readXml } from './xml.fixture.ts'

const CONTROL = /[\p{Cf}\p{Cs}\u0080-\u009f\ufffe\uffff]|[^\P{Cc}\n\t]/u

interface Texts {
  statement: string
  expected: string
  actual: string
  reason: string
  body: string
  value: string
  path: string
  error: string
}

const texts: fc.Arbitrary<Texts> = fc.record({
  statement: anyText,
  expected: anyText,
  actual: anyText,
  reason: anyText,
  body: anyText,
  value: anyText,
  path: anyText,
  error: anyText,
})

const harmless: Texts = {
  statement: 'A statement with CODE_HOSTING_USERNAME and a/b/passes.',
  expected: 'status 200',
  actual: 'status 500',
  reason: 'nothing came',
  body: '{"message":"no"}',
  value: 'told',
  path: 'api',
  error: 'refused',
}

/** A report with these texts wherever a server or an operator has a say. */
function reportWith(told: Texts): RunReport {
  const { statement, expected, actual, reason, body, value, path, error } = told
  const headers = [{ name: 'X-Told', value }]
  const url = `https://git.example.com/${path}`
  const about = { statement, reason, exchanges: ['e1', 'e2'] }
  return reportFixture({
    results: [
      resultFixture({ ...about, requirement: 'a/b/fails', verdict: 'fail', expected, actual }),
      resultFixture({ ...about, requirement: 'a/b/ends', verdict: 'inconclusive' }),
      resultFixture({ ...about, requirement: 'a/b/waits', verdict: 'skipped' }),
      resultFixture({ ...about, requirement: 'a/b/passes' }),
    ],
    observations: [{ id: 'a/b/seen', value: { [value]: body }, exchanges: ['e1'] }],
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
    leftBehind: [{ kind: 'access token', name: value, account: reason }],
  })
}

describe('a report of any texts', () => {
  it('as JUnit XML is read back with them', () => {
    fc.assert(
      fc.property(texts, (told) => {
        const xml = junitXml(reportWith(told))
        expect(xml).not.toMatch(CONTROL)
        const cases = elements(readXml(xml), 'testcase')
        expect(cases.map(({ attributes }) => attributes.name)).toEqual([
          'fails',
          'ends',
          'waits',
          'passes',
        ])
        for (const one of cases) {
          const properties = elements(one, 'property').map(({ attributes }) => attributes)
          const statement = properties.find(({ name }) => name === 'statement')
          expect(statement?.value).toBe(printableSentence(told.statement))
        }
        const message = shortened(printableSentence(told.reason), 400)
        const [failure] = elements(readXml(xml), 'failure')
        expect(failure?.attributes.message ?? '').toBe(message)
        expect(elements(readXml(xml), 'error')[0]?.attributes.message ?? '').toBe(message)
      }),
      { numRuns: 150 },
    )
  })

  it('as a HAR archive is read back with them', () => {
    fc.assert(
      fc.property(texts, (told) => {
        const { log }: Har = JSON.parse(evidenceHar(reportWith(told)))
        const [answered, unanswered] = log.entries
        expect(answered?.request.postData?.text).toBe(told.body)
        expect(answered?.response.content.text).toBe(told.body)
        expect(answered?.response.headers).toEqual([{ name: 'X-Told', value: told.value }])
        expect(unanswered?.response).toMatchObject({ status: 0, _error: told.error })
        for (const { request } of log.entries) {
          expect(URL.canParse(request.url)).toBe(true)
          expect(request.url).toMatch(/^[!-~]+$/)
        }
      }),
      { numRuns: 150 },
    )
  })

  it('as a page has no element, attribute or address that is not ours', () => {
    const ours = new Set(pageTags(reportHtml(reportWith(harmless))).map(({ name }) => name))
    fc.assert(
      fc.property(texts, (told) => {
        const page = reportHtml(reportWith(told))
        expect(page).not.toMatch(CONTROL)
        const tags = pageTags(page)
        expect(tags.map(({ name }) => name).filter((name) => !ours.has(name))).toEqual([])
        expect(tags.filter(({ name }) => name === 'script')).toHaveLength(1)
        expect(references(tags).filter((address) => !address.startsWith('#'))).toEqual([])
        const handlers = tags.flatMap(({ attributes }) => Object.keys(attributes))
        expect(handlers.filter((name) => /^on/i.test(name))).toEqual([])
        const onOneLine = pageText(page).replace(/\s+/g, ' ')
        expect(onOneLine).toContain(printableSentence(told.statement))
      }),
      { numRuns: 40 },
    )
  })

  it('as Markdown and for a terminal has nothing that is obeyed', () => {
    fc.assert(
      fc.property(texts, (told) => {
        const report = reportWith(told)
        expect(summaryMarkdown(report)).not.toMatch(CONTROL)
        const shown = terminalSummary(report, { width: 80, color: false, reportFiles: [] })
        expect(shown).not.toMatch(CONTROL)
      }),
      { numRuns: 100 },
    )
  })
})
