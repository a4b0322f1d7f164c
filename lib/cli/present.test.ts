import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { RequirementResult, RunReport } from '../conformance/result.ts'
import type { ProgressStream } from '../reports/progress.ts'
import { reportFixture, resultFixture } from '../reports/report.fixture.ts'
import { summaryMarkdown } from '../reports/summary-markdown.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { enclosedContext } from './context.ts'
import { present } from './present.ts'

function presented(
  report: RunReport,
  environment: NodeJS.ProcessEnv = {},
  directory = temporaryDirectory(),
  terminal: Partial<ProgressStream> = {},
) {
  const enclosed = enclosedContext(directory)
  const output = { ...enclosed.output, ...terminal }
  const context = { ...enclosed, environment, output }
  const status = present(report, directory, context)
  return { status, directory, ...context.told }
}

const green = reportFixture({ results: [resultFixture()], verdict: 'conformant' })

function passed({ requirement }: RequirementResult): RequirementResult {
  return resultFixture({ requirement })
}

describe('a report', () => {
  it('is written, shown and decides the status', () => {
    const { status, output, errors } = presented(reportFixture())

    expect(status).toBe(1)
    expect(output).toContain('reports: junit.xml, report.json, ')
    expect(output).toContain('Failed (2)')
    expect(errors).toBe('')
  })

  it('is compared with the one that it replaces', () => {
    const passing = { ...green, results: reportFixture().results.map(passed) }
    const { directory, output: first } = presented(passing)
    const { output: second } = presented(reportFixture(), {}, directory)

    expect(first).not.toContain('new since the last run')
    expect(second).toContain('new since the last run: 2 newly failing')
    expect(readFileSync(join(directory, 'summary.md'), 'utf8')).toContain('- newly failing: ')
  })

  it('that cannot be written is shown all the same', () => {
    const directory = temporaryDirectory()
    mkdirSync(join(directory, 'junit.xml'))
    const { status, output, errors } = presented(green, {}, directory)

    expect(status).toBe(3)
    expect(output).toMatch(/conformant: .*standard error says what went wrong.* \(exit status 3\)/)
    expect(errors).toMatch(
      /^plumbline: Cannot write .*junit\.xml.*another directory with --reports/,
    )
  })

  it('that does not fit its schema is a defect, and is shown all the same', () => {
    const report = { ...green, tool: { name: 'plumbline', version: '' } } as const
    const { status, directory, output, errors } = presented(report)

    expect(status).toBe(3)
    expect(output).toContain('(exit status 3)')
    expect(errors).toMatch(/^plumbline: a defect of Plumbline itself.*does not fit its own schema/)
    expect(readdirSync(directory)).toEqual([])
  })

  it('has its notes right before the verdict', () => {
    const directory = temporaryDirectory()
    const context = enclosedContext(directory)
    present(green, directory, context, { notes: ['The baseline b was written.'] })
    const lines = context.told.output.trimEnd().split('\n')
    expect(lines.slice(-3)).toEqual([
      'The baseline b was written.',
      '',
      expect.stringMatching(/^conformant: /),
    ])
  })

  it('of a run with a defect is written and no success, and a failure stays one', () => {
    for (const [report, expected] of [
      [green, 3],
      [reportFixture(), 1],
    ] as const) {
      const directory = temporaryDirectory()
      const status = present(report, directory, enclosedContext(directory), { sound: false })

      expect(status).toBe(expected)
      expect(readdirSync(directory)).toContain('report.json')
    }
  })
})

describe('the summary', () => {
  it.each<[string, boolean, NodeJS.ProcessEnv, Partial<ProgressStream>]>([
    ['on a terminal', true, {}, { isTTY: true }],
    ['on a terminal with an empty NO_COLOR', true, { NO_COLOR: '' }, { isTTY: true }],
    ['on a terminal with NO_COLOR', false, { NO_COLOR: '1' }, { isTTY: true }],
    ['on a terminal that knows none', false, { TERM: 'dumb' }, { isTTY: true }],
    ['without a terminal', false, { FORCE_COLOR: '1' }, {}],
  ])('%s has colours: %s', (_name, colored, environment, terminal) => {
    const { output } = presented(green, environment, temporaryDirectory(), terminal)
    expect(output.includes('\u001b[')).toBe(colored)
  })
})

describe('on GitHub Actions', () => {
  const actions = { GITHUB_ACTIONS: 'true' }

  it('failures become annotations, and the verdict stays last', () => {
    const { output } = presented(reportFixture(), actions)
    const lines = output.trimEnd().split('\n')

    expect(lines.slice(0, 3).map((line) => line.split(' ')[0])).toEqual([
      '::error',
      '::error',
      '::warning',
    ])
    expect(lines.at(-1)).toMatch(/^nonconformant: .* \(exit status 1\)$/)
    expect(presented(reportFixture()).output).not.toMatch(/^::/m)
    expect(presented(green, actions).output).not.toMatch(/^::/m)
  })

  it('no text of a deployment is a command', () => {
    const actual = 'x\n::set-env name=NODE_OPTIONS::--require /tmp/x\n##[add-path]/tmp'
    const results = [resultFixture({ verdict: 'fail', expected: 'y', actual })]
    const { output } = presented(reportFixture({ results }), actions)
    const obeyed = output
      .split('\n')
      .filter((line) => line.trimStart().startsWith('::') || line.includes('##['))

    expect(output).toContain('\\u003a:set-env name=NODE_OPTIONS')
    expect(obeyed.map((line) => line.split(' ')[0])).toEqual(['::error'])
  })

  it('the summary is added to that of the job', () => {
    const directory = temporaryDirectory()
    const path = join(directory, 'step-summary')
    writeFileSync(path, 'What a step before has written\n')
    presented(reportFixture(), { GITHUB_STEP_SUMMARY: path }, directory)

    expect(readFileSync(path, 'utf8')).toBe(
      `What a step before has written\n${summaryMarkdown(reportFixture())}\n`,
    )
  })

  it('a summary that cannot be added changes nothing but a line', () => {
    const path = join(temporaryDirectory(), 'missing', 'step-summary')
    const { status, errors } = presented(green, { GITHUB_STEP_SUMMARY: path })

    expect(status).toBe(0)
    expect(errors).toMatch(/^plumbline: the summary was not added to \$GITHUB_STEP_SUMMARY: .*\n$/)
    expect(presented(green, { GITHUB_STEP_SUMMARY: '' }).errors).toBe('')
  })
})
