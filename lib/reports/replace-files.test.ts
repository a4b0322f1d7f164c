import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ReportNotWrittenError, replaceFile } from './replace-files.ts'

let directory: string

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'plumbline-replace-'))
})

afterEach(() => rmSync(directory, { recursive: true, force: true }))

it('replaces a file, and keeps its permissions', () => {
  const path = join(directory, 'kept')
  writeFileSync(path, 'old', { mode: 0o600 })
  replaceFile(path, 'new')
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual(['new', 0o600])
  expect(readdirSync(directory)).toEqual(['kept'])
})

it('leaves alone what is no regular file, such as a device', () => {
  const path = join(directory, 'pipe')
  execFileSync('mkfifo', [path])
  expect(() => replaceFile(path, 'new')).toThrow(ReportNotWrittenError)
  expect(() => replaceFile(path, 'new')).toThrow(`Cannot write ${path}: it is no regular file`)
  expect(statSync(path).isFIFO()).toBe(true)
})
