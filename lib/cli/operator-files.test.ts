import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { RequirementResult, RunReport } from '../conformance/result.ts'
import { exitStatus } from '../reports/exit-status.ts'
import { reportFixture, resultFixture } from '../reports/report.fixture.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { enclosedContext, UsageError } from './context.ts'
import { type OperatorFileOptions, OperatorFiles } from './operator-files.ts'

const observation = 'code-hosting/errors/malformed-body/status'
const row = 'code-hosting/tokens/created'

let directory: string
beforeEach(() => {
  directory = temporaryDirectory()
})

function opened(options: OperatorFileOptions, place = directory) {
  const context = enclosedContext(place)
  context.redactor.add('CODE_HOSTING_PASSWORD', 'pass-1-word')
  const files = new OperatorFiles(options, context)
  return { files, told: context.told }
}

function settled(options: OperatorFileOptions, report: RunReport, sound = true) {
  const { files, told } = opened(options)
  return { ...files.settled(report, sound), told: told.errors }
}

function reportOf(status: unknown, parts: Partial<RunReport> = {}): RunReport {
  return reportFixture({
    target: { codeHosting: { baseUrl: 'https://git.example.com' } },
    results: [resultFixture({ requirement: row })],
    verdict: 'conformant',
    observations: [{ id: observation, value: status, exchanges: ['e1'] }],
    ...parts,
  })
}

function file(name: string, content: string): string {
  writeFileSync(join(directory, name), content)
  return name
}

const waivers = `waivers:
  - requirement: ${row}
    reason: it is pass-1-word
    owner: Maria
    expires: 2999-12-31
`

describe('the command line', () => {
  it.each<[OperatorFileOptions, string | RegExp]>([
    [{ pin: true }, '--pin needs --baseline FILE.'],
    [{ updateBaseline: true }, '--update-baseline needs --baseline FILE.'],
    [{ baseline: 'b', pin: true, updateBaseline: true }, 'give one of them'],
    [{ waivers: '' }, '--waivers names no file.'],
    [{ waivers: 'gone.yaml' }, '--waivers: gone.yaml does not exist; nothing was sent.'],
    [
      { waivers: '.' },
      '--waivers: . cannot be read: illegal operation on a directory (EISDIR); nothing was sent.',
    ],
    [
      { baseline: 'gone.json' },
      '--baseline: gone.json does not exist; nothing was sent. Write it with --update-baseline',
    ],
    [{ baseline: '.' }, '--baseline: . cannot be read: illegal operation on a directory'],
    [{ baseline: '.', updateBaseline: true }, '--baseline: . is no regular file; nothing was'],
    [{ history: '.' }, '--history: . is no regular file; nothing was sent.'],
    [{ waivers: 'pipe' }, '--waivers: pipe is no regular file; nothing was sent.'],
    [{ baseline: 'pipe' }, '--baseline: pipe is no regular file; nothing was sent.'],
    [{ history: ' ' }, '--history names no file.'],
    [
      { history: 'file/history.ndjson' },
      /^--history: file\/history\.ndjson is below the file .*; nothing was sent\.$/,
    ],
  ])('with %j is refused', (options, message) => {
    file('file', '')
    execFileSync('mkfifo', [join(directory, 'pipe')])
    expect(() => opened(options)).toThrow(message)
  })

  it.each<[OperatorFileOptions, string]>([
    [
      { baseline: 'x1', updateBaseline: true, history: 'x1' },
      '--baseline and --history lead to the same file, x1; nothing was sent.',
    ],
    [
      { history: 'fr/report.json', reports: 'fr' },
      '--reports and --history lead to the same file, fr/report.json; nothing was sent.',
    ],
    [{ history: 'x1', waivers: './a/../x1' }, '--waivers and --history lead to the same file, '],
    [{ baseline: 'fr/report.html', reports: './fr/' }, '--reports and --baseline lead to'],
    [{ waivers: 'summary.md', reports: '.' }, '--reports and --waivers lead to'],
  ])('with one file for two purposes, as in %j, is refused', (options, message) => {
    expect(() => opened(options)).toThrow(message)
  })

  it.each<OperatorFileOptions>([
    { history: 'fr/history.ndjson', reports: 'fr' },
    { history: 'fr/older/report.json', reports: 'fr' },
    { history: 'report.json', reports: 'fr' },
  ])('with files beside the reports, as in %j, is not', (options) => {
    expect(() => opened(options)).not.toThrow()
  })
})

