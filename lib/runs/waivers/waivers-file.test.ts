import { describe, expect, it } from 'vitest'
import type { Waiver } from '../../results/run-report.ts'
import { UsageError } from '../../text/usage-error.ts'
import { changedWaivers, readWaivers } from './waivers-file.ts'

const entry: Waiver = {
  requirement: 'code-hosting/tokens/created',
  reason: 'The proxy returns 200.',
  owner: 'Platform team',
  expires: '2027-01-31',
}

const yaml = `# Of staging
waivers:
  - requirement: code-hosting/tokens/created  # since the proxy
    reason: The proxy returns 200.
    owner: Platform team
    expires: 2027-01-31
`

function problems(text: string): string[] {
  try {
    readWaivers(text, 'w.yaml')
  } catch (error) {
    const [head, ...lines] = (error as UsageError).message.split('\n')
    expect(head).toMatch(/^--waivers: w\.yaml has \d+ problems?\./)
    return lines.map((line) => line.trim())
  }
  throw new Error('the file is valid')
}

const withCases = (text: string) => `${yaml}    cases: ${text}\n`
const required = { requirement: 'a/b/c', reason: 'known' }
const link = 'https://tracker.example.com/PLAT-12'

it.each([
  ['YAML', yaml, [entry]],
  ['YAML with the line breaks of Windows', yaml.replaceAll('\n', '\r\n'), [entry]],
  ['JSON', JSON.stringify({ waivers: [entry] }, null, '\t'), [entry]],
  ['a link', `${yaml}    link: ${link}\n`, [{ ...entry, link }]],
  ['cases', withCases("[b, 'c *']"), [{ ...entry, cases: ['b', 'c *'] }]],
  ['only what is required', JSON.stringify({ waivers: [required] }), [required]],
  ['a list whose last entry was removed', 'waivers:\n', []],
])('reads %s', (_name, text, waivers) => {
  expect(readWaivers(text, 'w.yaml')).toEqual(waivers)
})

it.each(['', '# none left\n'])(
  'rejects %j, which may be truncated, unless it may be empty',
  (text) => {
    expect(problems(text)).toHaveLength(1)
    expect(readWaivers(text, 'w.yaml', true)).toEqual([])
  },
)

const manyProblems = `waivers:
  - requirement: code-hosting/tokens/created
    reason: ' '
    owner: Platform team
    expires: 2027-02-30
    link: javascript:alert(1)
  - requirement: 17
    until: 2027-01-31
    reason: known
    owner: Maria
  - just text
`
const bomb = Array.from({ length: 9 }, (_, level) => {
  const items = level === 0 ? 'x' : `*a${level - 1}`
  return `a${level}: &a${level} [${Array(9).fill(items).join(', ')}]`
})

const invalid: [name: string, text: string, count?: number][] = [
  ['many problems', manyProblems, 6],
  ['no cases', withCases('[]')],
  ['a blank case', withCases("[a, ' ']")],
  ['cases that are a text', withCases('a')],
  ['a repeated entry', `${yaml}${yaml.split('\n').slice(2).join('\n')}`],
  ['a list', '- requirement: a/b/c\n'],
  ['another member', 'version: 1\nwaivers: []\n'],
  ['an open bracket', 'waivers: [\n'],
  ['a tag', 'waivers: !!js/function x\n'],
  ['an unknown alias', 'waivers: *gone\n'],
  ['aliases that expand too much', bomb.join('\n')],
]

it('names each problem with its line', async () => {
  for (const [name, text, count = 1] of invalid) expect(problems(text), name).toHaveLength(count)
  const texts = invalid.map(([name, text]) => [`${name}:`, ...problems(text)].join('\n'))
  await expect(texts.join('\n\n')).toMatchFileSnapshot('snapshots/problems.txt')
})

it('has no control characters in problems', () => {
  const text = `waivers:\n  - requirement: "a\\e[31mb"\n    "\\e]0;title\\a": 1\n`
  expect(problems(text).join('')).not.toMatch(/\p{Cc}/u)
  expect(problems('waivers: @\u001b[31m').join('')).not.toMatch(/\p{Cc}/u)
})

const reason =
  '- a "reason": with # everything, and a good deal longer than a line usually is in files'
const added: Waiver = { ...entry, reason, link }
const first = { ...entry, requirement: 'a/b/one' }

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

it('adds after the last entry, and keeps entries and comments', () => {
  const text = changedWaivers(file, { added: [added] })
  const [before, after] = text.split(/^ {2}- requirement: code-hosting.*?(?=^\n#)/ms)
  expect(`${before}${after?.slice(1)}`).toBe(file)
  expect(readWaivers(text, 'w.yaml')[1]).toEqual(added)
})

it.each([
  ['only comments', '# none yet', 0],
  ['an empty list', '# kept\nwaivers: []\n', 0],
  ['a list that is not indented', file.replaceAll('\n  ', '\n'), 1],
  ['a list in brackets', `waivers: [${JSON.stringify(first)}] # kept\n`, 1],
  ['JSON', JSON.stringify({ waivers: [first] }), 1],
  ['YAML in braces', '{ waivers: [] }\n', 0],
  ['line breaks of Windows', file.replaceAll('\n', '\r\n'), 1],
])('adds to %s', (_name, text, before) => {
  const both = [added, { ...added, requirement: 'a/b/two' }]
  const twice = both.reduce((rest, waiver) => changedWaivers(rest, { added: [waiver] }), text)
  const waivers = readWaivers(twice, 'w.yaml')
  expect([waivers.length, waivers.slice(before)]).toEqual([before + 2, both])
  for (const comment of text.match(/#.*$/gm) ?? []) expect(twice).toContain(comment)
  expect(twice).not.toContain('\r')
})

describe('changedWaivers without entries', () => {
  const listed = (id: string) =>
    `  - requirement: a/b/${id} # inside\n    expires: 2027-01-31\n    reason: known\n    owner: Maria\n`
  const all = ['a/b/one', 'a/b/two', 'a/b/three']
  const text = `# Of staging.\nwaivers:\n${['one', 'two', 'three'].map(listed).join('')}\n# The end.\n`
  const idsIn = (changed: string) =>
    readWaivers(changed, 'w.yaml').map(({ requirement }) => requirement)

  it.each(all)('removes %s, and changes nothing else', (id) => {
    const removed = new Set([id, 'a/b/gone'])
    const changed = changedWaivers(text, { removed })
    expect(changed).toBe(text.replace(listed(id.slice(4)), ''))
  })

  it('leaves an empty list, in YAML and JSON', () => {
    const json = JSON.stringify({ waivers: all.map((requirement) => ({ ...entry, requirement })) })
    for (const file of [text, json]) {
      const changed = changedWaivers(file, { removed: new Set(all) })
      expect(readWaivers(changed, 'w.yaml')).toEqual([])
    }
  })

  it('rejects a file in which an alias refers to a removed entry', () => {
    const aliased = `waivers:\n${listed('one').replace('known', '&x known')}${listed('two').replace('known', '*x')}`
    expect(idsIn(aliased)).toHaveLength(2)
    const remove = () => changedWaivers(aliased, { removed: new Set(['a/b/one']) })
    expect(remove).toThrow(UsageError)
  })
})
