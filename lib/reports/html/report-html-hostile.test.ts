import { describe, expect, it } from 'vitest'
import type { RunReport } from '../../conformance/result.ts'
import { hostileText } from '../report.fixture.ts'
import { pastRunsFixture, reviewedFixture } from '../reviewed-report.fixture.ts'
import { ids, type PageTag, pageTags, pageText, policyOf, references } from './page-tags.fixture.ts'
import { reportHtml } from './report-html.ts'

const payload = `"'><img src=x onerror=alert(1)></code></pre></style></script><script>alert(1)</script>&lt;b&gt;${hostileText}`

const past = {
  runs: pastRunsFixture(5).map((run) => ({ ...run, run: payload, reasons: [payload] })),
}

/** The report with the payload in front of every text, so that what belongs together still does. */
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
  const page = reportHtml(hostileReport(), past)
  const harmless = pageTags(reportHtml(reviewedFixture(), past))
  const tags = pageTags(page)

  it('stays text in every field', () => {
    const names = (of: readonly PageTag[]) => new Set(of.map(({ name }) => name))
    expect([...names(tags)].filter((name) => !names(harmless).has(name))).toEqual([])
    const attributes = (of: readonly PageTag[]) =>
      new Set(of.flatMap((tag) => Object.keys(tag.attributes)))
    expect([...attributes(tags)].filter((name) => !attributes(harmless).has(name))).toEqual([])
    expect(tags.filter(({ name }) => name === 'script')).toHaveLength(1)
    expect(references(tags).filter((reference) => !reference.startsWith('#'))).toEqual([])
    expect(pageText(page).split('<img src=x onerror=alert(1)>').length).toBeGreaterThan(50)
    expect(pageText(page)).toContain('&lt;b&gt;')
  })

  it('leaves the ids unique and free of anything but letters, digits and a few signs', () => {
    const found = ids(tags)
    expect(found).toHaveLength(new Set(found).size)
    expect(found.filter((id) => !/^[\w/-]+$/.test(id))).toEqual([])
    const ofRows = (id: string) => !id.startsWith('section/')
    expect(found.filter(ofRows)).toHaveLength(ids(harmless).filter(ofRows).length)
  })

  it('is written out where it would be obeyed or could not be seen', () => {
    expect(/[\p{Cf}\p{Cs}\u0080-\u009f]|[^\P{Cc}\n\t]/u.exec(page)).toBeNull()
    expect(pageText(page)).toContain('\\u202eoverride')
  })

  it('does not change the policy', () => {
    expect(policyOf(tags)).toBe(policyOf(harmless))
  })
})
