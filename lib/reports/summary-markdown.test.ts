import { expect, it } from 'vitest'
import { reportModel } from './facts.ts'
import { summaryMarkdown } from './markdown.ts'
import { hostileText, reportFixture, resultFixture } from './report.fixture.ts'
import { reviewedFixture, withText } from './reviewed-report.fixture.ts'

/** Removes code spans and escaped characters from a line (CommonMark 0.31, 6.1 and 2.4). */
function withoutCode(line: string): string {
  return line.replace(/\\[!-/:-@[-`{-~]|(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '')
}

function foldsOf(markdown: string): string[] {
  return Array.from(markdown.matchAll(/^<summary>(.*)<\/summary>$/gm), ([, title = '']) => title)
}

function summaryOf(text: string): string {
  return summaryMarkdown(reportModel(withText(reviewedFixture(), text, ['startedAt', 'expires'])))
}

it.each([
  ['markup', '| a || b `c` ``d`` \\| \\` </details></summary><script>alert(1)</script> <!--'],
  ['references', '@maria #1 GH-1 !1 https://a.example www.a.example a@b.example :tada: $x$'],
  ['hostile text', hostileText],
])('summaryMarkdown of a report full of %s keeps its structure, without links', (_name, text) => {
  const hostile = summaryOf(text)
  const structure = (document: string) =>
    document.split('\n').filter((line) => /^(#|<|\||-)/.test(line)).length
  expect(structure(hostile)).toBe(structure(summaryOf('harmless ')))
  expect(foldsOf(hostile)).toEqual(foldsOf(summaryOf('harmless ')))
  expect(hostile.match(/^<\/details>$/gm)).toHaveLength(foldsOf(hostile).length)
  const rest = hostile
    .split('\n')
    .filter((line) => !/^<\/?(details|summary)>/.test(line))
    .map(withoutCode)
    .join('\n')
    .replaceAll('<!-- -->', '\u0000')
  expect(rest).not.toMatch(/<|`|@\w|#\w|!\w|GH-\d|:\/\/|\bwww\.|\]\(|\*\*[^0-9]\b/)
})

it('summaryMarkdown fits into a comment and counts omitted rows', () => {
  const results = (['fail', 'inconclusive', 'skipped'] as const).flatMap((verdict) =>
    Array.from({ length: 300 }, (_, index) =>
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
  expect(text).toContain('… and 300 more, in `report.json`.')
  expect(foldsOf(text)).toContain('Leaked resources (1)')
  expect(text.match(/^<\/details>$/gm)).toHaveLength(foldsOf(text).length)
})
