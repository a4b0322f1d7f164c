import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { referenceEnvironment, temporaryDirectory } from '../../lib/cli/command.fixture.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))
const text = readFileSync(join(project, 'action.yml'), 'utf8')

interface Action {
  inputs: Record<string, { default?: string }>
  outputs: Record<string, { value: string }>
  runs: { steps: { id?: string; run?: string; uses?: string; if?: string; env?: object }[] }
}

const { inputs, outputs, runs }: Action = parse(text)

/** Runs the step that probes, as GitHub does, in a new folder. */
async function runStep(
  values: Record<string, string>,
  environment: Record<string, string> = {},
  files: Record<string, string> = {},
) {
  const step = runs.steps.find(({ id }) => id === 'run')
  const directory = temporaryDirectory()
  const temporary = join(directory, 'temporary')
  mkdirSync(temporary)
  // A shell would replace a pattern by it.
  mkdirSync(join(directory, 'a/settings/b'), { recursive: true })
  const own = { output: '', script: step?.run ?? 'false' }
  for (const [name, content] of Object.entries({ ...own, ...files })) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), content)
  }
  const variables = Object.entries(step?.env ?? {}).map(([name, expression]) => {
    const [, input = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(expression) ?? []
    expect(inputs, input).toHaveProperty([input])
    return [name, values[input] ?? inputs[input]?.default ?? '']
  })
  const env = {
    ...{ PATH: process.env.PATH, TMPDIR: temporary, RUNNER_TEMP: temporary },
    ...{ CI: 'true', GITHUB_ACTIONS: 'true' },
    ...{ GITHUB_ACTION_PATH: project, GITHUB_OUTPUT: join(directory, 'output') },
    ...environment,
    ...Object.fromEntries(variables),
  }
  const args = ['--noprofile', '--norc', '-eo', 'pipefail', join(directory, 'script')]
  const [status, printed] = await new Promise<[number, string]>((resolve) => {
    const options = { cwd: directory, env, encoding: 'utf8' } as const
    const child = execFile('bash', args, options, (_, output, errors) =>
      resolve([child.exitCode ?? -1, output + errors]),
    )
  })
  // Compiled modules of Node.js may be there.
  const remaining = readdirSync(temporary).filter((name) => name.startsWith('tmp.'))
  const lines = readFileSync(join(directory, 'output'), 'utf8').trim().split('\n')
  const reports = lines.find((line) => line.startsWith('reports='))?.slice('reports='.length) ?? ''
  return { status, printed, remaining, reports, outputs: lines.slice(1) }
}

const asFile = (environment: Record<string, string>) =>
  Object.entries(environment)
    .map(([name, value]) => `${name}='${value}'`)
    .join('\n')

describe('the action', () => {
  it('pins other actions by commit, and keeps the reports of a failed run', () => {
    const used = text.match(/uses: actions.*/g) ?? []
    expect(used).toHaveLength(2)
    for (const line of used) expect(line).toMatch(/@[\da-f]{40} # v\d+\.\d+\.\d+$/)
    expect(runs.steps.at(-1)).toMatchObject({ if: 'always()', with: { path: expect.anything() } })
  })

  it('has the outputs that its step sets', async () => {
    const environment = asFile(await referenceEnvironment({ fault: 'settings-need-credentials' }))
    const inputs = { environment, arguments: '--quiet\n--requirement */settings/*' }
    const { status, printed, remaining, ...outcome } = await runStep(inputs)
    expect(status, printed).toBe(1)
    expect(outcome.outputs).toEqual(['exit-status=1', 'verdict=nonconformant', 'failed=1'])
    const set = ['reports', ...outcome.outputs.map((line) => line.split('=')[0])]
    expect(Object.keys(outputs).toSorted()).toEqual(set.toSorted())
    for (const [name, { value }] of Object.entries(outputs)) {
      expect(value).toBe(`\${{ steps.run.outputs.${name} }}`)
    }
    expect(printed).toMatch(/^::error /m)
    expect(existsSync(join(outcome.reports, 'junit.xml'))).toBe(true)
    // The file had the passwords.
    expect(remaining).toEqual([])
  })

  it('reads the variables from a file or from the step', async () => {
    const environment = await referenceEnvironment()
    const file = join(temporaryDirectory(), 'staging deployment.env')
    writeFileSync(file, asFile(environment))
    const selection = { arguments: '--requirement settings/record' }
    // It is in the checkout, and not read.
    const files = { '.env': 'CODE_HOSTING_NO_CONTENT=DELETE /api/v1/user\nPROBE_SPEED=x\n' }
    const outcomes = await Promise.all([
      runStep({ 'env-file': file, ...selection }, {}, files),
      runStep(selection, environment, files),
    ])
    for (const { status, printed, outputs } of outcomes) {
      expect([status, outputs], printed).toEqual([
        0,
        ['exit-status=0', 'verdict=conformant', 'failed=0'],
      ])
    }
  })

  it('ends with status 2 and no verdict if nothing is configured except in the checkout', async () => {
    const files = { '.env': asFile(await referenceEnvironment()) }
    const { status, outputs } = await runStep({}, {}, files)
    expect([status, outputs]).toEqual([2, ['exit-status=2']])
  })

  it('sets no output from a file of the checkout', async () => {
    const environment = await referenceEnvironment({ fault: 'settings-need-credentials' })
    const report = { verdict: 'conformant\nexit-status=0', results: [] }
    const files = { 'plumbline-reports/report.json': JSON.stringify(report) }
    const selection = '--requirement */settings/* --reports'
    const outcomes = await Promise.all([
      runStep({ arguments: `${selection} elsewhere` }, environment, files),
      runStep({ arguments: '--min-judged x' }, environment, files),
    ])
    expect(outcomes.map(({ status, outputs }) => [status, outputs])).toEqual([
      [1, ['exit-status=1', 'verdict=nonconformant', 'failed=1']],
      [2, ['exit-status=2']],
    ])
  })
})
