import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { reportFixture } from '../reports/report.fixture.ts'
import { temporaryDirectory } from './command.fixture.ts'
import { openBaseline, openWaivers } from './operator-file-access.ts'

let directory: string
beforeEach(() => {
  directory = temporaryDirectory()
})

function file(name: string, content: string): void {
  writeFileSync(join(directory, name), content)
}

describe('a file that is none of the kind that its option takes', () => {
  const asBaseline = (content: string, update = false) => {
    file('x.json', content)
    try {
      openBaseline('x.json', update, directory)
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }

  it.each<[string, string]>([
    ['is the report of a run, and no baseline;', JSON.stringify(reportFixture())],
    ['is a file of waivers, and no baseline;', 'waivers:\n  - requirement: a/b/c\n'],
    ['is a history of runs, and no baseline;', '{"run":"x","rows":{},"counts":{}}\n{'],
    ['cannot be used: it is no baseline;', '{}'],
    ['cannot be used: it is no baseline;', '[]'],
    ['cannot be used: it is no JSON (', '{"name":'],
    ['cannot be used: it is empty: restore it if it was one;', ''],
  ])('is told as what it is, and never to be deleted: it %s', (told, content) => {
    for (const updateBaseline of [false, true]) {
      const message = asBaseline(content, updateBaseline)
      expect(message).toContain(`--baseline: x.json ${told}`)
      expect(message).toContain('nothing was sent. Name the file that --update-baseline wrote')
      expect(message).not.toMatch(/delete|additional propert|must (NOT )?have/)
      expect(readFileSync(join(directory, 'x.json'), 'utf8')).toBe(content)
    }
  })

  it('is a baseline although it is damaged, and that can be written anew', () => {
    const message = '; nothing was sent. Restore it, or delete it and write it anew'
    expect(asBaseline('{"schema":1,"target":{},"observations":[]}')).toContain(message)
    expect(asBaseline('{\n  "schema": 1,\n  "target": {')).toContain(message)
  })

  it('is told as what it is by --waivers too', () => {
    file('report.json', JSON.stringify(reportFixture()))
    expect(() => openWaivers('report.json', directory)).toThrow(
      '--waivers: report.json has 1 problem; nothing was sent.\n  it is the report of a run, and no',
    )
  })
})