describe('a file that is no baseline', () => {
  const refusal = (content: string, update = false) => {
    file('x.json', content)
    try {
      opened({ baseline: 'x.json', updateBaseline: update })
      return ''
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      return error.message
    }
  }
  const baseline = (...ids: string[]) =>
    JSON.stringify({
      schema: 1,
      target: {},
      observations: Object.fromEntries(ids.map((id) => [id, 200])),
    })

  it.each<[string, string]>([
    ['is damaged, or no baseline of this version of Plumbline (', JSON.stringify(reportFixture())],
    ['is damaged, or no JSON (', ''],
  ])('is refused and kept as it is: it %s', (told, content) => {
    for (const update of [false, true]) {
      const message = refusal(content, update)
      expect(message).toContain(`--baseline: x.json ${told}`)
      expect(message).toContain('nothing was sent. Name the file that --update-baseline wrote')
      expect(readFileSync(join(directory, 'x.json'), 'utf8')).toBe(content)
    }
  })

  it('or has an observation that nobody knows, is refused unless it is to be written', () => {
    const known = 'incident-status/updates/status'
    expect(refusal(baseline('incident-status/updates/statsu', known))).toBe(
      '--baseline: x.json has 1 id of no observation; nothing was sent: ' +
        'incident-status/updates/statsu. Did you mean incident-status/updates/status? ' +
        'Correct the file, or run with --update-baseline, which takes away what is not known.',
    )
    expect(refusal(baseline('incident-status/updates/statsu'), true)).toBe('')
    expect(refusal(baseline(known))).toBe('')
  })
})

describe('waivers', () => {
  it('know what is waived while the run goes on', () => {
    file('w.yaml', waivers)
    expect([...opened({ waivers: 'w.yaml' }).files.waived]).toEqual([row])
    file('w.yaml', waivers.replace('2999', '2001'))
    expect([...opened({ waivers: 'w.yaml' }).files.waived]).toEqual([])
  })

  it('decide the run, and tell no secret', () => {
    file('w.yaml', waivers)
    const failing = reportOf(400, {
      results: [resultFixture({ requirement: row, verdict: 'fail' })],
    })
    const { report } = settled({ waivers: 'w.yaml' }, failing)
    expect(report.results[0]).toMatchObject({ verdict: 'waived' })
    expect(exitStatus(report)).toBe(0)
    expect(JSON.stringify(report)).not.toContain('pass-1-word')
    expect(report.waivers?.[0]?.reason).toBe('it is $CODE_HOSTING_PASSWORD')
  })

  it('name the id that one was to be, of any service', () => {
    file('w.yaml', waivers.replace('created', 'creatd'))
    const { report } = settled({ waivers: 'w.yaml' }, reportOf(400))
    expect(report.waivers).toMatchObject([
      { state: 'unknown', message: expect.stringContaining(`Did you mean ${row}?`) },
    ])
    expect(exitStatus(report)).toBe(1)
  })
})

