import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { temporaryDirectory } from '../../lib/cli/command.fixture.ts'
import { template } from './template.fixture.ts'

interface Step {
  uses?: string
  run?: string
  if?: string
  with?: Record<string, unknown> & { path?: string }
  env?: Record<string, string>
}

type Permissions = Record<string, string>

interface Workflow {
  permissions: Permissions
  jobs: Record<string, { steps: Step[]; if?: string; permissions?: Permissions }>
}

const text = template('github-actions.yml')
const workflow: Workflow = parse(text)
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps)

const stepWith = (command: string): Step =>
  steps.find(({ run = '' }) => run.includes(command)) ?? {}

/** Runs a step as GitHub does, with these programs instead of others, and a summary of the run. */
function shell(
  run: string,
  environment: Record<string, string>,
  programs: Record<string, string>,
  summary?: string,
) {
  const directory = temporaryDirectory()
  mkdirSync(join(directory, 'bin'))
  mkdirSync(join(directory, 'reports'))
  for (const [name, code] of Object.entries(programs)) {
    writeFileSync(join(directory, 'bin', name), `#!/bin/sh\n${code}\n`, { mode: 0o755 })
  }
  if (summary !== undefined) writeFileSync(join(directory, 'reports', 'summary.md'), summary)
  const PATH = `${join(directory, 'bin')}:${process.env.PATH}`
  const env = { ...environment, PATH, RUNNER_TEMP: directory }
  const { status } = spawnSync('bash', ['-e', '-c', run], { cwd: directory, env })
  return { status, directory }
}

const workflowOfProject = (name: string) =>
  readFileSync(new URL(`../../.github/workflows/${name}.yml`, import.meta.url), 'utf8')

describe('the workflow for GitHub Actions', () => {
  it('is valid to GitHub, like those of this project and its action, and invalid with an unknown key', async () => {
    // See `typescript.js`.
    process.env.TSX_DISABLE_CACHE = '1'
    const { tsImport } = await import('tsx/esm/api')
    // GitHub's own readers import JSON as bundlers allow it, and Node.js does not.
    const load = (path = '') => tsImport(`@actions/workflow-parser${path}`, import.meta.url)
    const reader: typeof import('@actions/workflow-parser') = await load()
    const { parseAction } = await load('/actions/action-parser')
    const writer = new reader.NoOperationTraceWriter()
    const errorsOf = async (content: string) => {
      const { context, value } = reader.parseWorkflow({ name: 'conformance.yml', content }, writer)
      if (value !== undefined) await reader.convertWorkflowTemplate(context, value)
      return context.errors.getErrors().map(({ message }) => message)
    }
    for (const one of [text, ...['check', 'release'].map(workflowOfProject)]) {
      expect(await errorsOf(one)).toEqual([])
    }
    expect(await errorsOf(text.replaceAll('timeout-minutes', 'timeout-hours'))).not.toEqual([])
    const content = readFileSync(new URL('../../action.yml', import.meta.url), 'utf8')
    const { context } = parseAction({ name: 'action.yml', content }, writer)
    expect(context.errors.getErrors()).toEqual([])
  })

  it('pins actions by commit, like those of this project', () => {
    const all = [text, ...['check', 'release'].map(workflowOfProject)].join('\n')
    const used = all.match(/uses: (?!\.\/).*/g) ?? []
    expect(used.length).toBeGreaterThan(14)
    const pinned = /^uses: [\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/
    expect(used.filter((line) => !pinned.test(line))).toEqual([])
  })

  it('writes the secret with the variables only to a private file', () => {
    const { run = '', env } = stepWith('plumbline run')
    expect(env).toEqual({
      DEPLOYMENT: `\${{ matrix.deployment }}`,
      MIN_JUDGED: `\${{ vars.MIN_JUDGED || '50%' }}`,
      PING_URL: `\${{ secrets.PING_URL }}`,
      PLUMBLINE_ENV: `\${{ secrets.PLUMBLINE_ENV }}`,
    })
    const variables = `A='b $c "d"'\n# \\n\nE=f`
    const file = 'deployment.env'
    const { directory } = shell(run, { PLUMBLINE_ENV: variables }, { node: 'env > node.txt' })
    expect(readFileSync(join(directory, file), 'utf8')).toBe(`${variables}\n`)
    expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(directory, 'node.txt'), 'utf8')).not.toContain('PLUMBLINE_ENV')
  })

  describe('has an issue of the deployment', () => {
    const { run = '' } = stepWith('gh issue')
    const change = (OUTCOME: string, number: string, summary?: string) => {
      const LABEL = 'plumbline-staging'
      const list = `[ "$2" = list ] && printf '%s' "${number}"`
      const gh = `printf '%s ' "$1" "$2" "$3" >> gh.txt; echo >> gh.txt; ${list}; true`
      const variables = {
        OUTCOME,
        LABEL,
        DEPLOYMENT: 'staging',
        RUN_URL: 'https://ci.example.com/1',
      }
      const { status, directory } = shell(run, variables, { gh }, summary)
      const calls = readFileSync(join(directory, 'gh.txt'), 'utf8').trim().split(' \n')
      const body = join(directory, 'issue.md')
      const text = existsSync(body) ? readFileSync(body, 'utf8') : ''
      return { status, calls: calls.slice(1), text }
    }

    it('opened, updated and closed', () => {
      const label = 'label create plumbline-staging'
      const opened = change('failure', '', '## Failed\n')
      expect([opened.status, opened.calls]).toEqual([0, [label, 'issue create --title']])
      expect(opened.text).toMatch(/^## Failed\n.*https:\/\/ci\.example\.com\/1/s)
      const updated = change('failure', '7', '## Failed\n')
      expect([updated.calls, updated.text]).toEqual([['issue edit 7'], opened.text])
      expect(change('success', '7', '## Passed\n').calls).toEqual(['issue close 7'])
      expect(change('success', '', '## Passed\n').calls).toEqual([])
    })
  })
})

describe('the workflow of a release', () => {
  const { jobs, permissions }: Workflow = parse(workflowOfProject('release'))

  it('proves who publishes in a job that runs no code of the project or of a package', () => {
    expect(permissions).toEqual({ contents: 'read' })
    const proving = Object.values(jobs).filter((job) => job.permissions?.['id-token'] === 'write')
    expect(proving).toHaveLength(1)
    const all = proving.flatMap((job) => job.steps)
    expect(all.map(({ uses = '' }) => uses).join()).not.toContain('actions/checkout')
    const commands = all.flatMap(({ run = [] }) => run)
    expect(commands).toEqual([
      expect.stringMatching(/^npm publish \S+\.tgz --ignore-scripts --provenance /),
    ])
  })
})
