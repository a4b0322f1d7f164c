import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hostileText, reportFixture, resultFixture } from '../reports/report.fixture.ts'
import type { Comparison } from '../runs/compare/compare.ts'
import { plumbline, temporaryDirectory } from './command.fixture.ts'
import { type CompareOptions, action as compare } from './compare.ts'
import { createNestedContext } from './context.fixture.ts'

function withReports(before: unknown, after: unknown): string {
  const directory = temporaryDirectory()
  for (const [index, content] of [before, after].entries()) {
    writeFileSync(join(directory, `${index}.json`), JSON.stringify(content))
  }
  return directory
}

async function compared(
  before: unknown,
  after: unknown,
  format: CompareOptions['format'] = 'text',
  environment: NodeJS.ProcessEnv = {},
) {
  const context = { ...createNestedContext(withReports(before, after)), environment }
  const status = await compare('0.json', '1.json', { format }, context)
  return { status, ...context.reported }
}

const passing = reportFixture({ results: [resultFixture({ verdict: 'pass' })] })
const failing = reportFixture({
  results: [resultFixture({ verdict: 'fail', actual: hostileText })],
})

describe('plumbline compare', () => {
  it('returns in its status whether a verdict got worse, also from a process', async () => {
    const files = [0, 1].map((index) => join(withReports(passing, failing), `${index}.json`))
    const text = await plumbline(['compare', ...files])
    expect([text.status, text.errors]).toEqual([1, ''])
    expect(text.output).toMatch(/\nworse: 1 newly failing, .*\(exit status 1\)\n$/)
    const markdown = await compared(failing, passing, 'markdown')
    expect(markdown.status).toBe(0)
    expect(markdown.output).toMatch(/^## ✅ no worse: /)
    const json = await compared(passing, failing, 'json')
    expect(json.status).toBe(1)
    const comparison: Comparison = JSON.parse(json.output)
    expect(comparison.requirements.newlyFailing).toHaveLength(1)
  })

  it.each([{ GITHUB_ACTIONS: 'true' }, { TF_BUILD: 'True' }])(
    'prints no command to a CI server from a report: %o',
    async (environment) => {
      const actual = 'x\n::error::boo\n##[group]y ##vso[task.complete]z'
      const after = reportFixture({ results: [resultFixture({ verdict: 'fail', actual })] })
      const { output } = await compared(passing, after, 'text', environment)
      expect(output).toContain('boo')
      expect(output).not.toMatch(/^\s*::error|##(vso)?\[/m)
    },
  )
})
