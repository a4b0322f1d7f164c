import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { reportFixture } from '../report.fixture.ts'
import { ids, pageTags, pageText, policyOf, references } from './page-tags.fixture.ts'
import { reportHtml } from './report-html.ts'

function between(page: string, tag: 'style' | 'script'): string {
  return new RegExp(`<${tag}\\b[^>]*>(.*?)</${tag}>`, 's').exec(page)?.[1] ?? ''
}

function source(text: string): string {
  return `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`
}

describe('the page', () => {
  const report = reportFixture()
  const page = reportHtml(report)
  const tags = pageTags(page)
  const text = pageText(page)

  it('has an anchor for each requirement and exchange, and no id twice', () => {
    const found = ids(tags)
    expect(found).toHaveLength(new Set(found).size)
    expect(found).toEqual(expect.arrayContaining(report.results.map((each) => each.requirement)))
    expect(found).toEqual(expect.arrayContaining(report.exchanges.map(({ id }) => id)))
  })

  it('refers to nothing but its own parts', () => {
    const found = references(tags)
    expect(found.length).toBeGreaterThan(report.results.length)
    expect(found.filter((reference) => !reference.startsWith('#'))).toEqual([])
    const known = new Set(ids(tags))
    expect(found.filter((reference) => !known.has(decodeURIComponent(reference.slice(1))))).toEqual(
      [],
    )
  })

  it('allows its own style and script and nothing else', () => {
    expect(policyOf(tags)).toBe(
      [
        "default-src 'none'",
        `style-src ${source(between(page, 'style'))}`,
        `script-src ${source(between(page, 'script'))}`,
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; '),
    )
    expect(tags.filter(({ name }) => name === 'style' || name === 'script')).toHaveLength(2)
    expect(between(page, 'style').length).toBeGreaterThan(1000)
    expect(between(page, 'script').length).toBeGreaterThan(1000)
    const inline = tags.flatMap(({ attributes }) =>
      Object.keys(attributes).filter((name) => name === 'style' || name.startsWith('on')),
    )
    expect(inline).toEqual([])
  })

  it('tells the verdict, the target, when, how long and the counts', () => {
    for (const told of [
      'Nonconformant: 2 of 9 requirements failed; 1 of 9 got no verdict',
      '9 requirements: 2 passed, 2 failed, 1 inconclusive, 2 skipped, 1 waived, 1 advisory',
      'https://git.example.com',
      'http://127.0.0.1:4010 (embedded reference)',
      '2026-02-03 02:59:10 UTC',
      '3 requests (1 retry) in 12.3 s',
      'q7k2',
      'Plumbline 0.1.0',
    ]) {
      expect(text).toContain(told)
    }
    expect(text).not.toContain('Interrupted')
  })

  it('puts the failures first, with expected beside actual', () => {
    const failures = [...page.matchAll(/<article .*?<\/article>/gs)].map(([article]) => article)
    expect(failures).toHaveLength(2)
    const [first = ''] = failures
    for (const told of [
      'A limit above the maximum is lowered to the maximum.',
      'code-hosting/pagination/limit-lowered',
      'Document section “Pagination”, contract.',
      'ExpectedX-PerPage: 25',
      'ActualX-PerPage: 50',
      'GET https://git.example.com/api/v1/user/repos?limit=26',
      'Authorization: Bearer $READ_USER_TOKEN',
      '200 OK',
      '  {\n    "id": 1,\n    "full_name": "maria/first"\n  },',
      'curl --include',
    ]) {
      expect(pageText(first)).toContain(told)
    }
    expect(first).toContain('<mark>X-PerPage: 50</mark>')
    expect(page.indexOf('<article')).toBeLessThan(page.indexOf('id="inconclusive"'))
    expect(page.indexOf('id="inconclusive"')).toBeLessThan(page.indexOf('id="requirements"'))
  })

  it('names the variables that a command needs', () => {
    expect(text).toContain('Set first: READ_USER_TOKEN, which the run made for itself')
    expect(text).toContain('Set first: CODE_HOSTING_PASSWORD, as it was for the run.')
  })

  it('tells what the run went by, and of secrets that they are set', () => {
    expect(text).toContain('CODE_HOSTING_MAX_RESPONSE_ITEMS25')
    expect(text).toContain('CODE_HOSTING_PASSWORDset')
  })

  it('has what was skipped with what would change it, and what was left behind', () => {
    expect(text).toContain('Set a site admin. (CODE_HOSTING_ADMIN_USERNAME)')
    expect(text).toContain('without the two admin scopes')
    expect(text).toContain('access token plumbline-q7k2-read-user, account maria')
    expect(text).toContain('CODE_HOSTING_TOKEN_DELETE_PATH')
    expect(text).toContain('known since January: the gateway adds a body')
    expect(text).toContain('code-hosting/errors/malformed-body\n422')
  })

  it('is titled, has one heading of the first level and skips none', () => {
    const levels = tags.flatMap(({ name }) => (/^h[1-6]$/.test(name) ? [Number(name[1])] : []))
    expect(levels.filter((level) => level === 1)).toHaveLength(1)
    for (const [index, level] of levels.entries()) {
      expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1)
    }
    expect(/<title>(.*)<\/title>/.exec(page)?.[1]).toContain('Nonconformant')
  })
})
