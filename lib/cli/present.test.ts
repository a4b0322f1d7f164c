import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { reportModel } from '../reports/model.ts'
import type { ProgressStream } from '../reports/progress.ts'
import { reportFixture, resultFixture } from '../reports/report.fixture.ts'
import { summaryMarkdown } from '../reports/summary-markdown.ts'
import type { RunReport } from '../results/run-report.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { createNestedContext } from './context.ts'
import { type FinalizedRun, present } from './present.ts'

interface Presentation {
  directory?: string
  environment?: NodeJS.ProcessEnv
  terminal?: Partial<ProgressStream>
  parts?: Partial<FinalizedRun>
}

function presented(report: RunReport, presentation: Presentation = {}) {
  const { directory = temporaryDirectory(), environment = {}, terminal, parts } = presentation
  const enclosed = createNestedContext(directory)
  const context = { ...enclosed, environment, output: { ...enclosed.output, ...terminal } }
  const status = present({ report, isComplete: true, ...parts }, directory, context)
  return { status, directory, ...context.reported }
}

const green = reportFixture({ results: [resultFixture()], verdict: 'conformant' })

describe('present', () => {
  it('writes and shows the report, returns its status, and compares it with the replaced one', () => {
    const results = reportFixture().results.map(({ requirement }) => resultFixture({ requirement }))
    const { directory, output: first } = presented({ ...green, results })
    const { status, output, errors } = presented(reportFixture(), { directory })

    expect([status, errors]).toEqual([1, ''])
    expect(output).toContain('reports: junit.xml, report.json, ')
    expect(output).toContain('Failed (2)')
    expect(first).not.toContain('newly failing')
    expect(output).toContain(': 2 newly failing')
    expect(readFileSync(join(directory, 'summary.md'), 'utf8')).toContain('- newly failing: ')
  })

  it('shows a report that cannot be written', () => {
    const directory = temporaryDirectory()
    mkdirSync(join(directory, 'junit.xml'))
    const { status, output, errors } = presented(green, { directory })

    expect(status).toBe(3)
    expect(output).toMatch(/conformant: .*standard\serror.*\(exit status 3\)/s)
    expect(errors).toMatch(/^plumbline: .*junit\.xml.* --reports/)
  })

  it.each([
    [green, 3],
    [reportFixture(), 1],
  ])('returns 3 for an incomplete run without failures, and 1 with one', (report, status) => {
    const parts = { isComplete: false, notes: ['A note.'] }
    const outcome = presented(report, { parts })
    expect(outcome.status).toBe(status)
    expect(readdirSync(outcome.directory)).toContain('report.json')
    expect(outcome.output).toMatch(/\nA note\.\n\n\w+: .*\n+$/s)
  })
})

it.each<[string, boolean, NodeJS.ProcessEnv, Partial<ProgressStream>]>([
  ['on a terminal', true, {}, { isTTY: true }],
  ['on a terminal with NO_COLOR', false, { NO_COLOR: '1' }, { isTTY: true }],
  ['without a terminal', false, { FORCE_COLOR: '1' }, {}],
])('the summary %s has colours: %s', (_name, colored, environment, terminal) => {
  const { output } = presented(green, { environment, terminal })
  expect(output.includes('\u001b[')).toBe(colored)
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
