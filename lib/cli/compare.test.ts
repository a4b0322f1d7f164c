import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Comparison } from '../compare/compare.ts'
import { hostileText, reportFixture, resultFixture } from '../reports/report.fixture.ts'
import { plumbline, temporaryDirectory } from './command.fixture.ts'
import { type CompareOptions, compare } from './compare.ts'
import { enclosedContext, UsageError } from './context.ts'
import { enclosedRun } from './enclosed-run.fixture.ts'

async function compared(
  before: unknown,
  after: unknown,
  format: CompareOptions['format'] = 'text',
  environment: NodeJS.ProcessEnv = {},
) {
  const directory = temporaryDirectory()
  const files = [before, after].map((content, index) => {
    const name = `${index}.json`
    writeFileSync(join(directory, name), JSON.stringify(content))
    return name
  })
  const context = { ...enclosedContext(directory), environment }
  const status = await compare([files[0] ?? '', files[1] ?? ''], { format }, context)
  return { status, output: context.told.output, errors: context.told.errors }
}

const passing = reportFixture({ results: [resultFixture({ verdict: 'pass' })] })
const failing = reportFixture({
  results: [resultFixture({ verdict: 'fail', actual: hostileText })],
})

describe('plumbline compare', () => {
  it('prints text, Markdown or JSON, and says in its status whether something got worse', async () => {
    const text = await compared(passing, failing)
    expect(text).toMatchObject({ status: 1, errors: '' })
    expect(text.output).toMatch(/^before {2}0\.json\n/)
    expect(text.output).toMatch(/\nworse: 1 newly failing; .*\(exit status 1\)\n$/)
    const markdown = await compared(failing, passing, 'markdown')
    expect(markdown.status).toBe(0)
    expect(markdown.output).toMatch(/^## ✅ no worse: /)
    const json = await compared(passing, failing, 'json')
    expect(json.status).toBe(1)
    const comparison: Comparison = JSON.parse(json.output)
    expect(comparison.before.file).toBe('0.json')
    expect(comparison.requirements.newlyFailing).toHaveLength(1)
  })

  it.each(['text', 'markdown', 'json'] as const)(
    'says in its status that a requirement was not looked at any more, as %s',
    async (format) => {
      const [lost, kept] = ['code-hosting/errors/body', 'code-hosting/tokens/created'].map(
        (requirement) => resultFixture({ requirement, verdict: 'pass' }),
      ) as [ReturnType<typeof resultFixture>, ReturnType<typeof resultFixture>]
      const [before, after] = [[lost, kept], [kept]].map((results) => reportFixture({ results }))
      const { status, output } = await compared(before, after, format)
      expect(status).toBe(3)
      expect(output).toContain('code-hosting/errors/body')
      expect(output).toContain('incomplete')
      expect((await compared(after, before, format)).status).toBe(0)
    },
  )

  it('gives GitHub Actions no command that a report holds', async () => {
    const hostile = resultFixture({ verdict: 'fail', actual: 'x\n::error::boo\n##[group]y' })
    const { output } = await compared(passing, reportFixture({ results: [hostile] }), 'text', {
      GITHUB_ACTIONS: 'true',
    })
    expect(output).toContain('boo')
    expect(output).not.toMatch(/^\s*::error/m)
    expect(output).not.toContain('##[group]')
  })

  it('names a file that is no report, and which of the two is missing', async () => {
    const context = enclosedContext(temporaryDirectory())
    const attempt = (before: string, after: string) =>
      compare([before, after], { format: 'text' }, context)
    await expect(attempt('none.json', 'none.json')).rejects.toThrow(UsageError)
    await expect(attempt('none.json', 'none.json')).rejects.toThrow(
      /^compare: .*none\.json does not exist\.$/,
    )
    await expect(attempt('', 'x')).rejects.toThrow('compare: BEFORE names no file.')
    expect(context.told.output).toBe('')
  })
})

it('plumbline compare finds what an upgrade broke', async () => {
  const before = await enclosedRun({})
  const after = await enclosedRun({}, { fault: 'missing-repository-answered-with-403' })
  const { status, text, errors } = await plumbline(['compare', before.directory, after.directory])

  expect([status, errors]).toEqual([1, ''])
  expect(text).toContain(
    'code-hosting/errors/missing-repository before passed expected status 404 actual status 403',
  )
  expect(text).toMatch(/ worse: 1 newly failing(;[^()]*)? \(exit status 1\) $/)
})
