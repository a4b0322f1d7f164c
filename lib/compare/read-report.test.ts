import { mkdirSync, writeFileSync } from 'node:fs'
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
  })

  it('may begin with a byte order mark', () => {
    expect(readReport(testFile(`\ufeff${JSON.stringify(reportFixture())}`)).report).toEqual(
      reportFixture(),
    )
  })
})

describe('a report of another version', () => {
  it('may have properties that this one does not know, at any place', () => {
    const written = reportFixture() as unknown as Record<string, unknown>
    const report = {
      ...written,
      weather: 'sunny',
      tool: { name: 'plumbline', version: '9.0.0', build: 7 },
      results: [{ ...resultOf('code-hosting/a/b', 'pass'), confidence: 0.9 }],
    }
    const read = readReport(testFile(report)).report
    expect(read.tool.version).toBe('9.0.0')
    expect(read.results.map(({ verdict }) => verdict)).toEqual(['pass'])
  })

  it('may have verdicts, levels and ids that this one does not know, which are no pass', () => {
    const results = [
      { ...resultOf('Package.Index/§4', 'pass'), verdict: 'quarantined', level: 'advice' },
      { ...resultOf('code-hosting/a/c', 'pass'), verdict: 'flaky', reason: 'seen to vary' },
    ]
    const read = readReport(testFile({ ...reportFixture(), results })).report
    expect(read.results).toMatchObject([
      {
        requirement: 'Package.Index/§4',
        verdict: 'inconclusive',
        level: 'contract',
        reason: 'this version of Plumbline does not know the verdict “quarantined”',
      },
      {
        verdict: 'inconclusive',
        reason: 'this version of Plumbline does not know the verdict “flaky”: seen to vary',
      },
    ])
  })

  it('is refused when its format is another one', () => {
    const path = testFile({ ...reportFixture(), schema: 2, results: 'elsewhere' })
    expect(problemOf(path).message).toBe(
      `${path} has the report format 2, and this version of Plumbline reads format 1: use the version that wrote it, or a newer one.`,
    )
  })
})

describe('a file that is no report', () => {
  const text = JSON.stringify(reportFixture())
  const twice = resultOf('code-hosting/a/b', 'pass')
  it.each([
    ['empty', '', /report\.json is empty: the run that wrote it did not end properly\.$/],
    ['cut off', text.slice(0, 500), /is damaged \(.*\)\.$/],
    ['XML', '<coverage/>', /is no JSON; the report of a run is its report\.json \(/],
    [
      'JUnit',
      '<?xml version="1.0"?>\n<testsuites/>',
      /is a JUnit file, and no report; the report of/,
    ],
    [
      'a HAR file',
      { log: { entries: [] } },
      / is a HAR file, and no report; the report of a run is/,
    ],
    [
      'a baseline',
      { schema: 1, target: {}, observations: {} },
      / is a baseline, and no report; the report of a run is its report\.json\.$/,
    ],
    ['a file of waivers', 'waivers: []\n', / is a file of waivers, and no report; /],
    ['a list', [], /is JSON, but no report of Plumbline; the report of a run is its report\.json/],
    ['null', 'null', /is JSON, but no report of Plumbline/],
    [
      'incomplete',
      { schema: 1, tool: { name: 'plumbline', version: '1' }, run: {}, verdict: 7 },
      /is damaged: .*must have required property 'target'; .*; and \d+ more\.$/,
    ],
    [
      'with a result of the wrong type',
      { ...reportFixture(), results: [{ ...twice, statement: 7 }] },
      /is damaged: \/results\/0\/statement must be string\.$/,
    ],
    [
      'with a requirement twice',
      { ...reportFixture(), results: [twice, twice] },
      /is damaged: code-hosting\/a\/b stands in it twice\.$/,
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
    expect(behindFile.message).toContain('does not exist: part of the path is a file')
  })

  it('is named when it is a folder', () => {
    const directory = testDirectory()
    mkdirSync(join(directory, 'report.json'))
    expect(problemOf(directory).message).toMatch(/is a directory\.$/)
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
