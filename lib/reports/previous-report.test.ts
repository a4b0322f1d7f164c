import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readPreviousReport } from './previous-report.ts'
import { reportFixture } from './report.fixture.ts'
import { reportJson } from './report-json.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-previous-'))
})
afterEach(() => {
  rmSync(directory, { recursive: true, force: true })
})

it('reads what a run wrote', () => {
  writeFileSync(join(directory, 'report.json'), reportJson(reportFixture()))
  expect(readPreviousReport(directory)).toEqual(reportFixture())
})

it.each([
  ['cut in the middle', reportJson(reportFixture()).slice(0, 500)],
  ['of another version', JSON.stringify({ ...reportFixture(), schema: 2 })],
  ['of something else', '[]'],
  ['empty', ''],
])('takes a file %s for none', (_name, text) => {
  writeFileSync(join(directory, 'report.json'), text)
  expect(readPreviousReport(directory)).toBeUndefined()
})

it('finds none where there is none, or a directory of that name', () => {
  expect(readPreviousReport(join(directory, 'missing'))).toBeUndefined()
  mkdirSync(join(directory, 'report.json'))
  expect(readPreviousReport(directory)).toBeUndefined()
})
