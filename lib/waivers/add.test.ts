import { describe, expect, it } from 'vitest'
import type { Waiver } from '../conformance/result.ts'
import { withAddedWaivers } from './add.ts'
import { readWaivers } from './read.ts'

const added: Waiver = {
  requirement: 'code-hosting/tokens/created',
  reason:
    '- a "reason": with # everything, and a good deal longer than a line of a file usually is',
  owner: 'Maria',
  expires: '2027-01-31',
  link: 'https://tracker.example.com/1',
}

const first = { ...added, requirement: 'a/b/one', reason: 'known', link: undefined }

const file = `# Deviations of staging.

waivers:
  # The proxy, until spring.
  - requirement: a/b/one   # see below
    expires: 2027-01-31
    owner: 'Maria'
    reason: >-
      known
# Nothing below this line.
`

function waiversOf(text: string): Waiver[] {
  const read = readWaivers(text)
  if ('problems' in read) throw new Error(read.problems.map(({ message }) => message).join('\n'))
  return read.waivers
}

describe('withAddedWaivers', () => {
  it('adds behind the last entry and touches nothing else', () => {
    const text = withAddedWaivers(file, [added])
    const [before, after] = text.split(/^ {2}- requirement: code-hosting.*?(?=^#)/ms)
    expect(`${before}${after}`).toBe(file)
    expect(waiversOf(text).map(({ requirement }) => requirement)).toEqual([
      'a/b/one',
      'code-hosting/tokens/created',
    ])
    expect(waiversOf(text)[1]).toEqual(added)
  })

  it.each([
    ['an empty file', '', 0],
    ['comments alone', '# none yet', 0],
    ['an empty list', '# kept\nwaivers: []\n', 0],
    ['a list without entries', '# kept\nwaivers:\n', 0],
    ['a list that is not indented', file.replaceAll('\n  ', '\n'), 1],
    ['no line break at the end', file.replace(/# Nothing.*\n$/, '').trimEnd(), 1],
    ['a comment behind the last value', file.replace('>-\n      known', 'known # why'), 1],
    ['entries in braces', `waivers:\n  - ${JSON.stringify(first)}\n`, 1],
    ['a list in brackets', `waivers: [${JSON.stringify(first)}] # kept\n`, 1],
    ['a list with an anchor', file.replace('waivers:', 'waivers: &all'), 1],
    ['JSON', JSON.stringify({ waivers: [first] }), 1],
    ['JSON with a comma too many', `{"waivers": [${JSON.stringify(first)},],}\n`, 1],
    ['JSON with a comment', `${JSON.stringify({ waivers: [first] })} # kept\n`, 1],
    ['YAML in braces', '{ waivers: [] }\n', 0],
  ])('adds to %s', (_name, text, before) => {
    const once = withAddedWaivers(text, [added])
    const twice = withAddedWaivers(once, [{ ...added, requirement: 'a/b/two' }])
    expect(waiversOf(twice)).toHaveLength(before + 2)
    expect(waiversOf(twice).slice(before)).toEqual([added, { ...added, requirement: 'a/b/two' }])
    for (const comment of text.match(/#.*$/gm) ?? []) expect(twice).toContain(comment)
  })

  it('keeps the line breaks of Windows', () => {
    const text = withAddedWaivers(file.replaceAll('\n', '\r\n'), [added])
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
    expect(waiversOf(text)).toHaveLength(2)
  })

  it('keeps JSON, and its indentation', () => {
    const text = withAddedWaivers(JSON.stringify({ waivers: [] }, null, '\t'), [added])
    expect(JSON.parse(text)).toEqual({ waivers: [added] })
    expect(text).toContain('\n\t"waivers"')
  })

  it('begins a file in JSON where one is wanted', () => {
    expect(JSON.parse(withAddedWaivers('', [added], true))).toEqual({ waivers: [added] })
  })

  it('leaves out a link that nobody gave', () => {
    expect(withAddedWaivers('', [first])).not.toContain('link')
  })
})
