import { describe, expect, it } from 'vitest'
import type { RunReport, Verdict } from '../results/result.ts'
import { snapshotOf } from '../results/snapshot.ts'
import {
  deviatingFixture,
  exchangeFixture,
  reportFixture,
  resultFixture,
} from './report.fixture.ts'
import { terminalSummary } from './terminal.ts'

const options = {
  color: false,
  width: 100,
  reportFiles: ['reports/junit.xml', 'reports/report.json'],
  verbose: true,
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
  it('tells a failure with what was expected above what came', () => {
    const text = rows()
    const start = text.indexOf('  1. A limit above the maximum is lowered to the maximum.')
    expect(text.slice(start + 1, start + 12)).toEqual([
      '     code-hosting/pagination/limit-lowered',
      '     section   Pagination',
      '     expected  X-PerPage: 25',
      '     actual    X-PerPage: 50',
      '     exchange  e1, sent 2026-02-03T02:59:13.120Z, 12 ms; see also e2',
      '     > GET https://git.example.com/api/v1/user/repos?limit=26',
      '     < 200 OK',
      '     < Content-Type: application/json',
      '   ! < X-PerPage: 50',
      '     <',
      '     < [{"id":1,"full_name":"maria/first"},{"id":2,"full_name":"maria/second"}]',
    ])
    expect(text[start + 12]).toMatch(/^ {5}curl --include .*limit=26'$/)
  })

  it.each([
    [1, []],
    [2, ['GET /2 403: no url (e2)']],
    [
      23,
      [
        ...[2, 3, 4, 5, 6].map((number) => `GET /${number} 403: no url (e2)`),
        'and 17 more, in report.json',
      ],
    ],
  ])('has a line for each further deviation, up to a number: of %d', (count, lines) => {
    const label = '     also      '
    const found = rows({ results: [deviatingFixture(count)] }).filter((row) =>
      row.startsWith(label),
    )
    expect(found).toEqual(lines.map((line) => `${label}${line}`))
  })

  it('says once how to judge again what failed: of many their sections', () => {
    expect(rows()).toContain(
      '     plumbline run --requirement code-hosting/pagination/limit-lowered code-hosting/tokens/created --reports reports/again',
    )
    expect(rows({ results: many(13, { verdict: 'fail' }) })).toContain(
      '     plumbline run --requirement code-hosting/errors --reports reports/again',
    )
  })

  it('relates failures that the same exchange shows, not those that rest on it besides', () => {
    const failure = (name: string, ...exchanges: string[]) =>
      resultFixture({ requirement: `code-hosting/errors/${name}`, verdict: 'fail', exchanges })
    const results = [failure('a', 'e1'), failure('b', 'e1', 'e2'), failure('c', 'e2', 'e1')]
    expect(rows({ results }).filter((row) => row.includes('related'))).toEqual([
      '     related   code-hosting/errors/b (same exchange)',
      '     related   code-hosting/errors/a (same exchange)',
    ])
  })

  it('says how to get what the commands need', () => {
    const report = reportFixture()
    const [, creation] = report.exchanges
    Object.assign(creation?.response ?? {}, { status: 201 })
    Object.assign(creation ?? {}, { secrets: ['READ_USER_TOKEN'] })
    const text = terminalSummary(report, options)
    expect(text).toMatch(
      /\n {2}Set before repeating a request: \$CODE_HOSTING_PASSWORD, as it was for the run\.\n {2}\$READ_USER_TOKEN is in the response to:\n {5}curl --include --request POST /,
    )
  })

  it('ends with counts, requests, files and the verdict', () => {
    expect(rows().slice(-8)).toEqual([
      '9 requirements: 2 passed, 2 failed, 1 inconclusive, 2 skipped, 1 waived, 1 advisory',
      'failed: code-hosting/pagination/limit-lowered, code-hosting/tokens/created',
      '3 requests (1 retry) in 12.3 s',
      'reports: reports/junit.xml, reports/report.json',
      '',
      'nonconformant: 2 of 9 requirements failed; 1 of 9 got no verdict; this was the embedded reference',
      'deployment, none of yours (exit status 1)',
      '',
    ])
  })
})

