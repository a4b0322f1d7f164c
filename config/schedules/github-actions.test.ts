import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { temporaryDirectory } from '../../lib/cli/command.fixture.ts'
import { variables } from '../../lib/cli/services.ts'
import { template } from './template.fixture.ts'

interface Step {
  uses?: string
  run?: string
  if?: string
  with?: Record<string, unknown> & { path?: string }
  env?: Record<string, string>
}

interface Release {
  permissions: object
  jobs: Record<string, { steps: Step[]; permissions?: Record<string, string> }>
}

const text = template('github-actions.yml')
const workflow: { jobs: Record<string, { steps: Step[]; if?: string }> } = parse(text)
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps)

const workflowOfProject = (name: string) =>
  readFileSync(new URL(`../../.github/workflows/${name}.yml`, import.meta.url), 'utf8')

describe('the workflow for GitHub Actions', () => {
  let errorsOf: (content: string) => Promise<string[]>

  beforeAll(async () => {
    // As in `typescript.js`.
    process.env.TSX_DISABLE_CACHE = '1'
    const { tsImport } = await import('tsx/esm/api')
    // GitHub's own reader of workflows imports JSON as bundlers allow it, and Node.js does not.
    const reader: typeof import('@actions/workflow-parser') = await tsImport(
      '@actions/workflow-parser',
      import.meta.url,
    )
    errorsOf = async (content) => {
      const file = { name: 'conformance.yml', content }
      const { context, value } = reader.parseWorkflow(file, new reader.NoOperationTraceWriter())
      if (value !== undefined) await reader.convertWorkflowTemplate(context, value)
      return context.errors.getErrors().map(({ message }) => message)
    }
  })

  it('is one to GitHub, and would not be with a key or a job that there is not', async () => {
    expect(await errorsOf(text)).toEqual([])
    expect(await errorsOf(text.replaceAll('timeout-minutes', 'timeout-hours'))).not.toEqual([])
    expect(await errorsOf(text.replaceAll('needs: probe', 'needs: probes'))).not.toEqual([])
  })

  it.each(['check', 'release'])('is one to GitHub in this project too: %s', async (name) => {
    expect(await errorsOf(workflowOfProject(name))).toEqual([])
  })

  it.each(['check', 'release'])(
    'pins what it uses by commit, here and in this project: %s',
    (name) => {
      const used = `${text}\n${workflowOfProject(name)}`.match(/uses: (?!\.\/).*/g) ?? []
      expect(used.length).toBeGreaterThan(8)
      const pinned = /^uses: [\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/
      expect(used.filter((line) => !pinned.test(line))).toEqual([])
    },
  )

  it('hands over variables that Plumbline knows, and the secret ones as secrets', () => {
    const { MIN_JUDGED, ...named } = steps.find(({ env }) => env !== undefined)?.env ?? {}
    const environment = Object.entries(named)

    expect(MIN_JUDGED).toBe(`\${{ vars.MIN_JUDGED || '50%' }}`)
    expect(environment.length).toBeGreaterThan(15)
    for (const [name, value] of environment) {
      const secret = variables.find((variable) => variable.name === name)?.secret
      expect(value).toBe(`\${{ ${secret ? 'secrets' : 'vars'}.${name} }}`)
    }
  })

  it('carries no reports from night to night, and keeps those of a red job', () => {
    const of = (action: RegExp) => steps.filter(({ uses = '' }) => action.test(uses))
    const carried = of(/^actions\/cache\//).map((step) => step.with?.path)
    expect(new Set(carried)).toEqual(new Set(['reports/history.ndjson']))
    for (const step of of(/upload-artifact|cache\/save/)) expect(step.if).toBe('always()')
    expect(workflow.jobs.fleet?.if).toBe('always()')
  })
})

describe('the workflow of a release', () => {
  const { jobs, permissions }: Release = parse(workflowOfProject('release'))

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

  it('publishes an image for both architectures with provenance and an SBOM', () => {
    const step = jobs.image?.steps.find(({ uses = '' }) => uses.startsWith('docker/build-push-'))
    expect(step?.with).toMatchObject({
      file: 'config/container/Dockerfile',
      platforms: 'linux/amd64,linux/arm64',
      provenance: 'mode=max',
      sbom: true,
      push: true,
    })
    const [naming = 'false'] = jobs.image?.steps.flatMap(({ run = [] }) => run) ?? []
    const output = join(temporaryDirectory(), 'output')
    const env = { IMAGE: 'r.example:5000/a/plumbline', GITHUB_REF_NAME: 'v0.2.0' }
    spawnSync('bash', ['-e', '-c', naming], { env: { ...env, GITHUB_OUTPUT: output } })
    expect(readFileSync(output, 'utf8').split('\n')).toEqual([
      'registry=r.example:5000',
      'tag=r.example:5000/a/plumbline:0.2.0',
      '',
    ])
  })

  it.each([
    [{ private: true }, 1],
    [{}, 0],
  ])('of a package with %j ends with %i before anything is packed', (parts, status) => {
    const directory = temporaryDirectory()
    writeFileSync(join(directory, 'package.json'), JSON.stringify({ name: 'x', ...parts }))
    const [guard] = jobs.package?.steps.flatMap(({ run = [] }) => run) ?? []
    const told = spawnSync('bash', ['-e', '-c', guard ?? 'false'], { cwd: directory })
    expect([told.status, /^::error::/m.test(String(told.stdout))]).toEqual([status, status === 1])
  })
})
