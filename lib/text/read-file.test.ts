import { execFileSync } from 'node:child_process'
import { truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readBounded, readingProblem, readLastLines, readRegularFile } from './read-file.ts'
import { testDirectory } from './test-directory.fixture.ts'

function testFile(content: string): string {
  const path = join(testDirectory(), 'file')
  writeFileSync(path, content)
  return path
}

const endless = () => '/dev/zero'
const pipe = () => {
  const path = `${testFile('')}.pipe`
  execFileSync('mkfifo', [path])
  return path
}
const large = () => {
  const path = testFile('')
  // A sparse file takes no space on the disk.
  truncateSync(path, 100_000_000)
  return path
}

it.each<[string, (path: string) => unknown, () => string, string]>([
  ['a pipe', readRegularFile, pipe, 'regular'],
  ['a file that is too large', readRegularFile, large, '32 MB'],
  ['lines of a pipe', readLastLines, pipe, 'regular'],
  ['an endless device', readBounded, endless, '32 MB'],
  ['a missing file', readRegularFile, () => `${testFile('')}.none`, 'exist'],
  ['a directory', readLastLines, () => tmpdir(), 'regular'],
])('rejects %s', (_name, read, make, problem) => {
  const path = make()
  let found = ''
  try {
    read(path)
  } catch (error) {
    found = readingProblem(error)
  }
  expect(found).toContain(problem)
})

it('readLastLines returns the lines that start near the end of a file of any size', () => {
  expect(readLastLines(testFile('one\ntwo\nthree\n'), 9)).toEqual(['three', ''])
  expect(readLastLines(testFile('one\n'), 11)).toEqual(['one', ''])
  expect(readLastLines(large())).toHaveLength(0)
})

it('readRegularFile removes a byte order mark', () => {
  expect(readRegularFile(testFile('\ufeffé'))).toBe('é')
})
