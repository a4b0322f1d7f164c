import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { JsonTestResults } from 'vitest/node'
import { filesOf, plumbline, referenceEnvironment, withVerdict } from './command.fixture.ts'

const inProject = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

const vitest = (args: string[], environment?: Record<string, string>, config = 'conformance') =>
  plumbline(
    ['run', '--config', inProject(`config/${config}.config.ts`), ...args],
    environment,
    undefined,
    inProject('node_modules/vitest/vitest.mjs'),
  )

/** What Vitest's reporter for machines told of the tests that ran, by name. */
function told(output: string) {
  const { testResults } = JSON.parse(output) as JsonTestResults
  const ran = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status !== 'skipped'),
  )
  return new Map(
    ran.map(({ title, status, failureMessages = [] }) => [title, { status, failureMessages }]),
  )
}

describe("Vitest's own command line", () => {
  it('judges the requirements that -t names, and tells of a failure what a person needs', async () => {
    const environment = await referenceEnvironment({ fault: 'limit-ignored' })
    const args = ['-t', 'code-hosting/pagination', '--reporter=json']
    const { status, output, directory } = await vitest(args, environment)
    const tests = told(output)
    expect(status).toBe(1)
    expect([...tests.keys()].every((name) => name.includes('code-hosting/pagination/'))).toBe(true)
    expect(tests.get('code-hosting/pagination/total-count')?.status).toBe('passed')
    const { failureMessages } = tests.get('code-hosting/pagination/limit-honoured') ?? {}
    expect(failureMessages?.join().split('\n')).toEqual([
      expect.stringMatching(/^GET .*: expected .*, got /),
      expect.stringMatching(/^ {2}statement: .*\.$/),
      expect.stringMatching(/^ {2}expected: ./),
      expect.stringMatching(/^ {2}actual: ./),
      expect.stringMatching(/^ {2}exchange: GET http.*: 200$/),
      expect.stringMatching(/^ {2}repeat: curl .*"Authorization: Bearer \$\w+"/),
    ])
    // What the run made is taken away, though Vitest skips everything else.
    expect(filesOf({ directory })).toEqual([])
  })

  it('writes the reports of the embedded deployment where none is configured', async () => {
    const { status, text, report } = await vitest(['-t', 'code-hosting/settings'])
    expect({ status, verdict: report.verdict, text }).toMatchObject({
      status: 0,
      verdict: 'conformant',
      text: expect.stringContaining('embedded reference'),
    })
    const judged = withVerdict({ report }, 'pass')
    expect(judged.length).toBeGreaterThan(1)
    expect(judged.every((id) => id.startsWith('code-hosting/settings/'))).toBe(true)
  })

  it('tells what is wrong with the environment before anything is sent', async () => {
    const { status, errors } = await vitest([], { CODE_HOSTING_BASE_URL: 'nowhere' })
    expect(status).toBe(1)
    expect(errors).toContain('CODE_HOSTING_BASE_URL')
    expect(errors).not.toContain(' at ')
  })

  it('refuses options that would spoil a run', async () => {
    for (const option of ['--bail=1', '--maxConcurrency=5']) {
      const { status, errors } = await vitest([option])
      expect(status).toBe(1)
      expect(errors).toContain(option.split('=')[0])
    }
  })

  it('runs files with names and ledgers of their own, where tokens stay', async () => {
    const { CODE_HOSTING_TOKEN_DELETE_PATH: _, ...environment } = await referenceEnvironment()
    const files = ['tokens', 'scopes'].map((name) =>
      inProject(`suites/code-hosting/${name}.suite.ts`),
    )
    const outcome = await vitest([...files, '--reporter=json'], environment, 'editor')
    const failed = [...told(outcome.output)].filter(([, { status }]) => status === 'failed')
    expect(failed).toEqual([])
    expect(filesOf(outcome)).toHaveLength(2)
  })

  it('runs the file of a section alone, as editors do', async () => {
    const file = 'suites/code-hosting/errors.suite.ts'
    const { output } = await vitest([inProject(file), '--reporter=json'], {}, 'editor')
    const tests = told(output)
    expect(tests.get('code-hosting/errors/validation-status')?.status).toBe('passed')
    expect(tests.get('code-hosting/errors/body')?.status).toBe('passed')
  })
})
