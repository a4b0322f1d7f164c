import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { RunReport } from '../../results/run-report.ts'
import { reportModel } from '../model.ts'
import {
  deviatingFixture,
  exchangeFixture,
  hostileText,
  reportFixture,
  resultFixture,
} from '../report.fixture.ts'
import { pastRunsFixture, reviewedFixture } from '../reviewed-report.fixture.ts'
import { ids, type PageTag, pageTags, pageText, policyOf, references } from './page-tags.fixture.ts'
import { reportHtml } from './report-html.ts'

function between(page: string, tag: 'style' | 'script'): string {
  return new RegExp(`<${tag}\\b[^>]*>(.*?)</${tag}>`, 's').exec(page)?.[1] ?? ''
}

function source(text: string): string {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`
}

describe('reportHtml', () => {
  const report = reportFixture()
  const page = reportHtml(reportModel(report))
  const tags = pageTags(page)

  it('has an anchor for each requirement and exchange, and only internal references', () => {
    const found = ids(tags)
    expect(found).toHaveLength(new Set(found).size)
    expect(found).toEqual(expect.arrayContaining(report.results.map((each) => each.requirement)))
    expect(found).toEqual(expect.arrayContaining(report.exchanges.map(({ id }) => id)))
    expect(references(tags).length).toBeGreaterThan(report.results.length)
    expect(references(tags).filter((it) => !found.includes(it.replace(/^#/, '')))).toEqual([])
  })

  it('links each further deviation of a failure to its exchange', () => {
    const deviating = reportHtml(
      reportModel(reportFixture({ results: [deviatingFixture(3, hostileText)] })),
    )
    const list = /<ul class="further">(.*?)<\/ul>/s.exec(deviating)?.[1] ?? ''
    expect(list.match(/<li/g)).toHaveLength(2)
    expect(list).toContain('GET /3 403: ')
    expect(references(pageTags(list))).toEqual(['#e2', '#e2'])
    expect(list).not.toContain('<script>')
  })

  it('allows only its own style and script', () => {
    expect(policyOf(tags)).toBe(
      [
        "default-src 'none'",
        'img-src data:',
        `style-src ${source(between(page, 'style'))}`,
        `script-src ${source(between(page, 'script'))}`,
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; '),
    )
    expect(tags.filter(({ name }) => name === 'style' || name === 'script')).toHaveLength(2)
    expect(between(page, 'style').length).toBeGreaterThan(1000)
    expect(between(page, 'script').length).toBeGreaterThan(1000)
    const attributes = tags.flatMap((tag) => Object.keys(tag.attributes))
    expect(attributes.filter((name) => name === 'style' || name.startsWith('on'))).toEqual([])
  })
})

describe('reportHtml of a special run', () => {
  it('returns a page for an empty run', () => {
    const nothing = { results: [], exchanges: [], observations: [], leakedResources: [] }
    const page = reportHtml(reportModel(reportFixture({ ...nothing, target: {}, settings: {} })))
    expect(page).toContain('<header class="run inconclusive">')
    expect(pageTags(page).filter(({ name }) => name === 'section')).toEqual([])
  })

  it('lists many failures by section and folds their evidence', () => {
    const failing = (count: number) =>
      reportFixture({
        results: Array.from({ length: count }, (_, index) =>
          resultFixture({ requirement: `code-hosting/errors/row-${index}`, verdict: 'fail' }),
        ),
      })
    const [few, some, many] = [3, 4, 11].map((count) => reportHtml(reportModel(failing(count))))
    expect(few).not.toContain('class="index"')
    expect(some?.match(/class="index"/g)).toHaveLength(1)
    expect(some).not.toContain('class="evidence"')
    expect(many?.match(/class="evidence"/g)).toHaveLength(11)
  })

  it('names unknown exchanges without a link', () => {
    const other = 'code-hosting/resources/other'
    const results = [
      resultFixture({ verdict: 'fail', reason: 'it is wrong', exchanges: ['e7'] }),
      resultFixture({ requirement: other, exchanges: ['e8', 'e1'] }),
    ]
    const page = reportHtml(reportModel(reportFixture({ results })))
    expect(references(pageTags(page)).filter((it) => ['#e7', '#e8'].includes(it))).toEqual([])
    expect(pageText(page)).toMatch(/\bNo exchange\b/)
    expect(pageText(page)).toContain('Exchanges: e8, e1.')
  })

  it('has one card for failures of the same exchange, with the parts of both marked', () => {
    const results = ['X-PerPage', 'date'].map((header, index) => {
      const requirement = `code-hosting/resources/row-${index}`
      return resultFixture({ requirement, verdict: 'fail', reads: { header }, exchanges: ['e1'] })
    })
    const page = reportHtml(reportModel(reportFixture({ results })))
    expect(page).toContain('<mark>X-PerPage: 50</mark>')
    expect(page).toContain('<mark>Date: Tue, 03 Feb 2026 02:59:13 GMT</mark>')
    expect(page.match(/<article /g)).toHaveLength(1)
    expect(page.match(/data-verdict="fail" tabindex/g)).toHaveLength(2)
  })
})

describe('the size of the page', () => {
  it('is limited with many exchanges of long bodies', () => {
    const items = Array.from({ length: 500 }, (_, id) => ({ id, name: 'x'.repeat(60) }))
    const headers = [{ name: 'Content-Type', value: 'application/json' }]
    const body = JSON.stringify(items)
    const exchanges = Array.from({ length: 50 }, (_, index) =>
      exchangeFixture({
        id: `e${index + 1}`,
        response: { status: 200, headers, body, bodyBytes: body.length },
      }),
    )
    const page = reportHtml(reportModel(reportFixture({ results: [], exchanges })))
    expect(page.length).toBeLessThan(50 * 6000)
    expect(pageText(page)).toContain('more characters]')
  })

  it.each([
    ['a body is one endless line', 'x'.repeat(3_000_000), ''],
    ['a body is nothing but brackets', '['.repeat(100_000) + ']'.repeat(100_000), ''],
    ['the command is too long', '', 'a'.repeat(50_000)],
  ])('is bounded when %s', (_name, body, path) => {
    const exchange = exchangeFixture({
      response: { status: 200, headers: [], body, bodyBytes: body.length },
    })
    exchange.request.url += path
    const results = [resultFixture({ verdict: 'fail', reason: 'too long', exchanges: ['e1'] })]
    const page = reportHtml(reportModel(reportFixture({ results, exchanges: [exchange] })))
    expect(page.length).toBeLessThan(120_000)
    if (path !== '') expect(page).toMatch(/\d+ characters, too many/)
  })
})

const payload = `"'><img src=x onerror=alert(1)></code></pre></style></script><script>alert(1)</script>&lt;b&gt;${hostileText}`

const past = {
  runs: pastRunsFixture(5).map((run) => ({ ...run, run: payload, reasons: [payload] })),
}

/** Returns the report with the payload before every text. */
function hostileReport(): RunReport {
  const plain = new Set(['verdict', 'level', 'state'])
  const hostile = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') return plain.has(name) ? value : `${payload}${value}`
    if (Array.isArray(value)) return value.map((each) => hostile(each))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [
        name === 'target' ? `${payload}${key}` : key,
        hostile(each, key),
      ]),
    )
  }
  return hostile(reviewedFixture()) as RunReport
}

