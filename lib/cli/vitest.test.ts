import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { JsonTestResults, TestProject } from 'vitest/node'
import { conformance } from '../conformance/vitest-config.ts'
import {
  filesOf,
  plumbline,
  referenceEnvironment,
  resultOf,
  withVerdict,
} from './command.fixture.ts'
import { UsageError } from './context.ts'
import setup from './vitest-global-setup.ts'

const inProject = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

const vitest = (args: string[], environment?: Record<string, string>, config = 'conformance') =>
  plumbline(
    ['run', '--config', inProject(`config/${config}.config.ts`), ...args],
    environment,
    undefined,
    inProject('node_modules/vitest/vitest.mjs'),
  )

/** Returns the tests in the output of Vitest's JSON reporter, by name. */
function testsIn(output: string) {
  const { testResults } = JSON.parse(output) as JsonTestResults
  const ran = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ status }) => status !== 'skipped'),
  )
  return new Map(
    ran.map(({ title, status, failureMessages = [] }) => [title, { status, failureMessages }]),
  )
}

describe("Vitest's command line", () => {
  it('judges the requirements that -t names, and reports failures completely', async () => {
    const environment = await referenceEnvironment({ fault: 'limit-ignored' })
    const args = ['-t', 'code-hosting/pagination', '--reporter=json']
    const { status, output, directory } = await vitest(args, environment)
    const tests = testsIn(output)
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
      expect.stringMatching(/^ {2}repeat: curl .*"Authorization: Bearer \$\{\w+\}"/),
    ])
    // Created resources are deleted, although Vitest skips everything else.
    expect(filesOf({ directory })).toEqual([])
  })

  it('writes reports of the reference server if no target is configured', async () => {
    const id = 'code-hosting/errors/body'
    const outcome = await vitest(['-t', `code-hosting/settings|${id}`])
    const { status, text, report } = outcome
    expect({ status, verdict: report.verdict, text }).toMatchObject({
      status: 0,
      verdict: 'conformant',
      text: expect.stringContaining('reference server'),
    })
    const judged = withVerdict(outcome, 'pass').filter((one) => one !== id)
    expect(judged.length).toBeGreaterThan(1)
    expect(judged.every((one) => one.startsWith('code-hosting/settings/'))).toBe(true)
    // The checks that it is based on do not run.
    expect(resultOf(outcome, id).verdict).toBe('pass')
    expect(resultOf(outcome, id).partial?.length).toBeGreaterThan(50)
  })

  it('reports only the problem, before any request is sent', async () => {
    const { status, errors } = await vitest(['--bail=1'])
    expect(status).toBe(1)
    expect(errors).toContain('--bail ')
    expect(errors).not.toContain(' at ')
  })

  it.each<[string, object, NodeJS.ProcessEnv]>([
    ['CODE_HOSTING_BASE_URL', {}, { CODE_HOSTING_BASE_URL: 'nowhere' }],
    ['--maxConcurrency', { maxConcurrency: 5 }, {}],
  ])('rejects options that make a run invalid: %s', async (name, options, environment) => {
    for (const [variable, value] of Object.entries(environment)) vi.stubEnv(variable, value)
    onTestFinished(() => void vi.unstubAllEnvs())
    const config = { ...conformance.test, ...options }
    const refused = await setup({ config } as unknown as TestProject).catch((error) => error)
    expect(refused).toBeInstanceOf(UsageError)
    expect(refused.stack).toContain(name)
    expect(refused.stack).not.toContain(' at ')
  })

  it('runs single files with separate names and ledgers, like editors', async () => {
    const { CODE_HOSTING_TOKEN_DELETE_PATH: _, ...environment } = await referenceEnvironment()
    const files = ['errors', 'tokens'].map((name) =>
      inProject(`suites/code-hosting/${name}.suite.ts`),
    )
    const outcome = await vitest([...files, '--reporter=json'], environment, 'editor')
    const tests = [...testsIn(outcome.output)]
    expect(tests.filter(([, { status }]) => status === 'failed')).toEqual([])
    const passed = tests.filter(([, { status }]) => status === 'passed').map(([name]) => name)
    expect(passed).toEqual(
      expect.arrayContaining(['code-hosting/errors/body', 'code-hosting/tokens/created']),
    )
    expect(filesOf(outcome)).toHaveLength(2)
  })
})
