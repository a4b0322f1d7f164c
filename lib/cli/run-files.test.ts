import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { reportFixture, resultFixture } from '../reports/report.fixture.ts'
import { outcomeOf } from '../results/outcome.ts'
import type { RunReport, Verdict } from '../results/run-report.ts'
import { appendHistory, historyLine, readHistory } from '../runs/history/history.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { createNestedContext } from './context.fixture.ts'
import { type FinalizedRun, finalizeRun } from './present.ts'
import { openOperatorFiles } from './run.ts'
import type { RunOptions } from './run-options.ts'

const row = 'code-hosting/tokens/created'
const elsewhere = { codeHosting: { baseUrl: 'https://other.example.com' } }

let directory: string
beforeEach(() => {
  directory = temporaryDirectory()
})

async function opened(options: RunOptions) {
  const context = createNestedContext(directory)
  context.redactor.add('CODE_HOSTING_PASSWORD', 'pass-1-word')
  return { files: await openOperatorFiles(options, context), context }
}

async function finalized(options: RunOptions, report: RunReport) {
  const { files, context } = await opened(options)
  const run = finalizeRun(report, true, files, context)
  return { ...run, reported: context.reported.errors }
}

const append = ({ report, isComplete, history }: FinalizedRun) =>
  history && appendHistory(history.path, historyLine(report, outcomeOf(report, isComplete)))

/** Finalizes a run and adds it to the history, and returns the runs that the history has then. */
async function recorded(history: string, report: RunReport) {
  const run = await finalized({ history }, report)
  append(run)
  return { ...run, runs: readHistory(pathTo(history)).lines }
}

const statusOf = ({ report }: { report: RunReport }) => outcomeOf(report).exitStatus

function reportOf(parts: Partial<RunReport> = {}): RunReport {
  return reportFixture({
    target: { codeHosting: { baseUrl: 'https://git.example.com' } },
    results: [resultFixture({ requirement: row })],
    verdict: 'conformant',
    ...parts,
  })
}

const judged = (verdict: Verdict) =>
  reportOf({ results: [resultFixture({ requirement: row, verdict, reason: 'why' })] })

const pathTo = (name: string) => join(directory, name)
const textOf = (name: string) => readFileSync(pathTo(name), 'utf8')

function file(name: string, content: string): void {
  mkdirSync(dirname(pathTo(name)), { recursive: true })
  writeFileSync(pathTo(name), content)
}

describe('waivers', () => {
  const options = { waivers: ['w.yaml'] }
  const entry = { requirement: row, reason: 'it is pass-1-word', owner: 'M', expires: '2999-12-31' }
  const write = (parts: object = {}) =>
    file('w.yaml', JSON.stringify({ waivers: [{ ...entry, ...parts }] }))

  it('change the verdict, and contain no secret', async () => {
    write()
    const { report } = await finalized(options, judged('fail'))
    expect(report.results[0]).toMatchObject({ verdict: 'waived' })
    expect(statusOf({ report })).toBe(0)
    expect(JSON.stringify(report)).not.toContain('pass-1-word')
    expect(report.waivers?.[0]?.reason).toBe('it is $CODE_HOSTING_PASSWORD')
  })
})

describe('a history', () => {
  const history = 'kept/h.ndjson'

  it('is created, and returns the previous runs of the same target', async () => {
    const first = await recorded(history, reportOf())
    expect(first.history).toMatchObject({ earlier: [] })
    await recorded(history, reportOf({ target: elsewhere }))
    const last = await recorded(history, judged('fail'))
    expect(last.history?.earlier).toMatchObject([{ requirements: { pass: [row] } }])
    expect(last.runs.map(({ status }) => status)).toEqual([0, 0, 1])
    expect(last.isComplete).toBe(true)
    const { report } = last
    const again = await recorded(history, { ...report, run: { ...report.run, id: 'next' } })
    expect(again.report.results[0]?.failingSince?.run).toBe(report.run.id)
  })

  it('with an incomplete last line is continued', async () => {
    for (let count = 0; count < 2; count += 1) await recorded(history, reportOf())
    const [first = '', second = ''] = textOf(history).split('\n')
    file(history, `${first}\n${second.slice(0, 90)}`)

    const { runs, isComplete } = await recorded(history, reportOf())
    expect([runs.length, isComplete]).toEqual([2, true])
  })
})

it('a linked history is appended to at its target, and the link stays', async () => {
  await recorded('kept/h', reportOf())
  symlinkSync('kept/h', pathTo('h'))
  expect((await recorded('h', reportOf())).runs).toHaveLength(2)
  expect(lstatSync(pathTo('h')).isSymbolicLink()).toBe(true)
  expect(readHistory(pathTo('kept/h')).lines).toHaveLength(2)
})

it('a link to a file that does not exist is rejected', async () => {
  symlinkSync('gone', pathTo('h'))
  await expect(opened({ history: 'h' })).rejects.toThrow(/^--history: /)
})

it('an internal error keeps the report and makes the run incomplete', async () => {
  const broken = { ...reportOf(), results: undefined } as unknown as RunReport
  file('w.yaml', 'waivers: []')
  const { reported, ...rest } = await finalized(
    { waivers: ['w.yaml'], history: 'h.ndjson' },
    broken,
  )
  expect(rest).toEqual({ report: broken, isComplete: false })
  expect(reported).toContain('internal error')
})
