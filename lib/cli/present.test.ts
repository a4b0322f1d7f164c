import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { reportModel } from '../reports/facts.ts'
import { summaryMarkdown } from '../reports/markdown.ts'
import type { ProgressStream } from '../reports/progress.ts'
import { reportFixture, resultFixture } from '../reports/report.fixture.ts'
import type { RunReport } from '../results/run-report.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { createNestedContext } from './context.fixture.ts'
import { present } from './present.ts'

interface Presentation {
  directory?: string
  environment?: NodeJS.ProcessEnv
  terminal?: Partial<ProgressStream>
  metrics?: string
}

function presented(report: RunReport, presentation: Presentation = {}) {
  const { directory = temporaryDirectory(), environment = {}, terminal } = presentation
  const { metrics } = presentation
  const enclosed = createNestedContext(directory)
  const context = { ...enclosed, environment, output: { ...enclosed.output, ...terminal } }
  const run = { report, isComplete: true }
  const status = present(run, directory, context, metrics === undefined ? {} : { metrics })
  return { status, directory, ...context.reported }
}

const green = reportFixture({ results: [resultFixture()], verdict: 'conformant' })

describe('present', () => {
  it.each([{}, { CI: 'true' }])('writes evidence.har if %j requires it', (environment) => {
    const { directory } = presented(green, { environment })
    expect(readdirSync(directory).includes('evidence.har')).toBe('CI' in environment)
    presented(green, { directory })
    expect(readdirSync(directory)).not.toContain('evidence.har')
  })

  it.each<[string, boolean, NodeJS.ProcessEnv, Partial<ProgressStream>]>([
    ['on a terminal', true, {}, { isTTY: true }],
    ['on a terminal with NO_COLOR', false, { NO_COLOR: '1' }, { isTTY: true }],
    ['without a terminal', false, { FORCE_COLOR: '1' }, {}],
  ])('the summary %s has colours: %s', (_name, colored, environment, terminal) => {
    const { output } = presented(green, { environment, terminal })
    expect(output.includes('\u001b[')).toBe(colored)
  })
})

describe('on GitHub Actions', () => {
  it('failures become annotations, no text is a command, and the verdict stays last', () => {
    const environment = { GITHUB_ACTIONS: 'true' }
    const actual = 'x\n::set-env name=NODE_OPTIONS::--require /tmp/x\n##[add-path]/tmp'
    const results = [resultFixture({ verdict: 'fail', expected: 'y', actual })]
    const { output } = presented(reportFixture({ results }), { environment })

    expect(output).toMatch(/^::error /)
    expect(output.split('\n').slice(1).join('\n')).not.toMatch(/^\s*::|##\[/m)
    expect(output).toMatch(/\nnonconformant: .*\(exit\sstatus 1\)\n+$/s)
    expect(presented(green, { environment }).output).not.toMatch(/^::/m)
  })

  it('the summary is added to the summary of the job', () => {
    const path = join(temporaryDirectory(), 'step-summary')
    writeFileSync(path, 'The text of an earlier step\n')
    presented(reportFixture(), { environment: { GITHUB_STEP_SUMMARY: path } })

    expect(readFileSync(path, 'utf8')).toBe(
      `The text of an earlier step\n${summaryMarkdown(reportModel(reportFixture()))}\n`,
    )
  })
})

describe('metrics', () => {
  it('replace no file of something else that appeared during the run', () => {
    const directory = temporaryDirectory()
    writeFileSync(join(directory, 'run.prom'), 'export PATH=/bin\n')
    const { status, errors } = presented(green, { directory, metrics: 'run.prom' })
    expect(status).toBe(3)
    expect(errors).toContain(join(directory, 'run.prom'))
    expect(readFileSync(join(directory, 'run.prom'), 'utf8')).toBe('export PATH=/bin\n')
  })
})
