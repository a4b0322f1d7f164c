import { describe, expect, it } from 'vitest'
import type { RunReport } from '../conformance/result.ts'
import { exchangeFixture, hostileText, reportFixture, resultFixture } from './report.fixture.ts'
import { summaryMarkdown } from './summary-markdown.ts'

/** The line without its code spans and escaped characters (CommonMark 0.31, 6.1 and 2.4). */
function withoutCode(line: string): string {
  return line.replace(/\\[!-/:-@[-`{-~]|(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '')
}

/** Cells of a row of a table (GFM, 4.10). */
function cellsOf(row: string): string[] {
  return row
    .replace(/^\| | \|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim())
}

/** The tables of a document by the heading or the summary that stands before them. */
function tablesOf(markdown: string): Record<string, string[][]> {
  const tables: Record<string, string[][]> = {}
  let title = ''
  for (const line of markdown.split('\n')) {
    title = /^(?:### |<summary>)(.*?)(?:<\/summary>)?$/.exec(line)?.[1] ?? title
    if (line.startsWith('|')) tables[title] = [...(tables[title] ?? []), cellsOf(line)]
  }
  return tables
}

function rowsOf(markdown: string, title: string): string[][] {
  return tablesOf(markdown)[title]?.slice(2) ?? []
}

function foldsOf(markdown: string): string[] {
  return Array.from(markdown.matchAll(/^<summary>(.*)<\/summary>$/gm), ([, title = '']) => title)
}

const markdown = summaryMarkdown(reportFixture())

describe('summaryMarkdown', () => {
  it('begins with the verdict, then counts, target and run', () => {
    expect(markdown.split('\n').slice(0, 7)).toEqual([
      '## ❌ nonconformant: 2 of 9 requirements failed; 1 of 9 got no verdict',
      '',
      '**2 passed, 2 failed, 1 inconclusive, 2 skipped, 1 waived, 1 advisory**, 3 requests (1 retry) in 12.3 s',
      '',
      '`code-hosting` at `https://git.example.com`; `incident-status` at `http://127.0.0.1:4010` (this was the embedded reference deployment, none of yours)',
      '',
      'Plumbline `0.1.0`, run `q7k2`, 2026-02-03T02:59:10.000Z',
    ])
  })

  it('has a row for each failure', () => {
    expect(rowsOf(markdown, 'Failed (2)')[0]).toEqual([
      '`code-hosting/pagination/limit-lowered`',
      'A limit above the maximum is lowered to the maximum.',
      '`X-PerPage: 25`',
      '`X-PerPage: 50`',
    ])
    expect(markdown).toContain('`report.html` has the exchange')
  })

  it('groups what got no verdict, and what was skipped, by reason', () => {
    expect(rowsOf(markdown, 'No verdict (1)')).toEqual([
      ['1', '`connection refused by git.example.com:443`', '`code-hosting/pagination/total-count`'],
    ])
    expect(rowsOf(markdown, 'Skipped (2)')).toEqual([
      [
        '2',
        '`CODE_HOSTING_ADMIN_USERNAME is not set`',
        '`code-hosting/authentication/sudo-header`, `code-hosting/authentication/sudo-query`',
      ],
    ])
  })

  it('folds what a reader may want to know besides', () => {
    expect(foldsOf(markdown)).toEqual([
      'Waived (1)',
      'Advisory: they do not fail the run (1)',
      'Skipped (2)',
      'Observations (2)',
      'Left behind on the target (1)',
    ])
    expect(rowsOf(markdown, 'Observations (2)')[0]).toEqual([
      '`code-hosting/errors/malformed-body`',
      '`422`',
    ])
    expect(rowsOf(markdown, 'Left behind on the target (1)')).toEqual([
      ['`access token`', '`plumbline-q7k2-read-user`', '`maria`'],
    ])
    expect(rowsOf(markdown, 'Waived (1)').map((cells) => cells[2])).toEqual([
      '`known since January: the gateway adds a body`',
    ])
    const advisory = rowsOf(markdown, 'Advisory: they do not fail the run (1)')
    expect(advisory.map((cells) => cells[1])).toEqual([
      '`expected required=[…], token scope=…; actual forbidden`',
    ])
  })
})

