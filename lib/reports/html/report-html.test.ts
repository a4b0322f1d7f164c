import { describe, expect, it } from 'vitest'
import type { RequirementResult, RunReport } from '../../results/run-report.ts'
import { reportModel } from '../facts.ts'
import { exchangeFixture, hostileText, reportFixture, resultFixture } from '../report.fixture.ts'
import { reviewedFixture, waiverFixture, withText } from '../reviewed-report.fixture.ts'
import { anchor } from './markup.ts'
import { ids, pageTags, pageText, references } from './page-tags.fixture.ts'
import { reportHtml } from './report-html.ts'

const pageOf = (parts: Partial<RunReport> = {}) => reportHtml(reportModel(reportFixture(parts)))

const failing = (count: number, parts: Partial<RequirementResult> = {}) =>
  Array.from({ length: count }, (_, index) =>
    resultFixture({ requirement: `code-hosting/errors/row-${index}`, verdict: 'fail', ...parts }),
  )

describe('reportHtml', () => {
  const report = reportFixture()
  const page = pageOf()
  const tags = pageTags(page)

  it('has an anchor for each requirement and exchange, and only internal references', () => {
    const found = ids(tags)
    expect(found).toHaveLength(new Set(found).size)
    expect(found).toEqual(expect.arrayContaining(report.results.map((each) => each.requirement)))
    expect(found).toEqual(expect.arrayContaining(report.exchanges.map(({ id }) => id)))
    expect(references(tags).length).toBeGreaterThan(report.results.length)
    expect(references(tags).filter((it) => !found.includes(it.replace(/^#/, '')))).toEqual([])
  })

  it('returns a page for an empty run', () => {
    const nothing = { results: [], exchanges: [], observations: [], leakedResources: [] }
    const empty = pageOf({ ...nothing, target: {}, settings: {} })
    expect(empty).toContain('<header class="run inconclusive">')
    expect(pageTags(empty).filter(({ name }) => name === 'section')).toEqual([])
  })

  it.each(['https://tracker.example.com/1', 'javascript:alert(1)', 'PLAT-12'])(
    'links a waiver only to a web page: %s',
    (link) => {
      const waivers = [waiverFixture({ state: 'expired', link })]
      const found = references(pageTags(reportHtml(reportModel(reviewedFixture({ waivers })))))
      expect(found.includes(link)).toBe(link.startsWith('https:'))
    },
  )
})

describe('the size of the page', () => {
  const responding = (body: string) => {
    const headers = [{ name: 'Content-Type', value: 'application/json' }]
    return { status: 200, headers, body, bodyBytes: body.length }
  }

  it('is limited with many exchanges of long bodies', () => {
    const items = Array.from({ length: 500 }, (_, id) => ({ id, name: 'x'.repeat(60) }))
    const response = responding(JSON.stringify(items))
    const exchanges = Array.from({ length: 50 }, (_, index) =>
      exchangeFixture({ id: `e${index + 1}`, response }),
    )
    const page = pageOf({ results: [], exchanges })
    expect(page.length).toBeLessThan(50 * 6000)
    expect(pageText(page)).toContain('more characters]')
  })

  it.each([
    ['a body is one endless line', 'x'.repeat(3_000_000), ''],
    ['a body is nothing but brackets', '['.repeat(100_000) + ']'.repeat(100_000), ''],
    ['the command is too long', '', 'a'.repeat(50_000)],
  ])('is bounded when %s', (_name, body, path) => {
    const exchange = exchangeFixture({ response: responding(body) })
    exchange.request.url += path
    const page = pageOf({ results: failing(1, { exchanges: ['e1'] }), exchanges: [exchange] })
    expect(page.length).toBeLessThan(120_000)
    if (path !== '') expect(page).toMatch(/\d+ characters, too many/)
  })
})

describe('hostile text', () => {
  const payload = `"'><img src=x onerror=alert(1)></code></pre></style></script><script>alert(1)</script>&lt;b&gt;${hostileText}`
  const page = reportHtml(reportModel(withText(reviewedFixture(), payload, [])))
  const harmless = pageTags(reportHtml(reportModel(reviewedFixture())))
  const tags = pageTags(page)

  it('is escaped in every field', () => {
    const parts = (of: ReturnType<typeof pageTags>) =>
      new Set(of.flatMap(({ name, attributes }) => [name, ...Object.keys(attributes)]))
    expect([...parts(tags)].filter((part) => !parts(harmless).has(part))).toEqual([])
    expect(tags.filter(({ name }) => name === 'script')).toHaveLength(1)
    const external = references(tags).filter((reference) => !reference.startsWith('#'))
    expect(external.filter((it) => !it.startsWith('https://tracker.example.com/'))).toEqual([])
    expect(pageText(page).split('<img src=x onerror=alert(1)>').length).toBeGreaterThan(50)
    expect(pageText(page)).toContain('&lt;b&gt;')
    expect(/[\p{Cf}\p{Cs}\u0080-\u009f]|[^\P{Cc}\n\t]/u.exec(page)).toBeNull()
    expect(pageText(page)).toContain('\\u202eoverride')
  })

  it('keeps ids unique and valid', () => {
    const found = ids(tags)
    expect(found).toHaveLength(new Set(found).size)
    expect(found.filter((id) => !/^[\w/-]+$/.test(id))).toEqual([])
    const ofRows = (id: string) => !id.startsWith('section/')
    expect(found.filter(ofRows)).toHaveLength(ids(harmless).filter(ofRows).length)
  })
})

describe('anchor', () => {
  it.each([hostileText, '"<>#?%', 'ä', '\ud800'])('is equal in a URL and in the page: %j', (id) => {
    const url = new URL(`https://ci.example.com/report.html#${anchor(id)}`)
    expect(url.hash.slice(1)).toBe(anchor(id))
    expect(anchor(id)).toMatch(/^[\w/-]+$/)
  })

  it('differs for different ids', () => {
    const ids = ['a b', 'a_20_b', 'a/b', 'a-b', 'A b', 'a_b', 'a', 'a\u0020\u0020b']
    expect(new Set(ids.map(anchor)).size).toBe(ids.length)
  })
})
