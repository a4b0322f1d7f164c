import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hostileText, reportFixture } from '../reports/report.fixture.ts'
import { readReport, UnreadableReportError } from './read-report.ts'
import { resultOf, testDirectory, testFile } from './stored-report.fixture.ts'

function problemOf(path: string): UnreadableReportError {
  try {
    readReport(path)
  } catch (error) {
    if (error instanceof UnreadableReportError) return error
    throw error
  }
  throw new Error(`${path} was read`)
}

describe('a report of this version', () => {
  it('is read as it is, from the file or the folder that it is in', () => {
    const path = testFile(reportFixture())
    expect(readReport(path)).toEqual({ path, report: reportFixture() })
    expect(readReport(dirname(path))).toEqual({ path, report: reportFixture() })
    const marked = testFile(`\ufeff${JSON.stringify(reportFixture())}`)
    expect(readReport(marked).report).toEqual(reportFixture())
  })
})

describe('a report of another version', () => {
  it.each([
    ['2', 2],
    ['{"toString":1,"valueOf":1}', { toString: 1, valueOf: 1 }],
    ['none', undefined],
  ])('is refused when its format is %s', (told, schema) => {
    const path = testFile({ ...reportFixture(), schema, results: 'elsewhere' })
    expect(problemOf(path).message).toBe(
      `${path} has the report format ${told}, and this version of Plumbline reads format 1: use the version that wrote it, or a newer one.`,
    )
  })
})

describe('a file that is no report', () => {
  const text = JSON.stringify(reportFixture())
  it.each([
    ['empty', '', /is damaged, or no JSON \(/],
    ['cut off', text.slice(0, 500), /is damaged, or no JSON \(.*\)\.$/],
    [
      'null',
      'null',
      /is JSON, but no report of Plumbline; the report of a run is its report\.json/,
    ],
    [
      'incomplete',
      { schema: 1, tool: { name: 'plumbline', version: '1' }, run: {}, verdict: 7 },
      /is damaged, or .*must have required property 'target'; /,
    ],
    [
      'with a result of the wrong type',
      { ...reportFixture(), results: [{ ...resultOf('code-hosting/a/b', 'pass'), statement: 7 }] },
      /is damaged, or .*: \/results\/0\/statement must be string\.$/,
    ],
  ])('is named when it is %s', (_name, content, message) => {
    const path = testFile(content)
    const problem = problemOf(path)
    expect(problem.message).toMatch(message)
    expect(problem.message.startsWith(`${path} `)).toBe(true)
    expect(problem.missing).toBe(false)
  })

  it('is named when it does not exist, also in a folder', () => {
    const directory = testDirectory()
    const missing = problemOf(join(directory, 'none.json'))
    expect(missing.message).toBe(`${join(directory, 'none.json')} does not exist.`)
    expect(missing.missing).toBe(true)
    expect(problemOf(directory).message).toBe(`${join(directory, 'report.json')} does not exist.`)
    const behindFile = problemOf(join(testFile('{}'), 'report.json'))
    expect(behindFile.message).toMatch(/ does not exist\.$/)
  })

  it('cannot steer the terminal by what is in it', () => {
    const directory = testDirectory()
    const path = join(directory, 'escape \u001b[31m.json')
    writeFileSync(path, JSON.stringify({ tool: { name: 'plumbline' }, schema: hostileText }))
    const { message } = problemOf(path)
    expect(message).toContain('escape \\u001b[31m.json has the report format')
    expect(/[\p{Cc}\p{Cf}]/u.exec(message)).toBeNull()
  })
})
