import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { hostileText, reportFixture } from '../../reports/report.fixture.ts'
import { testDirectory } from '../../text/test-directory.fixture.ts'
import { UsageError } from '../../text/usage-error.ts'
import { readReport } from './read-report.ts'

function testFile(content: string): string {
  const path = join(testDirectory(), 'report.json')
  writeFileSync(path, content)
  return path
}

it('reads a report from the file or the folder that it is in', () => {
  const path = testFile(`\ufeff${JSON.stringify(reportFixture())}`)
  const found = reportFixture()
  expect(readReport(path, '/')).toEqual(found)
  expect(readReport(dirname(path), '/')).toEqual(found)
  expect(readReport('.', dirname(path))).toEqual(found)
  expect(() => readReport(' ', dirname(path))).toThrow(UsageError)
})

it.each([
  ['', /report\.json is damaged, or no JSON \(.*\)\.$/],
  [JSON.stringify(reportFixture()).slice(0, 500), /report\.json is damaged, or no JSON \(/],
  [JSON.stringify({ ...reportFixture(), schema: 2 }), /has schema 2, .* reads schema 4: /],
  [JSON.stringify({ ...reportFixture(), settings: undefined }), /required property 'settings'/],
  [JSON.stringify({ schema: 4, [hostileText]: 1 }), /no report of this version [^\p{Cc}\p{Cf}]*$/u],
  ...['{"name":"plumbline","version":"1.0.0"}', '[]', 'null'].map((text): [string, RegExp] => [
    text,
    /report\.json is not a Plumbline report\.$/,
  ]),
])('names a file that is not a report', (content, message) => {
  const attempt = () => readReport(testFile(content), '/')
  expect(attempt).toThrow(message)
})

it('names a file that does not exist, also in a folder or below a file', () => {
  const directory = testDirectory()
  const attempt = (path: string) => () => readReport(path, directory)
  expect(attempt(directory)).toThrow(join(directory, 'report.json'))
  expect(attempt(join(testFile('{}'), 'a'))).toThrow()
})
