import { describe, expect, it } from 'vitest'
import type { RunReport } from '../results/run-report.ts'
import { textsOf } from './formats.fixture.ts'
import { reportFixture, resultFixture } from './report.fixture.ts'
import { terminalStyle } from './terminal-document.ts'

type Options = Parameters<typeof textsOf>[1]

const summary = (parts: Partial<RunReport> = {}, options: Options = {}) =>
  textsOf(reportFixture(parts), options).terminal

function many(count: number, parts: Parameters<typeof resultFixture>[0]) {
  return Array.from({ length: count }, (_, index) =>
    resultFixture({ requirement: `code-hosting/errors/row-${index}`, exchanges: ['e1'], ...parts }),
  )
}

describe('terminalSummary', () => {
  it('lists failures by their impact: access, data, header fields and texts', () => {
    const results = (['format', 'data', 'access'] as const).map((impact) =>
      resultFixture({ requirement: `code-hosting/errors/${impact}`, verdict: 'fail', impact }),
    )
    const listed = [...summary({ results }).matchAll(/^ {5}code-hosting\/errors\/(\w+):/gm)]
    expect(listed.map(([, impact]) => impact)).toEqual(['access', 'data', 'format'])
  })

  it('shows twenty reasons, and the number of others', () => {
    const results = many(30, { verdict: 'skipped' }).map((result, index) => {
      return { ...result, reason: `reason ${index}` }
    })
    const text = summary({ results })
    expect(text.match(/reason \d+/g)).toHaveLength(20)
    expect(text).toContain('and 10 more, in report.json')
  })

  it('shows all failures, their exchange once, and one command that re-runs their sections', () => {
    const text = summary({ results: many(70, { verdict: 'fail', actual: 'status 200' }) })
    for (let index = 0; index < 70; index += 1) {
      expect(text).toContain(`code-hosting/errors/row-${index}: `)
    }
    expect(text.match(/actual {4}status 200/g)).toHaveLength(70)
    expect(text.match(/curl --include/g)).toHaveLength(1)
    expect(text.match(/, shown above/g)).toHaveLength(11)
    expect(text.match(/ first 12: in report\.html/g)).toHaveLength(1)
    const command = 'plumbline run --requirement code-hosting/errors --reports reports/again'
    expect(text).toContain(`\n     ${command}\n`)
  })

  it.each([
    [20, 40],
    [60, 60],
    [100, 100],
    [500, 120],
  ])('wraps all rows except commands for a width of %i within %i columns', (width, columns) => {
    const text = summary({}, { ...terminalStyle({ color: false, width }), verbose: true }).split(
      '\n',
    )
    const end = text.findIndex((row) => row.startsWith('9 requirements: '))
    const lengths = text
      .slice(text.indexOf('Observations (2)'), end)
      .filter((row) => !/^ {5}(curl|plumbline run) /.test(row))
      .map((row) => row.length)
    expect(lengths.length).toBeGreaterThan(40)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(columns)
  })
})

it('is not wrapped without a terminal, and its last line is the verdict', () => {
  const width = Number.POSITIVE_INFINITY
  for (const quiet of [false, true]) {
    const rows = summary({}, { ...terminalStyle({ color: false, width }), quiet }).split('\n')
    expect(rows.at(-1)).toMatch(/^nonconformant: .* \(exit status 1\)$/)
    expect(rows.some((row) => row.startsWith('Leaked resources ('))).toBe(true)
    expect(rows.some(({ length }) => length > 120)).toBe(true)
  }
})
