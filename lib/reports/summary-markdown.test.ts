import { describe, expect, it } from 'vitest'
import type { RunReport } from '../results/result.ts'
import {
  deviatingFixture,
  exchangeFixture,
  hostileText,
  reportFixture,
  resultFixture,
} from './report.fixture.ts'
import { summaryMarkdown } from './summary-markdown.ts'

/** The line without its code spans and escaped characters (CommonMark 0.31, 6.1 and 2.4). */
function withoutCode(line: string): string {
  return line.replace(/\\[!-/:-@[-`{-~]|(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, '')
}

function foldsOf(markdown: string): string[] {
  return Array.from(markdown.matchAll(/^<summary>(.*)<\/summary>$/gm), ([, title = '']) => title)
}

const markdown = summaryMarkdown(reportFixture())

describe('summaryMarkdown', () => {
  it.each([
    '| `code-hosting/pagination/limit-lowered` | A limit above the maximum is lowered to the maximum. | Pagination | `X-PerPage: 25` | `X-PerPage: 50` |',
    '| 1 | `connection refused by git.example.com:443` | `code-hosting/pagination/total-count` |',
    '| `code-hosting/errors/malformed-body` | `422` |',
    '| `access token` | `plumbline-q7k2-read-user` | `maria` |',
    '`plumbline sweep` takes these away by the ledger in the reports directory, where `CODE_HOSTING_TOKEN_DELETE_PATH` says how.',
    '| `incident-status/updates/no-response-body` | – | `expected no body; actual a body of the gateway` |',
    '| `code-hosting/scopes/missing-scope-message` | `expected required=[…], token scope=…; actual forbidden` |',
  ])('has %s', (row) => {
    expect(markdown).toContain(`\n${row}`)
  })

  it('folds what a reader may want to know besides', () => {
    expect(foldsOf(markdown)).toEqual([
      'Waived (1)',
      'Advisory: they do not fail the run (1)',
      'Skipped (2)',
      'Observations (2)',
      'Left behind on the target (1)',
    ])
  })
})

it('counts the deviations of a failure that it does not show', () => {
  expect(summaryMarkdown(reportFixture({ results: [deviatingFixture(1)] }))).toContain('`no url` |')
  const many = summaryMarkdown(reportFixture({ results: [deviatingFixture(23)] }))
  expect(many).toContain('`no url` and 22 more |')
})

it('says of what nobody knows to have been made that it may exist', () => {
  const left = { kind: 'access token', name: 'plumbline-a', account: 'maria' }
  const leftBehind = [left, { ...left, name: 'plumbline-b', mayExist: true as const }]
  const text = summaryMarkdown(reportFixture({ leftBehind }))
  expect(text.split('\n').filter((row) => row.includes('(may exist)'))).toHaveLength(1)
  expect(text).toContain('What may exist was asked for')
  expect(summaryMarkdown(reportFixture({ leftBehind: [left] }))).not.toMatch(/may exist/i)
})

it('tells what is new since the previous run of the same target', () => {
  const results = reportFixture().results.map(({ reason: _, ...result }) => ({
    ...result,
    verdict: result.requirement === 'code-hosting/resources/user' ? 'fail' : 'pass',
  })) as RunReport['results']
  const text = summaryMarkdown(reportFixture(), { previous: reportFixture({ results }) })
  expect(foldsOf(text)[0]).toBe('New since the run of 2026-02-03T02:59:10.000Z (6)')
  expect(text).toContain(
    '\n- newly failing: `code-hosting/tokens/created`\n- newly without a verdict: `code-hosting/pagination/total-count`\n',
  )
  expect(text).toContain('\n- mended: `code-hosting/resources/user`\n')
})

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
  const previous = reportFullOf('something else')
  const hostile = summaryMarkdown(reportFullOf(text), { previous })

  it('keeps its sections and its folds', () => {
    const expected = summaryMarkdown(reportFullOf('harmless'), { previous })
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
