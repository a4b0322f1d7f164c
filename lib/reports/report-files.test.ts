import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { testDirectory } from '../text/test-directory.fixture.ts'
import { reportModel } from './facts.ts'
import { reportFixture } from './report.fixture.ts'
import { reportFiles, reportJson, writeReports } from './report-files.ts'

let directory: string
beforeEach(() => {
  directory = testDirectory()
})

const model = reportModel(reportFixture())
const evidence = model.report
const files = reportFiles(model, evidence)
const json = reportJson(model.report)
const path = (name: string) => join(directory, name)

function contents(): Record<string, string> {
  const all = readdirSync(directory, { recursive: true, withFileTypes: true })
  const paths = all.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name))
  return Object.fromEntries(
    paths.map((one) => [relative(directory, one), readFileSync(one, 'utf8')]),
  )
}

describe('reportJson', () => {
  it('returns the report, indented by two spaces', () => {
    expect(JSON.parse(json)).toEqual(model.report)
    expect(json).toMatch(/^{\n {2}"schema": 4,\n.*}\n$/s)
  })

  it('reports each schema error with its place, and nothing is written', () => {
    const report = reportFixture()
    Object.assign(report.results[0] ?? {}, { verdict: 'maybe' })
    Object.assign(report.run, { startedAt: 'yesterday', mood: 'good' })
    for (const problem of [
      /Internal error/,
      /\/results\/0\/verdict .* equal/,
      /\/run\/startedAt must match format/,
      /\/run .*: mood/,
    ]) {
      expect(() => writeReports(reportModel(report), path('reports'))).toThrow(problem)
    }
    expect(existsSync(path('reports'))).toBe(false)
  })
})

describe('writeReports', () => {
  it('creates the directory and writes exactly the report files in order', () => {
    const target = path('deep/reports')
    const paths = files.map(({ name }) => join(target, name))
    expect(writeReports(model, target, evidence)).toEqual(paths)
    const written = files.map(({ name, content }) => [join('deep/reports', name), content])
    expect(contents()).toEqual(Object.fromEntries(written))
  })

  it('replaces the files of an earlier run and no others', () => {
    writeFileSync(path('README.md'), 'kept')
    writeReports(reportModel(reportFixture({ results: [] })), directory, evidence)
    writeReports(model, directory)
    expect(contents()).toMatchObject({ 'report.json': json, 'README.md': 'kept' })
    expect(existsSync(path('evidence.har'))).toBe(false)
  })

  it('replaces links of other users and never follows them', () => {
    const own = path('own')
    writeFileSync(own, 'mine', { mode: 0o600 })
    const target = path('reports')
    mkdirSync(target)
    const places = [own, directory, path('new'), own, own]
    for (const [index, { name }] of files.entries()) {
      symlinkSync(places[index] ?? own, join(target, name))
    }
    writeReports(model, target, evidence)
    expect(readFileSync(own, 'utf8')).toBe('mine')
    expect(readdirSync(directory).sort()).toEqual(['own', 'reports'])
    for (const { name } of files) {
      const written = lstatSync(join(target, name))
      const mode = 0o666 & ~process.umask()
      expect([written.isFile(), written.mode & 0o777]).toEqual([true, mode])
    }
  })

  it('writes no file if one of them cannot be written', () => {
    mkdirSync(path('badge.json'))
    expect(() => writeReports(model, directory)).toThrow(/^Cannot write .*badge\.json: /)
    expect(contents()).toEqual({})
  })
})
