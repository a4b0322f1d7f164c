import { describe, expect, it } from 'vitest'
import type { RequirementResult } from '../results/run-report.ts'
import { withoutWorkflowCommands } from '../text/printable.ts'
import { annotations } from './annotations.ts'
import { reportModel } from './facts.ts'
import { reportFixture, resultFixture } from './report.fixture.ts'

function lines(results: RequirementResult[]): string[] {
  const text = annotations(reportModel(reportFixture({ results })))
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

function many(count: number, parts: Partial<RequirementResult>): RequirementResult[] {
  return Array.from({ length: count }, (_, index) =>
    resultFixture({ requirement: `a/b/row-${index}`, ...parts }),
  )
}

describe('annotations', () => {
  it('returns only as many as GitHub shows and counts the others in the last one', () => {
    expect(lines(many(4, { verdict: 'inconclusive', reason: 'refused' }))).toEqual([
      '::warning title=4 requirements are inconclusive::refused%0Aa/b (4)',
    ])
    expect(lines(many(10, { verdict: 'fail' })).at(-1)).toContain('title=a/b/row-9::')
    const failures = lines(many(25, { verdict: 'fail' }))
    expect(failures).toHaveLength(10)
    expect(failures.at(-1)).toMatch(/^::error title=16 .*::a\/b \(16\)$/)

    const noVerdict = many(30, { verdict: 'inconclusive' })
    const warnings = lines(noVerdict.map((result, index) => ({ ...result, reason: `${index}` })))
    expect(warnings).toHaveLength(10)
    expect(warnings.at(-1)).toMatch(/^::warning title=21 .*::a\/b \(21\)$/)
  })

  it('escapes the syntax of commands', () => {
    const text = '100% ::error::x, y: z\r\n::set-env name=A::b'
    const [line] = lines([
      resultFixture({ requirement: text, statement: text, verdict: 'fail', deviations: [] }),
    ])
    expect(line).toBe(
      '::error title=100%25 %3A%3Aerror%3A%3Ax%2C y%3A z %3A%3Aset-env name=A%3A%3Ab::100%25 ::error::x, y: z ::set-env name=A::b (Resources)',
    )
  })
})

it.each([
  ['::error::x', '\\u003a:error::x'],
  ['a\n \t\u00a0::set-env name=A::b', 'a\n \t\u00a0\\u003a:set-env name=A::b'],
  ['a\r::debug::b', 'a\r\\u003a:debug::b'],
  ['::::', '\\u003a:::'],
  ['x ##[add-mask]y ##[', 'x \\u0023#[add-mask]y \\u0023#['],
  ['x ##vso[task.setvariable]y ##VSO[', 'x \\u0023#vso[task.setvariable]y \\u0023#VSO['],
  ['x ##teamcity[buildStatus] ##TeamCity[', 'x \\u0023#teamcity[buildStatus] \\u0023#TeamCity['],
  ['###[group]', '#\\u0023#[group]'],
  ...['http://[::1]:3000/ a::b\n\n  expected  ::1', '## [x] #[ #vso[ ##vso ['].map((text) => [
    text,
    text,
  ]),
])('withoutWorkflowCommands escapes only commands in %j', (text, expected) => {
  expect(withoutWorkflowCommands(text)).toBe(expected)
})
