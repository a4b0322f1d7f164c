import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { reportFixture, resultFixture } from '../reports/report.fixture.ts'
import { ReportNotWrittenError } from '../reports/write-files.ts'
import { outcomeOf } from '../results/outcome.ts'
import type { RunReport, Verdict } from '../results/run-report.ts'
import { summarize } from '../results/verdict.ts'
import { historyLine, readHistory } from '../runs/history/history.ts'
import { readWaivers } from '../runs/waivers/waivers-file.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { createNestedContext } from './context.ts'
import { type OperatorFileOptions, OperatorFiles } from './operator-files.ts'
import type { FinalizedRun } from './present.ts'

const observation = 'code-hosting/errors/malformed-body/status'
const row = 'code-hosting/tokens/created'
const elsewhere = { codeHosting: { baseUrl: 'https://other.example.com' } }

let directory: string
beforeEach(() => {
  directory = temporaryDirectory()
})

function opened(options: OperatorFileOptions) {
  const context = createNestedContext(directory)
  context.redactor.add('CODE_HOSTING_PASSWORD', 'pass-1-word')
  return { files: new OperatorFiles(options, context, { readWaivers }), reported: context.reported }
}

function finalized(options: OperatorFileOptions, report: RunReport, isComplete = true) {
  const { files, reported } = opened(options)
  const run = files.finalizeRun(report, isComplete)
  return { ...run, reported: reported.errors }
}

const append = ({ report, isComplete, history }: FinalizedRun) =>
  history?.append(historyLine(report, outcomeOf(report, isComplete)))

/** Finalizes a run and adds it to the history, and returns the runs that the history has then. */
function recorded(history: string, report: RunReport) {
  const run = finalized({ history }, report)
  append(run)
  return { ...run, runs: readHistory(pathTo(history)).lines }
}

const statusOf = ({ report }: { report: RunReport }) => summarize(report).exitStatus

function reportOf(status: unknown, parts: Partial<RunReport> = {}): RunReport {
  return reportFixture({
    target: { codeHosting: { baseUrl: 'https://git.example.com' } },
    results: [resultFixture({ requirement: row })],
    verdict: 'conformant',
    observations: [{ id: observation, description: 'A status.', value: status, exchanges: ['e1'] }],
    ...parts,
  })
}

const judged = (verdict: Verdict) =>
  reportOf(400, { results: [resultFixture({ requirement: row, verdict, reason: 'why' })] })

const pathTo = (name: string) => join(directory, name)
const textOf = (name: string) => readFileSync(pathTo(name), 'utf8')

function file(name: string, content: string): void {
  mkdirSync(dirname(pathTo(name)), { recursive: true })
  writeFileSync(pathTo(name), content)
}

describe('waivers', () => {
  const options = { waivers: 'w.yaml' }
  const entry = { requirement: row, reason: 'it is pass-1-word', owner: 'M', expires: '2999-12-31' }
  const write = (parts: object = {}) =>
    file('w.yaml', JSON.stringify({ waivers: [{ ...entry, ...parts }] }))

  it('change the verdict, and contain no secret', () => {
    write()
    expect([...opened(options).files.waived]).toEqual([row])
    const { report } = finalized(options, judged('fail'))
    expect(report.results[0]).toMatchObject({ verdict: 'waived' })
    expect(statusOf({ report })).toBe(0)
    expect(JSON.stringify(report)).not.toContain('pass-1-word')
    expect(report.waivers?.[0]?.reason).toBe('it is $CODE_HOSTING_PASSWORD')
    write({ expires: '2001-12-31' })
    expect([...opened(options).files.waived]).toEqual([])
  })

  it.each([['a pass-1-word'], [['b', 'a pass-1-word']]])(
    'match what reports show of a secret, and keep it out of the report: %j',
    (actual) => {
      const result = {
        requirement: row,
        verdict: 'fail',
        actual: 'a $CODE_HOSTING_PASSWORD',
      } as const
      write({ actual })
      const failed = reportOf(400, { results: [resultFixture(result)], exchanges: [] })
      const { report } = finalized(options, failed)
      expect(report.results[0]?.verdict).toBe('waived')
      expect(JSON.stringify(report)).not.toContain('pass-1-word')
    },
  )

  it('with an unknown id name the nearest one', () => {
    write({ requirement: 'code-hosting/tokens/creatd' })
    const { report } = finalized(options, reportOf(400))
    expect(report.waivers).toMatchObject([
      { state: 'unknown', message: expect.stringContaining(row) },
    ])
    expect(statusOf({ report })).toBe(1)
  })
})

