import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { testDirectory } from './test-directory.fixture.ts'
import { replaceFiles } from './write-files.ts'

let directory: string
beforeEach(() => {
  directory = testDirectory()
})

const path = (name: string) => join(directory, name)
const contentOf = (name: string) => readFileSync(path(name), 'utf8')

describe('replaceFiles', () => {
  const replace = (name: string, mayReplace?: (text: string) => boolean) =>
    replaceFiles([{ path: path(name), content: 'new', ...(mayReplace && { mayReplace }) }])

  it('keeps the mode of a file', () => {
    writeFileSync(path('kept'), 'old', { mode: 0o600 })
    replace('kept')
    expect([contentOf('kept'), statSync(path('kept')).mode & 0o777]).toEqual(['new', 0o600])
  })

  it('rejects a file that is not regular, and a file that must not be replaced', () => {
    execFileSync('mkfifo', [path('pipe')])
    expect(() => replace('pipe')).toThrow(`Cannot write ${path('pipe')}: `)
    expect(statSync(path('pipe')).isFIFO()).toBe(true)
    writeFileSync(path('kept'), 'old')
    const isOther = (text: string) => text !== 'old'
    expect(() => replace('kept', isOther)).toThrow(`Cannot write ${path('kept')}: `)
    writeFileSync(path('other'), 'other')
    symlinkSync('kept', path('link'))
    for (const name of ['other', 'link']) replace(name, isOther)
    expect(['kept', 'link', 'other'].map(contentOf)).toEqual(['old', 'new', 'new'])
  })

  it('creates no new file where another one appeared, or a link', () => {
    writeFileSync(path('kept'), 'old')
    symlinkSync('nowhere', path('link'))
    for (const name of ['kept', 'link']) {
      const file = { path: path(name), content: 'new', isNew: true }
      expect(() => replaceFiles([file])).toThrow(`Cannot write ${path(name)}: `)
    }
    expect([contentOf('kept'), readdirSync(directory)]).toEqual(['old', ['kept', 'link']])
  })

  it.each([0, 2])('keeps the old files if the disk is full after %d files', (room) => {
    const names = ['a', 'b', 'c']
    const filesWith = (content: string) => names.map((name) => ({ path: path(name), content }))
    replaceFiles(filesWith('old'))
    let remaining = room
    const write = (path: string, content: string) => {
      remaining -= 1
      writeFileSync(path, remaining < 0 ? content.slice(0, 1) : content)
      if (remaining < 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    }
    expect(() => replaceFiles(filesWith('new'), write)).toThrow(
      /^Cannot write .*: no space left on device \(ENOSPC\)$/,
    )
    expect(readdirSync(directory)).toEqual(names)
    expect(names.map(contentOf)).toEqual(['old', 'old', 'old'])
  })
})
