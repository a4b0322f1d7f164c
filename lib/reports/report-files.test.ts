import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FileStorage, ReportNotWrittenError, replaceFile } from './replace-files.ts'
import { reportFixture } from './report.fixture.ts'
import { reportFiles, writeReports } from './report-files.ts'
import { reportJson } from './report-json.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-reports-'))
})
afterEach(() => {
  rmSync(directory, { recursive: true, force: true })
})

function failure(target: string): ReportNotWrittenError {
  try {
    writeReports(reportFixture(), target)
  } catch (error) {
    if (error instanceof ReportNotWrittenError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('writeReports', () => {
  it('creates the directory, writes every file in its order and nothing else', () => {
    const target = join(directory, 'deep', 'reports')
    const files = reportFiles(reportFixture())
    const paths = writeReports(reportFixture(), target)
    expect(paths).toEqual(files.map(({ name }) => join(target, name)))
    for (const { name, content } of files) {
      expect(readFileSync(join(target, name), 'utf8')).toBe(content)
    }
    expect(readdirSync(target).sort()).toEqual(files.map(({ name }) => name).sort())
  })

  it('replaces the files of an earlier run and leaves other files alone', () => {
    writeFileSync(join(directory, 'README.md'), 'kept')
    writeReports(reportFixture({ results: [] }), directory)
    writeReports(reportFixture(), directory)
    expect(readFileSync(join(directory, 'report.json'), 'utf8')).toBe(reportJson(reportFixture()))
    expect(readFileSync(join(directory, 'README.md'), 'utf8')).toBe('kept')
  })

  it('writes nothing when the report does not fit the schema', () => {
    const target = join(directory, 'reports')
    const report = reportFixture()
    Object.assign(report, { verdict: 'fine' })
    expect(() => writeReports(report, target)).toThrow(/defect of Plumbline/)
    expect(existsSync(target)).toBe(false)
  })

  it('says when the path leads through a file', () => {
    const file = join(directory, 'file')
    writeFileSync(file, '')
    expect(failure(file)).toMatchObject({ path: file, code: 'EEXIST' })
    const below = failure(join(file, 'reports'))
    expect(below.code).toBe('ENOTDIR')
    expect(below.message).toBe(`Cannot write ${join(file, 'reports')}: not a directory (ENOTDIR)`)
  })

  it('says when there can be no directory, as below /proc, and does not hang', () => {
    expect(failure('/proc/none/deep/reports').message).toMatch(/^Cannot write \/proc\/none\/deep/)
  })

  it('names the file that could not be put in place and leaves no temporary file', () => {
    const path = join(directory, 'junit.xml')
    mkdirSync(path)
    const error = failure(directory)
    expect(error).toMatchObject({ path, code: 'EISDIR', name: 'ReportNotWrittenError' })
    expect(readdirSync(directory)).toEqual(['junit.xml'])
  })
})

describe('a storage that gives up', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
  })
  const others = reportFixture({ results: [] })

  function contents(): Record<string, string> {
    const names = readdirSync(directory).sort()
    return Object.fromEntries(
      names.map((name) => [name, readFileSync(join(directory, name), 'utf8')]),
    )
  }

  /** The real one until so many files are written; the next one is written in part. */
  function storageFor(files: number): FileStorage {
    let left = files
    return {
      write(path, content) {
        left -= 1
        writeFileSync(path, left < 0 ? content.slice(0, 10) : content)
        if (left < 0) throw full
      },
      rename: renameSync,
    }
  }

  it.each([0, 1, 2, 3, 4])(
    'after %d files leaves those of the run before as they were',
    (files) => {
      writeReports(others, directory)
      const before = contents()
      const write = () => writeReports(reportFixture(), directory, undefined, storageFor(files))

      expect(write).toThrow(ReportNotWrittenError)
      expect(write).toThrow(/^Cannot write .*: no space left on device \(ENOSPC\)$/)
      expect(contents()).toEqual(before)
    },
  )

  it('leaves no temporary file when one cannot be put in its place', () => {
    let renamed = 0
    const storage: FileStorage = {
      write: (path, content) => writeFileSync(path, content),
      rename(from, to) {
        renamed += 1
        if (renamed === 2) throw full
        renameSync(from, to)
      },
    }
    expect(() => writeReports(others, directory, undefined, storage)).toThrow('ENOSPC')
    expect(readdirSync(directory)).toHaveLength(1)
  })
})

describe('replaceFile', () => {
  it('replaces a file, and keeps its permissions', () => {
    const path = join(directory, 'kept')
    writeFileSync(path, 'old', { mode: 0o600 })
    replaceFile(path, 'new')
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['new', 0o600])
    expect(readdirSync(directory)).toEqual(['kept'])
  })

  it('tells of a name that is too long', () => {
    const path = join(directory, 'n'.repeat(300))
    expect(() => replaceFile(path, 'new')).toThrow(ReportNotWrittenError)
  })

  it('leaves alone what is no regular file, such as a device', () => {
    const path = join(directory, 'pipe')
    execFileSync('mkfifo', [path])
    expect(() => replaceFile(path, 'new')).toThrow(ReportNotWrittenError)
    expect(() => replaceFile(path, 'new')).toThrow(`Cannot write ${path}: it is no regular file`)
    expect(statSync(path).isFIFO()).toBe(true)
  })
})
