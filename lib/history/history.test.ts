import { execFile } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ReportNotWrittenError } from '../reports/replace-files.ts'
import { historyFixture } from './history.fixture.ts'
import { appendHistory, isForeign, readHistory } from './history.ts'

const execute = promisify(execFile)
const asModule = ['--import', 'tsx', '--input-type', 'module', '--eval']

let directory: string
let path: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-history-'))
  path = join(directory, 'kept', 'history.ndjson')
})

afterEach(() => rmSync(directory, { recursive: true, force: true }))

const lines = historyFixture({ 'code-hosting/a/one': 'pfp' })
const none = { damaged: [], later: [] }
const whole = { ...none, end: 'run' }

describe('a history', () => {
  it('gets a line for each run and is read back, in the order of its lines', () => {
    const written = lines.toReversed()
    for (const line of written) appendHistory(path, line)
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(4)
    expect(readHistory(path)).toEqual({ lines: written, ...whole })
  })

  it('goes on after a half line, which is left out and told', () => {
    for (const line of lines.slice(0, 2)) appendHistory(path, line)
    appendFileSync(path, JSON.stringify(lines[2]).slice(0, 90))
    expect(readHistory(path)).toEqual({
      lines: lines.slice(0, 2),
      ...none,
      damaged: [3],
      end: 'damaged',
    })
    for (const line of lines.slice(2)) appendHistory(path, line)
    expect(readHistory(path)).toEqual({ lines, ...whole, damaged: [3] })
  })

  it.each([
    ['no JSON', 'nonsense'],
    ['JSON of something else', '{"schema":1,"run":"r"}'],
    ['of an earlier format', JSON.stringify({ ...lines[0], schema: 0 })],
    ['zeros', '\0'.repeat(300)],
    ['null', 'null'],
    ['with ids that are none', JSON.stringify({ ...lines[0], rows: { fail: [7] } })],
  ])('leaves out a line that is %s', (_name, text) => {
    for (const line of lines.slice(0, 1)) appendHistory(path, line)
    appendFileSync(path, `${text}\n\n`)
    for (const line of lines.slice(1)) appendHistory(path, line)
    expect(readHistory(path)).toEqual({ lines, ...whole, damaged: [2] })
  })

  it('tells what a later version wrote from what is damaged', () => {
    for (const line of lines) appendHistory(path, line)
    appendFileSync(path, `${JSON.stringify({ schema: 2, nights: [] })}\n`)
    expect(readHistory(path)).toEqual({ lines, ...none, later: [4], end: 'later' })
  })

  it('gets whole lines of runs that end at the same time', async () => {
    const program = `
      import { appendHistory } from ${JSON.stringify(new URL('history.ts', import.meta.url))}
      const line = JSON.parse(process.argv[2])
      for (let count = 0; count < 50; count += 1) appendHistory(process.argv[1], line)
    `
    // As long as the line of a run of everything.
    const long = { ...lines[0], rows: { pass: Array(150).fill(`code-hosting/${'x'.repeat(40)}`) } }
    await Promise.all(
      ['first', 'second', 'third'].map((run) => {
        const line = JSON.stringify({ ...long, run })
        return execute(process.execPath, [...asModule, program, path, line])
      }),
    )
    const read = readHistory(path)
    expect([read.lines.length, read.damaged, read.later]).toEqual([150, [], []])
    expect(new Set(read.lines.map(({ run }) => run)).size).toBe(3)
  }, 30_000)

  it('reads only the end of a long one', () => {
    for (const line of lines) appendHistory(path, line)
    const length = Buffer.byteLength(JSON.stringify(lines[2]))
    expect(readHistory(path, length + 40)).toEqual({ lines: lines.slice(2), ...whole })
  })

  it.each([
    ['a file', () => path],
    ['/proc', () => '/proc/none/kept/history.ndjson'],
  ])('says why it cannot be written below %s', (_name, place) => {
    writeFileSync(join(directory, 'kept'), 'a file')
    const [line] = lines
    if (line === undefined) throw new Error('there is no line')
    expect(() => appendHistory(place(), line)).toThrow(ReportNotWrittenError)
    expect(existsSync(place())).toBe(false)
  })
})

describe('a file for a history', () => {
  it.each([
    ['nothing', false, ''],
    ['a run', false, JSON.stringify(lines[0])],
    ['the half line of the first run', false, JSON.stringify(lines[0]).slice(0, 40)],
    ['the first bytes of a run', false, '{"sch'],
    ['the zeros of a machine that lost its power', false, '\0\0\0\0'],
    ['a run behind what is none', false, `nonsense\n${JSON.stringify(lines[0])}\n`],
    ['waivers', true, 'waivers: []\n'],
    ['a report', true, '{\n  "schema": 1,\n  "tool": {}\n}\n'],
  ])('with %s is foreign: %s', (_name, foreign, text) => {
    const file = join(directory, 'file')
    writeFileSync(file, text)
    expect(isForeign(file)).toBe(foreign)
  })
})
