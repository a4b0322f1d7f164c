import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { reportFixture } from './report.fixture.ts'
import { readPreviousReport, reportJson } from './report-files.ts'

describe('reportJson', () => {
  it('returns the report, indented by two spaces', () => {
    const text = reportJson(reportFixture())
    expect(JSON.parse(text)).toEqual(reportFixture())
    expect(text).toMatch(/^{\n {2}"schema": 2,\n/)
    expect(text.endsWith('}\n')).toBe(true)
  })

  it('reports each schema error with its place', () => {
    const report = reportFixture()
    Object.assign(report.results[0] ?? {}, { verdict: 'maybe' })
    Object.assign(report.run, { startedAt: 'yesterday', mood: 'good' })
    expect(() => reportJson(report)).toThrow(/Internal error/)
    expect(() => reportJson(report)).toThrow(/\/results\/0\/verdict .* equal/)
    expect(() => reportJson(report)).toThrow(/\/run\/startedAt must match format/)
    expect(() => reportJson(report)).toThrow(/\/run .*: mood/)
  })
})

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-previous-'))
})
afterEach(() => {
  rmSync(directory, { recursive: true, force: true })
})

it('readPreviousReport reads a written report', () => {
  writeFileSync(join(directory, 'report.json'), reportJson(reportFixture()))
  expect(readPreviousReport(directory)).toEqual(reportFixture())
})

it.each([
  ['cut in the middle', reportJson(reportFixture()).slice(0, 500)],
  ['of another version', JSON.stringify({ ...reportFixture(), schema: 1 })],
  ['of something else', '[]'],
  ['empty', ''],
])('readPreviousReport ignores a file %s', (_name, text) => {
  writeFileSync(join(directory, 'report.json'), text)
  expect(readPreviousReport(directory)).toBeUndefined()
})

it.each<[string, (path: string) => void, string]>([
  ['a pipe', (path) => void execFileSync('mkfifo', [path]), 'is not a regular file'],
  [
    'a file that is too large',
    // Sparse, so that it takes no disk space.
    (path) => {
      writeFileSync(path, '')
      truncateSync(path, 100_000_000)
    },
    'has more than the 32 MB that are read',
  ],
])('readPreviousReport reports %s without reading it', (_name, make, problem) => {
  const path = join(directory, 'report.json')
  make(path)
  const reported: string[] = []
  expect(readPreviousReport(directory, (sentence) => reported.push(sentence))).toBeUndefined()
  expect(reported).toEqual([expect.stringContaining(`${path} ${problem}: `)])
})