it('ends with what matters most, since a terminal shows the end', () => {
  const headings = rows().filter((row) => /^[A-Z][a-z ]+ \(\d+\)$/.test(row))
  expect(headings.join(', ')).toBe(
    'Observations (2), Passed with a reservation (1), Skipped (2), Waived (1), Advisory (1), ' +
      'Left behind on the target (1), Inconclusive (1), Failed (2)',
  )
})

it('says how much was observed, and where that is, unless it is to tell all', () => {
  const reportFiles = ['reports/report.json', 'reports/report.html']
  const text = terminalSummary(reportFixture(), { ...options, reportFiles, verbose: false })
  expect(text).toContain('\n2 observations recorded: reports/report.html#observations\n')
  expect(text).not.toContain('user-fields')
  const results = [resultFixture()]
  const silent = reportFixture({ results, observations: [] })
  expect(terminalSummary(silent, { ...options, reportFiles })).not.toContain('bservation')
})

it('tells what is new in one sentence', () => {
  const before: Partial<Record<string, Verdict>> = {
    'code-hosting/resources/user': 'fail',
    'code-hosting/tokens/created': 'pass',
  }
  const results = reportFixture().results.map(({ reason, ...result }) => {
    const verdict = before[result.requirement] ?? result.verdict
    return { ...result, verdict, ...(verdict !== 'pass' && reason && { reason }) }
  })
  const previous = snapshotOf(reportFixture({ results }))
  const text = terminalSummary(reportFixture(), { ...options, width: 120, previous })
  expect(text.replace(/\s+/g, ' ')).toContain(
    ' new since the last run: 1 newly failing (code-hosting/tokens/created); 1 judged less than before (code-hosting/tokens/documented-scopes); 1 mended (code-hosting/resources/user) ',
  )
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

  it.each([
    [20, 40],
    [60, 60],
    [100, 100],
    [500, 120],
  ])('sets all but commands for a width of %i within %i columns', (width, columns) => {
    const text = summary({}, width).split('\n')
    const end = text.findIndex((row) => row.startsWith('9 requirements: '))
    const middle = text.slice(text.indexOf('Observations (2)'), end)
    const lengths = middle
      .filter((row) => !/^ {5}(curl|plumbline run) /.test(row))
      .map((row) => row.length)
    expect(lengths.length).toBeGreaterThan(40)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(columns)
  })
})

/** The rows of a failure with these parts, from its number to its command. */
function failureRows(
  parts: Parameters<typeof resultFixture>[0],
  exchange: Parameters<typeof exchangeFixture>[0] = {},
): string[] {
  const results = [resultFixture({ verdict: 'fail', exchanges: ['e1'], ...parts })]
  const report = reportFixture({ results, exchanges: [exchangeFixture(exchange)] })
  const options = { color: false, width: 100, reportFiles: [] }
  const text = terminalSummary(report, options).split('\n')
  return text.slice(text.indexOf('Failed (1)') + 2, text.findIndex((row) => / curl /.test(row)) + 1)
}

describe('what a failure is about', () => {
  it('is marked where it stands: a header, and of the body only its beginning', () => {
    const body = JSON.stringify(Array.from({ length: 99 }, (_, id) => ({ id })))
    const response = { ...exchangeFixture().response, status: 200, body, bodyBytes: 1 }
    const found = failureRows(
      { reads: { header: 'X-PerPage' } },
      { response: { headers: [], ...response } },
    )
    expect(found.filter((row) => row.startsWith('   ! '))).toEqual(['   ! < X-PerPage: 50'])
    expect(found.join('\n')).toMatch(/… \[\d{3} more\s+characters\]/)
  })

  it('is never marked in a body that looks like a header', () => {
    const response = { status: 200, headers: [], body: '\nX-PerPage: 50', bodyBytes: 1 }
    const found = failureRows({ reads: { header: 'X-PerPage' } }, { response })
    expect(found).toContain('     < X-PerPage: 50')
    expect(found.join('\n')).not.toContain('! <')
  })
})
