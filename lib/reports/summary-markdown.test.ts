import { describe, expect, it } from 'vitest'
import type { RunReport } from '../results/run-report.ts'
import { snapshotOf } from '../results/snapshot.ts'
import { reportModel } from './model.ts'
import { exchangeFixture, hostileText, reportFixture, resultFixture } from './report.fixture.ts'
import { summaryMarkdown } from './summary-markdown.ts'

/** Removes code spans and escaped characters from a line (CommonMark 0.31, 6.1 and 2.4). */
function withoutCode(line: string): string {
  return line.replace(/\\[!-/:-@[-`{-~]|(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '')
}

function foldsOf(markdown: string): string[] {
  return Array.from(markdown.matchAll(/^<summary>(.*)<\/summary>$/gm), ([, title = '']) => title)
}

function reportFullOf(text: string): RunReport {
  const reported = { reason: text, expected: text, actual: text, statement: text, section: text }
  const verdicts = ['fail', 'inconclusive', 'skipped', 'waived', 'advisory', 'pass'] as const
  return reportFixture({
    tool: { name: 'plumbline', version: text },
    run: { ...reportFixture().run, id: text },
    target: { codeHosting: { baseUrl: text } },
    results: verdicts.flatMap((verdict) => [
      resultFixture({ ...reported, requirement: `a/b/${verdict}`, verdict }),
      resultFixture({ ...reported, requirement: text, verdict }),
    ]),
    observations: [{ id: text, description: text, value: { [text]: text }, exchanges: [] }],
    exchanges: [exchangeFixture()],
    leakedResources: [{ kind: text, name: text, account: text }],
  })
}

describe.each([
  ['markup', '| a || b `c` ``d`` \\| \\` </details></summary><script>alert(1)</script> <!--'],
  ['references', '@maria #1 GH-1 !1 https://a.example www.a.example a@b.example :tada: $x$'],

  ['hostile text', hostileText],
])('summaryMarkdown of a report full of %s', (_name, text) => {
  const previous = snapshotOf(reportFullOf('something else'))
  const hostile = summaryMarkdown(reportModel(reportFullOf(text), { previous }))

  it('keeps sections and folds', () => {
    const expected = summaryMarkdown(reportModel(reportFullOf('harmless'), { previous }))
    const structure = (document: string) =>
      document.split('\n').filter((line) => /^(#|<|\||-)/.test(line)).length
    expect(structure(hostile)).toBe(structure(expected))
    expect(foldsOf(hostile)).toEqual(foldsOf(expected))
    expect(hostile.match(/^<\/details>$/gm)).toHaveLength(foldsOf(hostile).length)
  })

  it('has no mentions, links or injected HTML', () => {
    const rest = hostile
      .split('\n')
      .filter((line) => !/^<\/?(details|summary)>/.test(line))
      .map(withoutCode)
      .join('\n')
      .replaceAll('<!-- -->', '\u0000')
    expect(rest).not.toMatch(/<|`|@\w|#\w|!\w|GH-\d|:\/\/|\bwww\.|\]\(|\*\*[^0-9]\b/)
  })
})

it('summaryMarkdown fits into a comment and counts omitted rows', () => {
  const results = (['fail', 'inconclusive', 'skipped'] as const).flatMap((verdict) =>
    Array.from({ length: 900 }, (_, index) =>
      resultFixture({
        requirement: `code-hosting/errors/${verdict}-${index}`,
        verdict,
        reason: `${index} ${'|'.repeat(900)}`,
        expected: '|`'.repeat(900),
        actual: 'x'.repeat(900),
      }),
    ),
  )
  const text = summaryMarkdown(reportModel(reportFixture({ results })))
  expect(text.length).toBeLessThanOrEqual(60_000)
  expect(text.length).toBeGreaterThan(55_000)
  expect(text).toMatch(/… and \d+ more, in `report\.json`\./)
  expect(text).toContain('… and 900 more, in `report.json`.')
  expect(foldsOf(text)).toContain('Leaked resources (1)')
  expect(text.match(/^<\/details>$/gm)).toHaveLength(foldsOf(text).length)
})
