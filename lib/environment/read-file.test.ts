import { execFileSync } from 'node:child_process'
import { mkdtempSync, truncateSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readBounded, readingProblem, readLastLines, readRegularFile } from './read-file.ts'

function testFile(content: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'plumbline-file-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const path = join(directory, 'file')
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
  // With nothing in it, so that it takes no room on the disk.
  truncateSync(path, 100_000_000)
  return path
}
const tooMuch = 'has more than the 32 MB that are read'

it.each<[string, (path: string) => unknown, () => string, string]>([
  ['a file where a pipe is', readRegularFile, pipe, 'is no regular file'],
  ['a file where a device is', readRegularFile, endless, 'is no regular file'],
  ['a file that is too large', readRegularFile, large, tooMuch],
  ['lines where a pipe is', readLastLines, pipe, 'is no regular file'],
  ['whatever does not end', readBounded, endless, tooMuch],
  ['what is not there', readRegularFile, () => `${testFile('')}.none`, 'does not exist'],
  ['a directory', readLastLines, () => tmpdir(), 'is no regular file'],
])('does not read %s', (_name, read, make, problem) => {
  const path = make()
  let found = ''
  try {
    read(path)
  } catch (error) {
    found = readingProblem(error)
  }
  expect(found).toContain(problem)
})

it('reads the lines that begin near the end, of a file of any size', () => {
  expect(readLastLines(testFile('one\ntwo\nthree\n'), 9)).toEqual(['three', ''])
  expect(readLastLines(testFile('one\n'), 11)).toEqual(['one', ''])
  expect(readLastLines(large())).toHaveLength(0)
})

it('reads a text without its byte order mark', () => {
  expect(readRegularFile(testFile('\ufeffé'))).toBe('é')
})