describe('a baseline', () => {
  const baseline = 'kept/b.json'
  const update = { baseline, updateBaseline: true }
  const pin = { baseline, pin: true }
  const write = (observations: object) =>
    file(baseline, JSON.stringify({ schema: 1, target: {}, observations }))

  it('with an unknown observation is accepted with --update-baseline', () => {
    write({ 'incident-status/updates/statsu': 200 })
    expect(() => opened(update)).not.toThrow()
  })

  it('without observations of the target adds a note with --pin', () => {
    write({})
    expect(finalized(pin, reportOf(400)).notes).toEqual([expect.stringContaining(baseline)])
    expect(finalized({ baseline }, reportOf(400)).notes).toEqual([])
  })

  it('is created, compared, and updated', () => {
    const first = finalized(update, reportOf(400))
    expect(first.notes).toEqual([expect.stringMatching(/^Created .*kept\/b\.json: 1 /)])
    expect(first.report).not.toHaveProperty('baseline')
    const before = textOf(baseline)

    const changed = finalized({ baseline }, reportOf(422))
    expect(changed.report.baseline).toMatchObject({
      pinned: false,
      observations: [{ id: observation, state: 'changed', before: 400, after: 422 }],
    })
    expect([statusOf(changed), changed.notes, textOf(baseline)]).toEqual([0, [], before])
    expect(statusOf(finalized(pin, reportOf(422)))).toBe(1)

    const second = finalized(update, reportOf(422))
    expect(second.notes).toEqual([expect.stringMatching(/^Updated .*kept\/b\.json: 1 /)])
    expect([statusOf(second), textOf(baseline)]).toEqual([0, before.replace('400', '422')])
    expect(finalized({ baseline }, reportOf(422, { target: elsewhere })).notes).toEqual([
      expect.stringMatching(/ code-hosting .*git\.example\.com.*other\.example\.com/),
    ])
  })

  it.each<Verdict>(['fail', 'inconclusive'])('is written by a run with %s', (verdict) => {
    finalized(update, judged(verdict))
    expect(textOf(baseline)).toContain(observation)
  })

  it('is not written by an incomplete run', () => {
    const interrupted = reportOf(400)
    interrupted.run.interrupted = true
    const notes = [expect.stringContaining(baseline)]
    expect(finalized(update, interrupted).notes).toEqual(notes)
    expect(finalized(update, reportOf(400), false).notes).toEqual(notes)
    expect(existsSync(pathTo(baseline))).toBe(false)
  })
})

describe('a history', () => {
  const history = 'kept/h.ndjson'

  it('is created, and returns the previous runs of the same target', () => {
    const first = recorded(history, reportOf(400))
    expect(first.history).toMatchObject({ earlier: [], note: expect.stringContaining(history) })
    recorded(history, reportOf(400, { target: elsewhere }))
    const last = recorded(history, judged('fail'))
    expect(last.history?.earlier).toMatchObject([{ requirements: { pass: [row] } }])
    expect(last.runs.map(({ status }) => status)).toEqual([0, 0, 1])
    expect([last.isComplete, last.notes, last.history?.note]).toEqual([true, [], undefined])
  })

  it('with an incomplete last line is continued', () => {
    for (let count = 0; count < 2; count += 1) recorded(history, reportOf(400))
    const [first = '', second = ''] = textOf(history).split('\n')
    file(history, `${first}\n${second.slice(0, 90)}`)

    const { runs, isComplete, reported } = recorded(history, reportOf(400))
    expect([runs.length, isComplete]).toEqual([2, true])
    expect(reported).toMatch(/^plumbline: --history: .*kept\/h\.ndjson/)
    expect(recorded(history, reportOf(400)).reported).toBe('')
  })
})

const written = { baseline: 'b', updateBaseline: true, history: 'h' }

it('linked files are updated at their target, and the links stay', () => {
  mkdirSync(pathTo('kept'))
  append(finalized({ ...written, baseline: 'kept/b', history: 'kept/h' }, reportOf(400)))
  const before = ['kept/b', 'kept/h'].map(textOf)
  for (const name of ['b', 'h']) symlinkSync(`kept/${name}`, pathTo(name))
  const run = finalized(written, reportOf(422))
  append(run)
  expect(run).toMatchObject({ isComplete: true, reported: '' })
  for (const [index, name] of ['b', 'h'].entries()) {
    expect(lstatSync(pathTo(name)).isSymbolicLink()).toBe(true)
    expect(textOf(`kept/${name}`)).not.toBe(before[index])
  }
})

it.each(['b', 'h'])('a link %s that appears during the run is not followed', (name) => {
  const { files } = opened(written)
  file('target', 'text')
  symlinkSync('target', pathTo(name))
  const run = files.finalizeRun(reportOf(400), true)
  if (name === 'h') expect(() => append(run)).toThrow(ReportNotWrittenError)
  expect(textOf('target')).toBe('text')
})

it.each(['--baseline', '--history'])(
  '%s rejects a link to a file that does not exist',
  (option) => {
    symlinkSync('gone', pathTo(option === '--history' ? 'h' : 'b'))
    expect(() => opened(written)).toThrow(new RegExp(`^${option}: `))
  },
)

it('an internal error keeps the report and makes the run incomplete', () => {
  const broken = { ...reportOf(400), results: undefined } as unknown as RunReport
  file('w.yaml', 'waivers: []')
  const { reported, ...rest } = finalized({ waivers: 'w.yaml', history: 'h.ndjson' }, broken)
  expect(rest).toEqual({ report: broken, isComplete: false })
  expect(reported).toContain('internal error')
})
