import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { reportFixture, resultFixture } from '../reports/report.fixture.ts'
import type { RunReport, Verdict } from '../results/run-report.ts'
import { summarize } from '../results/verdict.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { createNestedContext } from './context.ts'
import { type OperatorFileOptions, OperatorFiles } from './operator-files.ts'

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
  return { files: new OperatorFiles(options, context), reported: context.reported }
}

function finalized(options: OperatorFileOptions, report: RunReport, isComplete = true) {
  const { files, reported } = opened(options)
  return { ...files.finalizeRun(report, isComplete), reported: reported.errors }
}

function reportOf(status: unknown, parts: Partial<RunReport> = {}): RunReport {
  return reportFixture({
    target: { codeHosting: { baseUrl: 'https://git.example.com' } },
    results: [resultFixture({ requirement: row })],
    verdict: 'conformant',
    observations: [{ id: observation, description: 'A status.', value: status, exchanges: ['e1'] }],
    ...parts,
  })
}

/** Returns a report of one requirement with this verdict. */
const judged = (verdict: Verdict) =>
  reportOf(400, { results: [resultFixture({ requirement: row, verdict, reason: 'why' })] })

const inDirectory = (name: string) => join(directory, name)

function file(name: string, content: string): void {
  mkdirSync(dirname(inDirectory(name)), { recursive: true })
  writeFileSync(inDirectory(name), content)
}

const waivers = `waivers:
  - requirement: ${row}
    reason: it is pass-1-word
    owner: Maria
    expires: 2999-12-31
`

describe('waivers', () => {
  it('change the verdict, and contain no secret', () => {
    file('w.yaml', waivers)
    expect([...opened({ waivers: 'w.yaml' }).files.waived]).toEqual([row])
    const { report } = finalized({ waivers: 'w.yaml' }, judged('fail'))
    expect(report.results[0]).toMatchObject({ verdict: 'waived' })
    expect(summarize(report).exitStatus).toBe(0)
    expect(JSON.stringify(report)).not.toContain('pass-1-word')
    expect(report.waivers?.[0]?.reason).toBe('it is $CODE_HOSTING_PASSWORD')
    file('w.yaml', waivers.replace('2999', '2001'))
    expect([...opened({ waivers: 'w.yaml' }).files.waived]).toEqual([])
  })

  it('match what reports show of a secret, and keep it out of the report', () => {
    const exchanges: RunReport['exchanges'] = []
    const result = {
      requirement: row,
      verdict: 'fail' as const,
      actual: 'a $CODE_HOSTING_PASSWORD',
    }
    const failed = reportOf(400, { results: [resultFixture(result)], exchanges })
    for (const actual of ['a pass-1-word', '[b, a pass-1-word]']) {
      file('w.yaml', `${waivers}    actual: ${actual}\n`)
      const { report } = finalized({ waivers: 'w.yaml' }, failed)
      expect(report.results[0]?.verdict).toBe('waived')
      expect(JSON.stringify(report)).not.toContain('pass-1-word')
    }
  })

  it('with an unknown id name the nearest one', () => {
    file('w.yaml', waivers.replace('created', 'creatd'))
    const { report } = finalized({ waivers: 'w.yaml' }, reportOf(400))
    expect(report.waivers).toMatchObject([
      { state: 'unknown', message: expect.stringContaining(row) },
    ])
    expect(summarize(report).exitStatus).toBe(1)
  })
})

describe('a baseline', () => {
  const name = 'kept/b.json'
  const update = { baseline: name, updateBaseline: true }
  const text = () => readFileSync(inDirectory(name), 'utf8')

  it('with an unknown observation is accepted with --update-baseline', () => {
    file(name, '{"schema":1,"target":{},"observations":{"incident-status/updates/statsu":200}}')
    expect(() => opened(update)).not.toThrow()
  })

  it('without observations of the target adds a note with --pin', () => {
    file(name, '{"schema":1,"target":{},"observations":{}}')
    expect(finalized({ baseline: name, pin: true }, reportOf(400)).notes).toEqual([
      expect.stringContaining(name),
    ])
    expect(finalized({ baseline: name }, reportOf(400)).notes).toEqual([])
  })

  it('is created, compared, and updated', () => {
    const first = finalized(update, reportOf(400))
    expect(first.notes).toEqual([expect.stringMatching(/^Created .*kept\/b\.json: 1 /)])
    expect(first.report).not.toHaveProperty('baseline')
    const before = text()

    const changed = finalized({ baseline: name }, reportOf(422))
    expect(changed.report.baseline).toMatchObject({
      pinned: false,
      observations: [{ id: observation, state: 'changed', before: 400, after: 422 }],
    })
    expect([summarize(changed.report).exitStatus, changed.notes, text()]).toEqual([0, [], before])
    expect(
      summarize(finalized({ baseline: name, pin: true }, reportOf(422)).report).exitStatus,
    ).toBe(1)

    const second = finalized(update, reportOf(422))
    expect(second.notes).toEqual([expect.stringMatching(/^Updated .*kept\/b\.json: 1 /)])
    expect(summarize(second.report).exitStatus).toBe(0)
    expect(text()).toBe(before.replace('400', '422'))
    expect(finalized({ baseline: name }, reportOf(422, { target: elsewhere })).notes).toEqual([
      expect.stringMatching(/ code-hosting .*git\.example\.com.*other\.example\.com/),
    ])
  })

  it.each<Verdict>(['fail', 'inconclusive'])(
    'is written by a run with the verdict %s',
    (verdict) => {
      finalized(update, judged(verdict))
      expect(text()).toContain(observation)
    },
  )

  it('is not written by an incomplete run', () => {
    const interrupted = reportOf(400)
    interrupted.run.interrupted = true
    const notes = [expect.stringContaining(name)]
    expect(finalized(update, interrupted).notes).toEqual(notes)
    expect(finalized(update, reportOf(400), false).notes).toEqual(notes)
    expect(existsSync(inDirectory(name))).toBe(false)
  })
})

