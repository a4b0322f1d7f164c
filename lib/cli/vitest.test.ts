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

/** Returns the tests that ran, in the output of Vitest's JSON reporter. */
function testsIn(output: string) {
  const { testResults } = JSON.parse(output) as JsonTestResults
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  return tests.filter(({ status }) => status !== 'skipped')
}

describe("Vitest's command line", () => {
  it('judges what -t names, and writes reports of the reference server if no target is configured', async () => {
    const id = 'code-hosting/errors/body'
    const outcome = await vitest(['-t', `code-hosting/settings|code-hosting/tokens/created|${id}`])
    const { status, text, report } = outcome
    expect({ status, verdict: report.verdict, text }).toMatchObject({
      status: 0,
      verdict: 'conformant',
      text: expect.stringContaining('reference server'),
    })
    expect(withVerdict(outcome, 'pass')).toEqual(
      expect.arrayContaining([id, 'code-hosting/settings/record', 'code-hosting/tokens/created']),
    )
    expect(withVerdict(outcome, 'pass').length).toBeLessThan(10)
    // The requests of other checks are not sent.
    const { conforming = [] } = resultOf(outcome, id).cases ?? {}
    expect(conforming.length).toBeLessThan(20)
    // Created resources are deleted, although Vitest skips everything else.
    expect(filesOf(outcome).filter((name) => name.startsWith('ledger-'))).toEqual([])
    expect(report.leakedResources).toEqual([])
  })

  it.each<[string, object, NodeJS.ProcessEnv]>([
    ['CODE_HOSTING_BASE_URL', {}, { CODE_HOSTING_BASE_URL: 'nowhere' }],
  ])('rejects options that make a run invalid: %s', async (name, options, environment) => {
    for (const [variable, value] of Object.entries(environment)) vi.stubEnv(variable, value)
    onTestFinished(() => void vi.unstubAllEnvs())
    const config = { ...conformance.test, ...options }
    const rejected = await setup({ config } as unknown as TestProject).catch((error) => error)
    expect(rejected).toBeInstanceOf(UsageError)
    expect(rejected.stack).toContain(name)
    expect(rejected.stack).not.toContain(' at ')
  })

  it('runs single tests next to those of Plumbline, like editors, and reports failures completely', async () => {
    const all = await referenceEnvironment({ fault: 'limit-ignored' })
    const { CODE_HOSTING_TOKEN_DELETE_PATH: _, ...environment } = all
    const file = inProject('suites/all.suite.ts')
    const names = 'code-hosting/pagination|code-hosting/tokens'
    const outcome = await vitest([file, '-t', names, '--reporter=json'], environment, 'editor')
    const tests = testsIn(outcome.output)
    const named = (name: string) => tests.find(({ title }) => title === `code-hosting/${name}`)
    expect(outcome.status).toBe(1)
    for (const name of ['pagination/default-limit', 'tokens/created']) {
      expect(named(name)?.status, name).toBe('passed')
    }
    expect(named('pagination/limit-honoured')?.failureMessages?.join().split('\n')).toEqual([
      expect.stringMatching(/^GET .* 200: expected .*, got /),
      expect.stringMatching(/^ {2}.*\.$/),
    ])
    expect(filesOf(outcome)).toEqual([expect.stringMatching(/^ledger-/)])
  })
})
