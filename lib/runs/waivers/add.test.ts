import { expect, it } from 'vitest'
import type { Waiver } from '../../results/run-report.ts'
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

const { link: _, ...unlinked } = added
const first = { ...unlinked, requirement: 'a/b/one', reason: 'known' }

const file = `# Deviations of staging.

waivers:
  # The proxy, until spring.
  - requirement: a/b/one # see below
    expires: 2027-01-31
    owner: 'Maria'
    reason: >-
      known
# Nothing below this line.
`

function waiversOf(text: string): Waiver[] {
  return readWaivers(text, 'waivers.yaml')
}

it('adds after the last entry, and keeps entries and comments', () => {
  const text = withAddedWaivers(file, [added])
  const [before, after] = text.split(/^ {2}- requirement: code-hosting.*?(?=^\n#)/ms)
  expect(`${before}${after?.slice(1)}`).toBe(file)
  expect(waiversOf(text)[1]).toEqual(added)
})

it.each([
  ['only comments', '# none yet', 0],
  ['an empty list', '# kept\nwaivers: []\n', 0],
  ['a list without entries', '# kept\nwaivers:\n', 0],
  ['a list that is not indented', file.replaceAll('\n  ', '\n'), 1],
  ['no line break at the end', file.replace(/# Nothing.*\n$/, '').trimEnd(), 1],
  ['a list in brackets', `waivers: [${JSON.stringify(first)}] # kept\n`, 1],
  ['JSON', JSON.stringify({ waivers: [first] }), 1],
  ['YAML in braces', '{ waivers: [] }\n', 0],
  ['line breaks of Windows', file.replaceAll('\n', '\r\n'), 1],
])('adds to %s', (_name, text, before) => {
  const once = withAddedWaivers(text, [added])
  const twice = withAddedWaivers(once, [{ ...added, requirement: 'a/b/two' }])
  expect(waiversOf(twice)).toHaveLength(before + 2)
  expect(waiversOf(twice).slice(before)).toEqual([added, { ...added, requirement: 'a/b/two' }])
  for (const comment of text.match(/#.*$/gm) ?? []) expect(twice).toContain(comment)
  if (text.includes('\r\n')) expect(twice.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
})

it('keeps JSON and its indentation, and creates a JSON file if requested', () => {
  const text = withAddedWaivers(JSON.stringify({ waivers: [] }, null, '\t'), [added])
  expect(JSON.parse(text)).toEqual({ waivers: [added] })
  expect(text).toContain('\n\t"waivers"')
  expect(JSON.parse(withAddedWaivers('', [added], true))).toEqual({ waivers: [added] })
})
