import { describe, expect, it } from 'vitest'
import type { RunReport } from '../results/run-report.ts'
import { reportModel } from './model.ts'
import { exchangeFixture, reportFixture, resultFixture } from './report.fixture.ts'
import { terminalSummary } from './terminal.ts'

const options = {
  color: false,
  width: 100,
  reportFiles: ['reports/junit.xml', 'reports/report.json'],
  verbose: true,
}

function summary(parts: Partial<RunReport> = {}, width = 100): string {
  return terminalSummary(reportModel(reportFixture(parts)), { ...options, width })
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
  it('returns one command that re-runs the failures, or their sections if there are many', () => {
    expect(rows()).toContain(
      '     plumbline run --requirement code-hosting/pagination/limit-lowered code-hosting/tokens/created --reports reports/again',
    )
    expect(rows({ results: many(13, { verdict: 'fail' }) })).toContain(
      '     plumbline run --requirement code-hosting/errors --reports reports/again',
    )
  })

  it('relates failures shown by the same exchange', () => {
    const failure = (name: string, ...exchanges: string[]) =>
      resultFixture({ requirement: `code-hosting/errors/${name}`, verdict: 'fail', exchanges })
    const results = [failure('a', 'e1'), failure('b', 'e1', 'e2'), failure('c', 'e2', 'e1')]
    expect(rows({ results }).filter((row) => row.includes('related'))).toEqual([
      '     related   code-hosting/errors/b (same exchange)',
      '     related   code-hosting/errors/a (same exchange)',
    ])
  })
})

it('returns the number and location of observations unless verbose', () => {
  const reportFiles = ['reports/report.json', 'reports/report.html']
  const text = terminalSummary(reportModel(reportFixture()), {
    ...options,
    reportFiles,
    verbose: false,
  })
  expect(text).toContain('\n2 observations recorded: reports/report.html#observations\n')
  expect(text).not.toContain('user-fields')
  const results = [resultFixture()]
  const silent = reportFixture({ results, observations: [] })
  expect(terminalSummary(reportModel(silent), { ...options, reportFiles })).not.toContain(
    'bservation',
  )
})

describe('grouping and truncation', () => {
  it('shows no exchange for interrupted checks', () => {
    const results = many(3, {
      verdict: 'inconclusive',
      reason: 'the run was interrupted',
      noVerdict: { kind: 'interrupted' },
    })
    expect(summary({ results })).not.toContain('exchange')
  })

  it('shows all failures', () => {
    const text = summary({ results: many(70, { verdict: 'fail', actual: 'status 200' }) })
    for (let index = 0; index < 70; index += 1) {
      expect(text).toContain(`code-hosting/errors/row-${index}\n`)
    }
    expect(text.match(/actual {4}status 200/g)).toHaveLength(70)
    // They share an exchange, which is shown once.
    expect(text.match(/curl --include/g)).toHaveLength(1)
    expect(text.match(/, shown above/g)).toHaveLength(11)
    expect(text).toContain('from number 13 on')
  })

  it.each([
    [20, 40],
    [60, 60],
    [100, 100],
    [500, 120],
  ])('wraps all rows except commands for a width of %i within %i columns', (width, columns) => {
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

/** Returns the rows of a failure, from its number to its command. */
function failureRows(
  parts: Parameters<typeof resultFixture>[0],
  exchange: Parameters<typeof exchangeFixture>[0] = {},
): string[] {
  const results = [resultFixture({ verdict: 'fail', exchanges: ['e1'], ...parts })]
  const report = reportFixture({ results, exchanges: [exchangeFixture(exchange)] })
  const options = { color: false, width: 100, reportFiles: [] }
  const text = terminalSummary(reportModel(report), options).split('\n')
  return text.slice(text.indexOf('Failed (1)') + 2, text.findIndex((row) => / curl /.test(row)) + 1)
}

describe('the inspected part of a failure', () => {
  it('is marked in the header fields, with only the first lines of the body', () => {
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
