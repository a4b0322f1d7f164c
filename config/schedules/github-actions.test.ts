import { tsImport } from 'tsx/esm/api'
import { beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { variables } from '../../lib/cli/services.ts'
import { template } from './template.fixture.ts'

interface Step {
  uses?: string
  run?: string
  if?: string
  with?: { path?: string }
  env?: Record<string, string>
}

const text = template('github-actions.yml')
const workflow: { jobs: Record<string, { steps: Step[]; if?: string }> } = parse(text)
const steps = Object.values(workflow.jobs).flatMap((job) => job.steps)

describe('the workflow for GitHub Actions', () => {
  let errorsOf: (content: string) => Promise<string[]>

  beforeAll(async () => {
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

  it('is one to GitHub', async () => {
    expect(await errorsOf(text)).toEqual([])
  })

  it.each([
    ['a key that there is not', 'timeout-minutes', 'timeout-hours'],
    ['a context that there is not', 'matrix.deployment', 'matrices.deployment'],
    ['a time that there is not', '17 2 * * *', '77 2 * * *'],
    ['a job that there is not', 'needs: probe', 'needs: probes'],
  ])('would not be with %s', async (_, is, instead) => {
    expect(await errorsOf(text.replaceAll(is, instead))).not.toEqual([])
  })

  it('hands over variables that Plumbline knows, and the secret ones as secrets', () => {
    const environment = Object.entries(steps.find(({ env }) => env !== undefined)?.env ?? {})

    expect(environment.length).toBeGreaterThan(15)
    for (const [name, value] of environment) {
      const secret = variables.find((variable) => variable.name === name)?.secret
      expect(value).toBe(`\${{ ${secret ? 'secrets' : 'vars'}.${name} }}`)
    }
  })

  it('carries nothing from night to night that could pass for the reports of a run', () => {
    const carried = steps.filter(({ uses = '' }) => uses.startsWith('actions/cache/'))
    expect(carried.map((step) => step.with?.path)).toEqual([
      'reports/history.ndjson',
      'reports/history.ndjson',
    ])
  })

  it('keeps the reports of a red job, and the page of all deployments then', () => {
    const keeping = steps.filter(({ uses = '' }) => /upload-artifact|cache\/save/.test(uses))

    expect(keeping.map((step) => step.if)).toEqual(['always()', 'always()', 'always()'])
    expect(workflow.jobs.fleet?.if).toBe('always()')
  })
})
