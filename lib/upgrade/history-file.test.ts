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
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ReportNotWrittenError } from '../reports/write-reports.ts'
import { historyFixture } from './history.fixture.ts'
import { appendHistory, readHistory } from './history-file.ts'

let directory: string
let path: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-history-'))
  path = join(directory, 'kept', 'history.ndjson')
})

afterEach(() => rmSync(directory, { recursive: true, force: true }))

const lines = historyFixture({ 'code-hosting/a/one': 'pfp' })

describe('a history', () => {
  it('gets a line for each run and is read back', () => {
    for (const line of lines) appendHistory(path, line)
    expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(4)
    expect(readHistory(path)).toEqual({ lines, damaged: [] })
  })

  it('is in the order in which runs began, not ended', () => {
    for (const line of lines.toReversed()) appendHistory(path, line)
    expect(readHistory(path).lines).toEqual(lines)
  })

  it('goes on after a half line, which is left out and told', () => {
    for (const line of lines.slice(0, 2)) appendHistory(path, line)
    appendFileSync(path, JSON.stringify(lines[2]).slice(0, 90))
    expect(readHistory(path)).toEqual({ lines: lines.slice(0, 2), damaged: [3] })
    for (const line of lines.slice(2)) appendHistory(path, line)
    expect(readHistory(path)).toEqual({ lines, damaged: [3] })
  })

  it.each([
    ['no JSON', 'nonsense'],
    ['JSON of something else', '{"schema":1,"run":"r"}'],
    ['of a later format', JSON.stringify({ ...lines[0], schema: 2 })],
    ['null', 'null'],
    ['with ids that are none', JSON.stringify({ ...lines[0], rows: { fail: [7] } })],
  ])('leaves out a line that is %s', (_name, text) => {
    for (const line of lines.slice(0, 1)) appendHistory(path, line)
    appendFileSync(path, `${text}\n\n`)
    for (const line of lines.slice(1)) appendHistory(path, line)
    expect(readHistory(path)).toEqual({ lines, damaged: [2] })
  })

  it('takes properties that a later version adds', () => {
    appendHistory(path, { ...lines[0], mood: 'good' } as never)
    expect(readHistory(path)).toMatchObject({ lines: [{ run: 'run-1' }], damaged: [] })
  })

  it('reads only the end of a long one', () => {
    for (const line of lines) appendHistory(path, line)
    const length = Buffer.byteLength(JSON.stringify(lines[2]))
    expect(readHistory(path, length + 40)).toEqual({ lines: lines.slice(2), damaged: [] })
  })

  it('says why it cannot be written', () => {
    writeFileSync(join(directory, 'kept'), 'a file')
    const [line] = lines
    if (line === undefined) throw new Error('there is no line')
    expect(() => appendHistory(path, line)).toThrow(ReportNotWrittenError)
    expect(existsSync(path)).toBe(false)
  })

  it('is missing with the code of the system', () => {
    expect(() => readHistory(path)).toThrow(expect.objectContaining({ code: 'ENOENT' }))
  })
})
