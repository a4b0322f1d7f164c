import { describe, expect, it } from 'vitest'
import type { RunReport, Verdict } from '../conformance/result.ts'
import { reportFixture, resultFixture } from './report.fixture.ts'
import { type TerminalSummaryOptions, terminalSummary } from './terminal.ts'

const options = {
  color: false,
  width: 100,
  reportFiles: ['reports/junit.xml', 'reports/report.json'],
}

function summary(parts: Partial<RunReport> = {}, width = 100): string {
  return terminalSummary(reportFixture(parts), { ...options, width })
}

function rows(parts: Partial<RunReport> = {}): string[] {
  return summary(parts).split('\n')
}

function many(count: number, parts: Parameters<typeof resultFixture>[0]) {
  return Array.from({ length: count }, (_, index) =>
    resultFixture({ requirement: `code-hosting/errors/row-${index}`, exchanges: ['e1'], ...parts }),
  )
}

describe('terminalSummary', () => {
  it('begins with the version and the targets', () => {
    expect(rows().slice(0, 3)).toEqual([
      'Plumbline 0.1.0, run q7k2, 2026-02-03T02:59:10.000Z',
      '  code-hosting     https://git.example.com',
      '  incident-status  http://127.0.0.1:4010 (embedded reference)',
    ])
  })

  it('tells a failure with what was expected above what came', () => {
    const text = rows()
    const start = text.indexOf('  1. A limit above the maximum is lowered to the maximum.')
    expect(text.slice(start + 1, start + 13)).toEqual([
      '     code-hosting/pagination/limit-lowered',
      '     section   Pagination',
      '     expected  X-PerPage: 25',
      '     actual    X-PerPage: 50',
      '     related   code-hosting/tokens/created rests on e2 too',
      '     exchange  e1, sent 2026-02-03T02:59:13.120Z, 12 ms; see also e2',
      '     > GET https://git.example.com/api/v1/user/repos?limit=26',
      '     < 200 OK',
      '     < Content-Type: application/json',
      '   ! < X-PerPage: 50',
      '     <',
      '     < [{"id":1,"full_name":"maria/first"},{"id":2,"full_name":"maria/second"}]',
    ])
    expect(text[start + 13]).toMatch(/^ {5}curl --include .*limit=26'$/)
  })

  it('names the variables that the commands need', () => {
    const text = rows()
    const start = text.findIndex((row) => row.startsWith('  Set before repeating a request: '))
    expect(text.slice(start, start + 2).join(' ')).toBe(
      '  Set before repeating a request: $CODE_HOSTING_PASSWORD, as it was for the run; $READ_USER_TOKEN,' +
        '   which the run made for itself: take one of your own of the same kind.',
    )
  })

  it('ends with counts, requests, files and the verdict', () => {
    expect(rows().slice(-7)).toEqual([
      '9 requirements: 2 passed, 2 failed, 1 inconclusive, 2 skipped, 1 waived, 1 advisory',
      'failed: code-hosting/pagination/limit-lowered, code-hosting/tokens/created',
      '3 requests (1 retry) in 12.3 s',
      'reports: reports/junit.xml, reports/report.json',
      '',
      'nonconformant: 2 of 9 requirements failed; 1 of 9 got no verdict; this was the embedded reference deployment, none of yours (exit status 1)',
      '',
    ])
  })
})

describe('the order', () => {
  it('ends with what matters most, since a terminal shows the end', () => {
    const headings = rows().filter((row) => /^[A-Z][a-z ]+ \(\d+\)$/.test(row))
    expect(headings).toEqual([
      'Observations (2)',
      'Passed with a reservation (1)',
      'Skipped (2)',
      'Waived (1)',
      'Advisory (1)',
      'Left behind on the target (1)',
      'Inconclusive (1)',
      'Failed (2)',
    ])
  })
})

describe('what is new', () => {
  const news = (previous?: RunReport, parts: Partial<RunReport> = {}) => {
    const given: TerminalSummaryOptions = { ...options, width: 120, previous }
    const text = terminalSummary(reportFixture(parts), given).split('\n')
    return text.slice(
      text.findIndex((row) => row.startsWith('failed: ')) + 1,
      text.findIndex((row) => row.includes(' requests ')),
    )
  }

  it('is told in one sentence', () => {
    const before: Partial<Record<string, Verdict>> = {
      'code-hosting/resources/user': 'fail',
      'code-hosting/pagination/limit-lowered': 'pass',
      'code-hosting/tokens/created': 'pass',
    }
    const results = reportFixture().results.map((result) => ({
      ...result,
      verdict: before[result.requirement] ?? result.verdict,
    }))
    const passing = reportFixture({ results })
    expect(news(passing)).toEqual([
      'new since the last run: 2 newly failing (code-hosting/pagination/limit-lowered, code-hosting/tokens/created); 1 mended',
      '(code-hosting/resources/user)',
    ])
  })
})

describe('grouping and truncation', () => {
  it('shows no exchange for what an interruption left open', () => {
    const results = many(3, {
      verdict: 'inconclusive',
      reason: 'the run was interrupted',
      unjudged: { kind: 'interrupted' },
    })
    expect(summary({ results })).not.toContain('exchange')
  })

  it('tells of an unreachable server once', () => {
    const results = many(80, { verdict: 'inconclusive', reason: 'git.example.com refuses' })
    const text = summary({ results, observations: [], leftBehind: [] })
    expect(text.match(/git\.example\.com refuses/g)).toHaveLength(1)
    expect(text).toContain('80 requirements: code-hosting/errors (80)')
    expect(text.split('\n').length).toBeLessThan(30)
    expect(text).toContain('inconclusive: 80 of 80 got no verdict; nothing was judged')
  })

  it('hides no failure, however many there are', () => {
    const text = summary({ results: many(70, { verdict: 'fail', actual: 'status 200' }) })
    for (let index = 0; index < 70; index += 1) {
      expect(text).toContain(`code-hosting/errors/row-${index}\n`)
    }
    expect(text.match(/actual {4}status 200/g)).toHaveLength(70)
    // All of them rest on one exchange, which is shown once.
    expect(text.match(/curl --include/g)).toHaveLength(1)
    expect(text.match(/, shown above/g)).toHaveLength(11)
    expect(text).toContain('From number 13 on')
  })

  it('says how many of a long list are left out', () => {
    const observations = Array.from({ length: 43 }, (_, index) => ({
      id: `observation-${index}`,
      value: index,
      exchanges: [],
    }))
    const leftBehind = Array.from({ length: 25 }, () => ({ kind: 'k', name: 'n', account: 'a' }))
    const text = summary({ observations, leftBehind })
    expect(text).toContain('and 3 more observations, in report.json')
    expect(text).toContain('and 5 more things, in report.json')
  })

  it.each([
    [20, 40],
    [60, 60],
    [100, 100],
    [500, 120],
  ])('sets all but commands for a width of %i within %i columns', (width, columns) => {
    const text = summary({}, width).split('\n')
    const end = text.findIndex((row) => row.startsWith('9 requirements: '))
    const middle = text.slice(text.indexOf('Observations (2)'), end)
    const lengths = middle.filter((row) => !row.includes('curl ')).map((row) => row.length)
    expect(lengths.length).toBeGreaterThan(40)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(columns)
  })
})
