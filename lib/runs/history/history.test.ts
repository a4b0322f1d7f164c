import { execFile, execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, expect, it } from 'vitest'
import { reportFixture, resultFixture, runFixture } from '../../reports/report.fixture.ts'
import { outcomeOf } from '../../results/outcome.ts'
import type { RunReport } from '../../results/run-report.ts'
import { testDirectory } from '../../text/test-directory.fixture.ts'
import { ReportNotWrittenError } from '../../text/write-files.ts'
import { historyFixture } from './history.fixture.ts'
import {
  appendHistory,
  byTarget,
  failingSince,
  type HistoryLine,
  historyLine,
  isOtherFile,
  lastSuccessOf,
  readHistory,
} from './history.ts'

const execute = promisify(execFile)

let path: string
beforeEach(() => {
  path = join(testDirectory(), 'kept', 'history.ndjson')
})

const lines = historyFixture({ 'code-hosting/a/one': 'pfp' })
const whole = { invalidLines: [] }

it('appends a line for each run, and reads the lines in their order', () => {
  const written = lines.toReversed()
  for (const line of written) appendHistory(path, line)
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(4)
  expect(readHistory(path)).toEqual({ lines: written, ...whole })
})

it.each([
  ['half', JSON.stringify(lines[2]).slice(0, 90)],
  ['of something else', '{"schema":2,"run":"r"}\n'],
  ['of another format', `${JSON.stringify({ ...lines[0], schema: 1 })}\n`],
  ['without a verdict', `${JSON.stringify({ ...lines[0], verdict: undefined })}\n`],
])('ignores a line that is %s, and appends after it', (_name, text) => {
  for (const line of lines.slice(0, 2)) appendHistory(path, line)
  appendFileSync(path, text)
  const left = { invalidLines: [3] }
  expect(readHistory(path)).toEqual({ lines: lines.slice(0, 2), ...left })
  for (const line of lines.slice(2)) appendHistory(path, line)
  expect(readHistory(path)).toEqual({ lines, ...left })
})

it('appends whole lines of concurrent runs', async () => {
  const program = `
    import { appendHistory } from ${JSON.stringify(new URL('history.ts', import.meta.url))}
    for (let count = 0; count < 50; count += 1) appendHistory(process.argv[1], JSON.parse(process.argv[2]))
  `
  const typescript = new URL('../../../config/package/typescript.js', import.meta.url).href
  // The length of a line of all services.
  const long = { ...lines[0], rows: { pass: Array(150).fill(`code-hosting/${'x'.repeat(40)}`) } }
  const [own, other] = ['first', 'second'].map((run) => ({ ...long, run }) as HistoryLine)
  const options = ['--import', typescript, '--input-type', 'module', '--eval', program, path]
  const ended = execute(process.execPath, [...options, JSON.stringify(other)])
  await expect.poll(() => existsSync(path), { timeout: 30_000, interval: 1 }).toBe(true)
  for (let count = 0; count < 50; count += 1) appendHistory(path, own as HistoryLine)
  await ended
  const read = readHistory(path)
  expect([read.lines.length, read.invalidLines]).toEqual([100, []])
  expect(new Set(read.lines.map(({ run }) => run)).size).toBe(2)
}, 30_000)

it.each<[string, (target: string) => void]>([
  ['a file of something else', () => writeFileSync(path, 'waivers: []\n')],
  ['a link', (target) => symlinkSync(target, path)],
  ['a link to no file', (target) => symlinkSync(`${target}-2`, path)],
  ['a pipe', () => void execFileSync('mkfifo', [path])],
])('appends to no file that appeared during the run: %s', (_name, appear) => {
  const target = join(dirname(dirname(path)), 'target')
  mkdirSync(dirname(path))
  writeFileSync(target, `${JSON.stringify(lines[0])}\n`)
  appear(target)
  const texts = () => [target, path].map((file) => lstatSync(file).isFile() && readFileSync(file))
  const before = texts()
  for (const line of lines.slice(0, 1)) {
    expect(() => appendHistory(path, line)).toThrow(ReportNotWrittenError)
  }
  expect(texts()).toEqual(before)
  expect(readdirSync(dirname(target)).sort()).toEqual(['kept', 'target'])
})

it.each([
  ['nothing', false, ''],
  ['the first half of a line', false, JSON.stringify(lines[0]).slice(0, 40)],
  ['zeros and the prefix of a line', false, '\0\0\0{"sch'],
  ['a run after an invalid line', false, `nonsense\n${JSON.stringify(lines[0])}\n`],
  ['waivers', true, 'waivers: []\n'],
  ['a report', true, '{\n  "schema": 1,\n  "tool": {}\n}\n'],
])('a file with %s is of another kind: %s', (_name, isOther, text) => {
  const file = dirname(path)
  writeFileSync(file, text)
  expect(isOtherFile(file)).toBe(isOther)
})

it('has no requirement that an interrupted run did not reach, and no untestable one', () => {
  const [reached, open, untestable] = ['code-hosting/a/one', 'code-hosting/a/two', 'a/b/c']
  const noVerdict = { kind: 'untestable', why: 'so' } as const
  const results = [
    resultFixture({ requirement: reached }),
    resultFixture({ requirement: open, verdict: 'inconclusive', reason: 'interrupted' }),
    resultFixture({ requirement: untestable, verdict: 'skipped', noVerdict }),
  ]
  const report = reportFixture({ results, run: runFixture({ interrupted: true }) })
  const { requirements, counts, reasons } = historyLine(report, outcomeOf(report, true))
  expect(requirements).toEqual({ pass: [reached] })
  expect(counts).toMatchObject({ pass: 1, inconclusive: 1, skipped: 1 })
  expect(reasons).toEqual(['the run was interrupted'])
  const passed = reportFixture({ results: [resultFixture()], verdict: 'conformant' })
  expect(historyLine(passed, outcomeOf(passed, true))).not.toHaveProperty('reasons')
  expect(historyLine(passed, outcomeOf(passed, false))).toMatchObject({ status: 3 })
})

it('failingSince returns the first run of each failure that goes on', () => {
  const rows = { 'a/a/one': 'fpffwi', 'a/a/two': 'fffffp', 'a/a/three': 'wsf-if' }
  const since = failingSince(historyFixture(rows))
  expect([...since].map(([id, { run }]) => [id, run])).toEqual([
    ['a/a/three', 'run-1'],
    ['a/a/one', 'run-3'],
  ])
})

it('lastSuccessOf returns the end of the last run of all requirements that passed', () => {
  const history = historyFixture({ 'a/a/one': 'ppfp', 'a/a/two': 'ppp-' })
  expect(lastSuccessOf(history)).toBe(history[1]?.finishedAt)
  expect(lastSuccessOf(history.slice(2))).toBeUndefined()
})

it('byTarget joins runs of fewer services', () => {
  const [one, other] = [{ baseUrl: 'https://a.example' }, { baseUrl: 'https://b.example' }]
  const lineAt = (target: RunReport['target']) => historyFixture({ 'a/b/c': 'p' }, target)
  const history = [
    ...lineAt({ codeHosting: one }),
    ...lineAt({ codeHosting: other }),
    ...lineAt({ codeHosting: one, incidentStatus: one }),
  ]
  const groups = byTarget(history).map(({ target, runs }) => [Object.keys(target), runs.length])
  expect(groups).toEqual([
    [['codeHosting', 'incidentStatus'], 2],
    [['codeHosting'], 1],
  ])
})
