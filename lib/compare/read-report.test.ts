import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { hostileText, reportFixture } from '../reports/report.fixture.ts'
import { readReport, UnreadableReportError } from './read-report.ts'
import { testDirectory, testFile } from './stored-report.fixture.ts'

function problemOf(path: string): UnreadableReportError {
  try {
    readReport(path)
  } catch (error) {
    if (error instanceof UnreadableReportError) return error
    throw error
  }
  throw new Error(`${path} was read`)
}

it('reads a report from the file or the folder that it is in', () => {
  const path = testFile(`\ufeff${JSON.stringify(reportFixture())}`)
  expect(readReport(path)).toEqual({ path, report: reportFixture() })
  expect(readReport(dirname(path))).toEqual({ path, report: reportFixture() })
})

const json = 'is damaged, or no JSON ('
const report = 'is damaged, or no report of this version of Plumbline ('

it.each<[string, unknown, string]>([
  ['empty', '', json],
  ['cut off', JSON.stringify(reportFixture()).slice(0, 500), json],
  ['null', 'null', report],
  ['of another format', { ...reportFixture(), schema: 2 }, `${report}/schema must be equal to`],
  ['hostile', { [hostileText]: hostileText }, report],
])('names a file that is %s', (_name, content, problem) => {
  const path = testFile(content)
  const { message, missing } = problemOf(path)
  expect(message.startsWith(`${path} ${problem}`), message).toBe(true)
  expect(missing).toBe(false)
  expect(/[\p{Cc}\p{Cf}]/u.exec(message)).toBeNull()
})

it('names a file that does not exist, also in a folder or behind a file', () => {
  const directory = testDirectory()
  const inFolder = problemOf(directory)
  expect(inFolder.message).toBe(`${join(directory, 'report.json')} does not exist.`)
  expect(inFolder.missing).toBe(true)
  expect(problemOf(join(testFile('{}'), 'report.json')).missing).toBe(true)
  expect(problemOf(join(directory, 'escape \u001b[31m.json')).message).toContain('\\u001b[31m')
})