describe('a baseline', () => {
  it.each([
    ['is empty', {}, true],
    ['has another service alone', { 'incident-status/updates/status': 200 }, true],
    ['has what was observed', { [observation]: 400 }, false],
  ])('that %s and is pinned says so', (_name, observations, isTold) => {
    file('b.json', JSON.stringify({ schema: 1, target: {}, observations }))
    const { notes } = settled({ baseline: 'b.json', pin: true }, reportOf(400))
    expect(notes).toEqual(
      isTold
        ? [
            'The baseline b.json pins nothing of what was probed: it has no observation of it. ' +
              'Write them with --update-baseline.',
          ]
        : [],
    )
    expect(settled({ baseline: 'b.json' }, reportOf(400)).notes).toEqual([])
  })

  const update = { baseline: 'kept/b.json', updateBaseline: true }
  const path = () => join(directory, 'kept', 'b.json')

  it('is written, compared with, and written again', () => {
    const first = settled(update, reportOf(400))
    expect(first.notes).toEqual(['The baseline kept/b.json was begun: 1 observation.'])
    expect(first.told).toBe('')
    expect(first.report).not.toHaveProperty('baseline')
    const text = readFileSync(path(), 'utf8')

    const changed = settled({ baseline: 'kept/b.json' }, reportOf(422))
    expect(changed.report.baseline).toMatchObject({
      pinned: false,
      observations: [{ id: observation, state: 'changed', before: 400, after: 422 }],
    })
    expect([exitStatus(changed.report), changed.notes]).toEqual([0, []])
    expect(readFileSync(path(), 'utf8')).toBe(text)
    const pinned = settled({ baseline: 'kept/b.json', pin: true }, reportOf(422))
    expect(exitStatus(pinned.report)).toBe(1)

    const second = settled(update, reportOf(422))
    expect(second.notes).toEqual(['The baseline kept/b.json was updated: 1 observation.'])
    expect(second.report.baseline?.observations).toMatchObject([{ state: 'changed' }])
    expect(exitStatus(second.report)).toBe(0)
    expect(readFileSync(path(), 'utf8')).toBe(text.replace('400', '422'))
    expect(settled(update, reportOf(422)).notes).toEqual([
      'The baseline kept/b.json is as it was: 1 observation.',
    ])
  })

  it.each<[RequirementResult['verdict'], RegExp]>([
    ['fail', /1 observation\. The run failed all the same: .* excuses no failure\.$/],
    ['inconclusive', /1 observation\. The run did not get every verdict: /],
  ])('is written by a run with the verdict %s, which is told', (verdict, words) => {
    const results = [resultFixture({ requirement: row, verdict, reason: 'why' })]
    expect(settled(update, reportOf(400, { results })).notes).toEqual([
      expect.stringMatching(words),
    ])
    expect(existsSync(path())).toBe(true)
  })

  it('is not written by a run that did not come to its end', () => {
    const report = reportOf(400)
    report.run.interrupted = true
    const note = 'The baseline kept/b.json was not written: the run did not come to its end.'
    expect(settled(update, report).notes).toEqual([note])
    expect(settled(update, reportOf(400), false).notes).toEqual([note])
    expect(existsSync(path())).toBe(false)
  })

  it('of another place is told of', () => {
    settled(update, reportOf(400))
    const target = { codeHosting: { baseUrl: 'https://other.example.com' } }
    expect(settled({ baseline: 'kept/b.json' }, reportOf(400, { target })).notes).toEqual([
      'The baseline of code-hosting was written for https://git.example.com, and https://other.example.com was probed.',
    ])
  })

  it.each<[string, OperatorFileOptions]>([
    ['baseline', { baseline: '/proc/none/b.json', updateBaseline: true }],
    ['history', { history: '/proc/none/h.ndjson' }],
  ])('or a %s below /proc is refused or leaves the run without success', (_name, options) => {
    let outcome = { sound: false, told: '' }
    try {
      outcome = settled(options, reportOf(400))
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      outcome.told = error.message
    }
    expect(outcome.sound).toBe(false)
    expect(outcome.told).toMatch(/\/proc\/none/)
  })

  it('that cannot be written leaves the run without success', () => {
    const { files, told } = opened(update)
    mkdirSync(path(), { recursive: true })
    const { sound } = files.settled(reportOf(400), true)
    expect(sound).toBe(false)
    expect(told.errors).toMatch(
      /^plumbline: Cannot write .*b\.json: illegal operation on a directory/,
    )
  })
})

