import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { reportModel } from './model.ts'
import { reportFixture } from './report.fixture.ts'
import { reportFiles, reportJson, writeReports } from './report-files.ts'
import { type FileStorage, ReportNotWrittenError, replaceKeptFile } from './write-files.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-reports-'))
})
afterEach(() => {
  rmSync(directory, { recursive: true, force: true })
})

describe('writeReports', () => {
  it('creates the directory and writes exactly the report files in order', () => {
    const target = join(directory, 'deep', 'reports')
    const files = reportFiles(reportModel(reportFixture()))
    const paths = writeReports(reportModel(reportFixture()), target)
    expect(paths).toEqual(files.map(({ name }) => join(target, name)))
    for (const { name, content } of files) {
      expect(readFileSync(join(target, name), 'utf8')).toBe(content)
    }
    expect(readdirSync(target).sort()).toEqual(files.map(({ name }) => name).sort())
  })

  it('replaces the files of an earlier run and no others', () => {
    writeFileSync(join(directory, 'README.md'), 'kept')
    writeReports(reportModel(reportFixture({ results: [] })), directory)
    writeReports(reportModel(reportFixture()), directory)
    expect(readFileSync(join(directory, 'report.json'), 'utf8')).toBe(reportJson(reportFixture()))
    expect(readFileSync(join(directory, 'README.md'), 'utf8')).toBe('kept')
  })

  it('replaces links of other users and never follows them', () => {
    const target = join(directory, 'reports')
    const names = reportFiles(reportModel(reportFixture())).map(({ name }) => name)
    const own = join(directory, 'own')
    writeFileSync(own, 'mine', { mode: 0o600 })
    mkdirSync(target)
    const places = [own, directory, join(directory, 'new'), own, own]
    for (const [index, name] of names.entries()) {
      symlinkSync(places[index] ?? own, join(target, name))
    }
    writeReports(reportModel(reportFixture()), target)
    expect([readFileSync(own, 'utf8'), readdirSync(directory).sort()]).toEqual([
      'mine',
      ['own', 'reports'],
    ])
    const umask = process.umask()
    for (const name of names) {
      const written = lstatSync(join(target, name))
      expect([written.isFile(), written.mode & 0o777]).toEqual([true, 0o666 & ~umask])
    }
  })

  it('writes nothing if the report does not match the schema', () => {
    const target = join(directory, 'reports')
    const report = reportFixture()
    Object.assign(report, { verdict: 'fine' })
    expect(() => writeReports(reportModel(report), target)).toThrow(/Internal error/)
    expect(existsSync(target)).toBe(false)
  })

  it('reports a path that leads through a file', () => {
    const file = join(directory, 'file')
    writeFileSync(file, '')
    const below = join(file, 'reports')
    expect(() => writeReports(reportModel(reportFixture()), below)).toThrow(
      `Cannot write ${below}: not a directory (ENOTDIR)`,
    )
    expect(() => writeReports(reportModel(reportFixture()), '/proc/none/deep/reports')).toThrow(
      /^Cannot write \/proc\/none\/deep/,
    )
  })
})

describe('writeReports with a failing storage', () => {
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

  /** Returns a storage that writes this many files, and the next one only partly. */
  function storageFor(files: number): FileStorage {
    let remaining = files
    return {
      write(path, content) {
        remaining -= 1
        writeFileSync(path, remaining < 0 ? content.slice(0, 10) : content)
        if (remaining < 0) throw full
      },
      rename: renameSync,
    }
  }

  it.each([0, 3])('keeps the files of the previous run after %d files', (files) => {
    writeReports(reportModel(others), directory)
    const before = contents()
    const write = () => writeReports(reportModel(reportFixture()), directory, storageFor(files))

    expect(write).toThrow(ReportNotWrittenError)
    expect(write).toThrow(/^Cannot write .*: no space left on device \(ENOSPC\)$/)
    expect(contents()).toEqual(before)
  })
})

describe('replaceKeptFile', () => {
  it('replaces a file and keeps its mode', () => {
    const path = join(directory, 'kept')
    writeFileSync(path, 'old', { mode: 0o600 })
    replaceKeptFile(path, 'new')
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['new', 0o600])
    expect(readdirSync(directory)).toEqual(['kept'])
  })

  it('replaces the target of a link', () => {
    const [link, path] = [join(directory, 'link'), join(directory, 'kept')]
    writeFileSync(path, 'old', { mode: 0o600 })
    symlinkSync(path, link)
    replaceKeptFile(link, 'new')
    expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['new', 0o600])
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
  })

  it('rejects a file that is not regular', () => {
    const path = join(directory, 'pipe')
    execFileSync('mkfifo', [path])
    expect(() => replaceKeptFile(path, 'new')).toThrow(`Cannot write ${path}: `)
    expect(statSync(path).isFIFO()).toBe(true)
  })
})