describe('hostile text', () => {
  const page = reportHtml(reportModel(hostileReport(), past))
  const harmless = pageTags(reportHtml(reportModel(reviewedFixture(), past)))
  const tags = pageTags(page)

  it('is escaped in every field', () => {
    const parts = (of: readonly PageTag[]) =>
      new Set(of.flatMap(({ name, attributes }) => [name, ...Object.keys(attributes)]))
    expect([...parts(tags)].filter((part) => !parts(harmless).has(part))).toEqual([])
    expect(tags.filter(({ name }) => name === 'script')).toHaveLength(1)
    expect(references(tags).filter((reference) => !reference.startsWith('#'))).toEqual([])
    expect(pageText(page).split('<img src=x onerror=alert(1)>').length).toBeGreaterThan(50)
    expect(pageText(page)).toContain('&lt;b&gt;')
    expect(policyOf(tags)).toBe(policyOf(harmless))
  })

  it('keeps ids unique and valid', () => {
    const found = ids(tags)
    expect(found).toHaveLength(new Set(found).size)
    expect(found.filter((id) => !/^[\w/-]+$/.test(id))).toEqual([])
    const ofRows = (id: string) => !id.startsWith('section/')
    expect(found.filter(ofRows)).toHaveLength(ids(harmless).filter(ofRows).length)
  })

  it('is escaped if it is a control or invisible character', () => {
    expect(/[\p{Cf}\p{Cs}\u0080-\u009f]|[^\P{Cc}\n\t]/u.exec(page)).toBeNull()
    expect(pageText(page)).toContain('\\u202eoverride')
  })
})