describe('a history', () => {
  const history = { history: 'kept/h.ndjson' }

  it('is created, and returns the previous runs of the same target', () => {
    const first = finalized(history, reportOf(400))
    expect(first.notes).toEqual([expect.stringContaining('kept/h.ndjson')])
    expect([first.previousRuns?.previous, first.previousRuns?.runs?.length]).toEqual([undefined, 1])
    finalized(history, reportOf(400, { target: elsewhere }))
    const { previousRuns, isComplete, notes } = finalized(history, judged('fail'))
    expect(previousRuns?.previous?.results).toEqual([{ requirement: row, state: 'pass' }])
    expect(previousRuns?.runs?.map(({ status }) => status)).toEqual([0, 1])
    expect([isComplete, notes]).toEqual([true, []])
  })

  it('with an incomplete last line is continued', () => {
    for (let count = 0; count < 2; count += 1) finalized(history, reportOf(400))
    const [first = '', second = ''] = readFileSync(inDirectory('kept/h.ndjson'), 'utf8').split('\n')
    file('kept/h.ndjson', `${first}\n${second.slice(0, 90)}`)

    const { previousRuns, isComplete, reported } = finalized(history, reportOf(400))
    expect([previousRuns?.runs?.length, isComplete]).toEqual([2, true])
    expect(reported).toMatch(/^plumbline: --history: .*kept\/h\.ndjson/)
    expect(finalized(history, reportOf(400)).reported).toBe('')
  })

  it('has status 3 for a run with an internal error', () => {
    expect(finalized(history, reportOf(400), false).previousRuns?.runs?.[0]?.status).toBe(3)
  })
})

it('linked files are updated at their target, and the links stay', () => {
  const options = { baseline: 'b', updateBaseline: true, history: 'h' }
  mkdirSync(inDirectory('kept'))
  finalized(options, reportOf(400))
  for (const name of ['b', 'h']) {
    renameSync(inDirectory(name), inDirectory(`kept/${name}`))
    symlinkSync(`kept/${name}`, inDirectory(name))
  }
  const before = ['b', 'h'].map((name) => readFileSync(inDirectory(`kept/${name}`), 'utf8'))
  expect(finalized(options, reportOf(422))).toMatchObject({ isComplete: true, reported: '' })
  for (const [index, name] of ['b', 'h'].entries()) {
    expect(lstatSync(inDirectory(name)).isSymbolicLink()).toBe(true)
    expect(readFileSync(inDirectory(`kept/${name}`), 'utf8')).not.toBe(before[index])
  }
})

it.each<[OperatorFileOptions, string]>([
  [{ baseline: 'b', updateBaseline: true }, 'b'],
  [{ history: 'h' }, 'h'],
])('with %j, a file that cannot be written makes the run incomplete', (options, name) => {
  const { files, reported } = opened(options)
  mkdirSync(inDirectory(name))
  expect(files.finalizeRun(reportOf(400), true)).toMatchObject({ isComplete: false })
  expect(reported.errors).toMatch(new RegExp(`^plumbline: .*/${name}\\b`, 'm'))
})

it('an internal error keeps the report and makes the run incomplete', () => {
  const broken = { ...reportOf(400), results: undefined } as unknown as RunReport
  const { reported, ...rest } = finalized({ history: 'h.ndjson' }, broken)
  expect(rest).toEqual({ report: broken, isComplete: false })
  expect(reported).toContain('internal error')
})