describe('what is new', () => {
  it('is told since the previous run of the same target', () => {
    const previous = reportFixture({
      results: reportFixture().results.map((result) => ({
        ...result,
        verdict: result.requirement === 'code-hosting/resources/user' ? 'fail' : 'pass',
      })),
    })
    const text = summaryMarkdown(reportFixture(), previous)
    expect(foldsOf(text)[0]).toBe('New since the run of 2026-02-03T02:59:10.000Z (6)')
    expect(text.split('\n').filter((line) => line.startsWith('- '))).toEqual([
      '- newly failing: `code-hosting/pagination/limit-lowered`',
      '- newly failing: `code-hosting/tokens/created`',
      '- newly without a verdict: `code-hosting/pagination/total-count`',
      '- newly without a verdict: `code-hosting/authentication/sudo-header`',
      '- newly without a verdict: `code-hosting/authentication/sudo-query`',
      '- mended: `code-hosting/resources/user`',
    ])
  })
})

function reportFullOf(text: string): RunReport {
  const told = { reason: text, expected: text, actual: text, statement: text, section: text }
  const verdicts = ['fail', 'inconclusive', 'skipped', 'waived', 'advisory', 'pass'] as const
  return reportFixture({
    tool: { name: 'plumbline', version: text },
    run: { ...reportFixture().run, id: text },
    target: { codeHosting: { baseUrl: text } },
    results: verdicts.flatMap((verdict) => [
      resultFixture({ ...told, requirement: `a/b/${verdict}`, verdict }),
      resultFixture({ ...told, requirement: text, verdict }),
    ]),
    observations: [{ id: text, value: { [text]: text }, exchanges: [] }],
    exchanges: [exchangeFixture()],
    leftBehind: [{ kind: text, name: text, account: text }],
  })
}

describe.each([
  ['markup', '| a || b `c` ``d`` \\| \\` </details></summary><script>alert(1)</script> <!--'],
  ['references', '@maria #1 GH-1 !1 https://a.example www.a.example a@b.example :tada: $x$'],

  ['hostile text', hostileText],
])('a report full of %s', (_name, text) => {
  const hostile = summaryMarkdown(reportFullOf(text), reportFullOf('something else'))

  it('keeps its tables', () => {
    for (const [title, rows] of Object.entries(tablesOf(hostile))) {
      const widths = new Set(rows.map((cells) => cells.length))
      expect([title, ...widths]).toEqual([title, rows[0]?.length])
    }
    expect(rowsOf(hostile, 'Failed (2)')).toHaveLength(2)
  })

  it('keeps its sections and its folds', () => {
    const expected = summaryMarkdown(reportFullOf('harmless'), reportFullOf('something else'))
    const structure = (document: string) =>
      document.split('\n').filter((line) => /^(#|<|\||-)/.test(line)).length
    expect(structure(hostile)).toBe(structure(expected))
    expect(foldsOf(hostile)).toEqual(foldsOf(expected))
    expect(hostile.match(/^<\/details>$/gm)).toHaveLength(foldsOf(hostile).length)
  })

  it('mentions nobody, links nothing and has no HTML of its own', () => {
    const rest = hostile
      .split('\n')
      .filter((line) => !/^<\/?(details|summary)>/.test(line))
      .map(withoutCode)
      .join('\n')
      .replaceAll('<!-- -->', '\u0000')
    expect(rest).not.toMatch(/<|`|@\w|#\w|!\w|GH-\d|:\/\/|\bwww\.|\]\(|\*\*[^0-9]\b/)
  })
})

it('has room in a comment however much there is, and says what it left out', () => {
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
  const text = summaryMarkdown(reportFixture({ results }))
  expect(text.length).toBeLessThanOrEqual(60_000)
  expect(text.length).toBeGreaterThan(55_000)
  expect(text).toMatch(/… and \d+ more, in `report\.json`\./)
  expect(text).toContain('… and 900 more, in `report.json`.')
  expect(foldsOf(text)).toContain('Left behind on the target (1)')
  expect(text.match(/^<\/details>$/gm)).toHaveLength(foldsOf(text).length)
})