describe('a history', () => {
  const history = { history: 'kept/h.ndjson' }

  it('that is new is told of, once', () => {
    expect(settled(history, reportOf(400)).notes).toEqual(['The history kept/h.ndjson was begun.'])
    expect(settled(history, reportOf(400)).notes).toEqual([])
  })

  it('tells of the runs before, of the same target alone', () => {
    const other = { codeHosting: { baseUrl: 'https://other.example.com' } }
    const none = settled(history, reportOf(400)).past
    expect([none.previous, none.runs?.length]).toEqual([undefined, 1])
    settled(history, reportOf(400, { target: other }))
    const failing = reportOf(400, {
      results: [resultFixture({ requirement: row, verdict: 'fail' })],
    })
    const { past, sound } = settled(history, failing)
    expect(past.previous?.results).toEqual([{ requirement: row, verdict: 'pass' }])
    expect(past.runs?.map(({ status }) => status)).toEqual([0, 1])
    expect(sound).toBe(true)
  })

  it('whose last line is no run says so once, and goes on', () => {
    for (let count = 0; count < 2; count += 1) settled(history, reportOf(400))
    const path = join(directory, 'kept', 'h.ndjson')
    const [first = '', second = ''] = readFileSync(path, 'utf8').split('\n')
    writeFileSync(path, `${first}\n${second.slice(0, 90)}`)

    const { past, sound, told } = settled(history, reportOf(400))
    expect(told).toBe(
      '--history: the last line of kept/h.ndjson is no run, or only a part of one, and left out: what is new is told from the run before it.\n',
    )
    expect([past.runs?.length, sound]).toEqual([2, true])
    expect(settled(history, reportOf(400))).toMatchObject({ told: '', sound: true })
  })

  it('is not written into a file of something else', () => {
    file('waivers.yaml', waivers)
    expect(() => opened({ history: 'waivers.yaml' })).toThrow(
      '--history: waivers.yaml holds something else than runs; nothing was sent. Name another file',
    )
    expect(() => opened({ history: '/dev/null' })).toThrow('/dev/null is no regular file')
  })

  it('has the status of a run that met a defect', () => {
    expect(settled(history, reportOf(400), false).past.runs?.[0]?.status).toBe(3)
  })

  it('that cannot be written leaves the run without success', () => {
    const { files, told } = opened(history)
    mkdirSync(join(directory, 'kept', 'h.ndjson'), { recursive: true })
    expect(files.settled(reportOf(400), true)).toMatchObject({ sound: false })
    expect(told.errors).toContain('plumbline: Cannot write ')
  })

  it.skipIf(process.getuid?.() === 0)('is not begun where nothing can be written', () => {
    chmodSync(directory, 0o500)
    expect(() => opened(history)).toThrow('cannot be written to: permission denied (EACCES)')
    chmodSync(directory, 0o700)
  })
})

describe.skipIf(process.getuid?.() === 0)('permissions', () => {
  const baseline = JSON.stringify({ schema: 1, target: {}, observations: {} })
  it.each<[string, OperatorFileOptions, number, number, boolean]>([
    ['a history that is there, in a directory', { history: 'h' }, 0o600, 0o500, true],
    ['a history', { history: 'h' }, 0o400, 0o700, false],
    ['a baseline', { baseline: 'b', updateBaseline: true }, 0o400, 0o700, true],
    ['a baseline in a directory', { baseline: 'b', updateBaseline: true }, 0o600, 0o500, false],
    ['a baseline by a link', { baseline: 'link', updateBaseline: true }, 0o600, 0o500, false],
    ['a baseline that is only read', { baseline: 'b' }, 0o400, 0o500, true],
  ])('of %s, as in %j with %o in %o: enough is %s', (_name, options, mode, above, enough) => {
    const place = join(directory, 'place')
    mkdirSync(place)
    writeFileSync(join(place, 'b'), baseline, { mode })
    writeFileSync(join(place, 'h'), '', { mode })
    symlinkSync(join(place, 'b'), join(directory, 'link'))
    const linked = options.baseline === 'link'
    chmodSync(place, above)
    const open = () => opened(options, linked ? directory : place)
    if (enough) expect(open).not.toThrow()
    else expect(open).toThrow('cannot be written to: permission denied (EACCES); nothing was sent.')
    chmodSync(place, 0o700)
  })
})

it('a defect on the way keeps the report, and is no success', () => {
  const { files, told } = opened({ history: 'h.ndjson' })
  const broken = { ...reportOf(400), results: undefined } as unknown as RunReport
  expect(files.settled(broken, true)).toEqual({ report: broken, sound: false, past: {}, notes: [] })
  expect(told.errors).toContain('a defect of Plumbline itself')
})
