import { describe, expect, it } from 'vitest'
import { exchangeFixture, reportFixture, resultFixture } from '../report.fixture.ts'
import { pageTags, pageText, references } from './page-tags.fixture.ts'
import { reportHtml } from './report-html.ts'

describe('an unusual run', () => {
  it('that was interrupted says so', () => {
    const report = reportFixture()
    report.run.interrupted = true
    const text = pageText(reportHtml(report))
    expect(text).toContain('Interrupted. The run was stopped before its end.')
    expect(text).toContain('the run was interrupted')
  })

  it('with nothing in it is a page still', () => {
    const page = reportHtml(
      reportFixture({
        target: {},
        results: [],
        exchanges: [],
        observations: [],
        leftBehind: [],
        settings: {},
        verdict: 'inconclusive',
      }),
    )
    expect(pageText(page)).toContain('Inconclusive: nothing was judged')
    expect(pageTags(page).filter(({ name }) => name === 'section')).toEqual([])
  })

  it('with a result that rests on unknown exchanges names them without a link', () => {
    const page = reportHtml(
      reportFixture({
        results: [
          resultFixture({ verdict: 'fail', reason: 'it is wrong', exchanges: ['e7'] }),
          resultFixture({ requirement: 'code-hosting/resources/other', exchanges: ['e8', 'e1'] }),
        ],
      }),
    )
    expect(references(pageTags(page))).not.toContain('#e7')
    expect(references(pageTags(page))).not.toContain('#e8')
    expect(pageText(page)).toContain('No exchange was recorded for this.')
    expect(pageText(page)).toContain('Exchanges: e8, e1.')
  })

  it('without bodies says that they were not kept', () => {
    const exchange = exchangeFixture()
    exchange.request = { ...exchange.request, method: 'POST', body: null, bodyBytes: 1 }
    exchange.response = { status: 201, headers: [], body: null, bodyBytes: 1234 }
    const text = pageText(reportHtml(reportFixture({ exchanges: [exchange] })))
    expect(text).toContain('Request 1 byte of body, not kept')
    expect(text).toContain('Response 1,234 bytes of body, not kept')
    expect(text).toContain('Set REQUEST_BODY to its body')
  })

  it('of two failures that one exchange shows marks what both read and links the second', () => {
    const failure = (requirement: string, header: string) =>
      resultFixture({ requirement, verdict: 'fail', reads: { header }, exchanges: ['e1'] })
    const page = reportHtml(
      reportFixture({
        results: [
          failure('code-hosting/resources/one', 'X-PerPage'),
          failure('code-hosting/resources/two', 'date'),
        ],
      }),
    )
    expect(page).toContain('<mark>X-PerPage: 50</mark>')
    expect(page).toContain('<mark>Date: Tue, 03 Feb 2026 02:59:13 GMT</mark>')
    expect(pageText(page).match(/Exchange e1, shown above/g)).toHaveLength(1)
  })
})

describe('the size of the page', () => {
  const lines = (count: number) =>
    JSON.stringify(
      Array.from({ length: count }, (_, index) => ({ id: index, name: 'x'.repeat(60) })),
    )

  it('stays usable with 300 exchanges of long bodies', () => {
    const exchanges = Array.from({ length: 300 }, (_, index) =>
      exchangeFixture({
        id: `e${index + 1}`,
        response: {
          status: 200,
          headers: [{ name: 'Content-Type', value: 'application/json' }],
          body: lines(2000),
          bodyBytes: 170_000,
        },
      }),
    )
    const results = exchanges.map(({ id }, index) =>
      resultFixture({
        requirement: `code-hosting/resources/row-${index}`,
        exchanges: [id, 'e1', 'e2'],
      }),
    )
    const page = reportHtml(reportFixture({ results, exchanges }))
    expect(page.length).toBeLessThan(300 * 6000)
    expect(pageText(page)).toContain('more lines left out, see report.json')
  })

  it('is bounded when a body is one endless line, or nothing but brackets', () => {
    for (const body of ['x'.repeat(3_000_000), '['.repeat(100_000) + ']'.repeat(100_000)]) {
      const exchange = exchangeFixture({
        response: { status: 200, headers: [], body, bodyBytes: body.length },
      })
      const results = [resultFixture({ verdict: 'fail', reason: 'too long', exchanges: ['e1'] })]
      const page = reportHtml(reportFixture({ results, exchanges: [exchange] }))
      expect(page.length).toBeLessThan(120_000)
    }
  })

  it('leaves out a command that nobody could read', () => {
    const exchange = exchangeFixture()
    exchange.request.url = `https://git.example.com/${'a'.repeat(50_000)}`
    const page = reportHtml(reportFixture({ exchanges: [exchange] }))
    expect(pageText(page)).toContain('characters, too many to be shown')
    expect(page.length).toBeLessThan(120_000)
  })
})
