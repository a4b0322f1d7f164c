import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
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
})
