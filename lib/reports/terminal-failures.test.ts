import { describe, expect, it } from 'vitest'
import { exchangeFixture, reportFixture, resultFixture } from './report.fixture.ts'
import { terminalSummary } from './terminal.ts'

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

  it('is marked where it stands: the status', () => {
    const found = failureRows({ reads: { status: true } })
    expect(found.filter((row) => row.startsWith('   ! '))).toEqual(['   ! < 200 OK'])
  })

  it('is never marked in a body that looks like a header', () => {
    const response = { status: 200, headers: [], body: '\nX-PerPage: 50', bodyBytes: 1 }
    const found = failureRows({ reads: { header: 'X-PerPage' } }, { response })
    expect(found).toContain('     < X-PerPage: 50')
    expect(found.join('\n')).not.toContain('! <')
  })
})
