import { describe, expect, it } from 'vitest'
import { UsageError } from '../../environment/errors.ts'
import type { Waiver } from '../../results/run-report.ts'
import { changedWaivers, readWaivers, readWaiverTemplates } from './waivers-file.ts'

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

const withDeviations = (text: string) => `${yaml}    deviations: ${text}\n`
const deviations = [{ actual: 'a', cases: ['b', 'c'] }]
const link = 'https://tracker.example.com/PLAT-12'

it.each([
  ['YAML', yaml, [entry]],
  ['YAML with the line breaks of Windows', yaml.replaceAll('\n', '\r\n'), [entry]],
  ['JSON', JSON.stringify({ waivers: [entry] }, null, '\t'), [entry]],
  ['a link', `${yaml}    link: ${link}\n`, [{ ...entry, link }]],
  ['a pattern', `${yaml}    actual: status *\n`, [{ ...entry, actual: 'status *' }]],
  ['patterns', `${yaml}    actual: [a, '*b']\n`, [{ ...entry, actual: ['a', '*b'] }]],
  ['deviations', withDeviations('[{ actual: a, cases: [b, c] }]'), [{ ...entry, deviations }]],
  ['a list whose last entry was removed', 'waivers:\n', []],
])('reads %s', (_name, text, waivers) => {
  expect(readWaivers(text, 'w.yaml')).toEqual(waivers)
})

it.each(['', '# none left\n'])(
  'rejects %j, which may be truncated, unless it may be empty',
  (text) => {
    expect(problems(text)).toHaveLength(1)
    expect(readWaivers(text, 'w.yaml', { mayBeEmpty: true })).toEqual([])
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
const withPatterns = (actual: string) => `${yaml}    actual: ${actual}\n`
const bomb = Array.from({ length: 9 }, (_, level) => {
  const items = level === 0 ? 'x' : `*a${level - 1}`
  return `a${level}: &a${level} [${Array(9).fill(items).join(', ')}]`
})

const invalid: [name: string, text: string, count?: number][] = [
  ['many problems', manyProblems, 7],
  ['a blank pattern', withPatterns("''")],
  ['no patterns', withPatterns('[]')],
  ['a pattern that is a number', withPatterns('[a, 7]')],
  ['patterns that are a number', withPatterns('7')],
  ['no deviations', withDeviations('[]')],
  ['a deviation without cases', withDeviations("[{ actual: a, cases: [' '] }, { actual: b }]"), 2],
  ['another member of a deviation', withDeviations('[{ actual: a, cases: [b], link: c }]')],
  ['patterns and deviations', `${withPatterns('a')}    deviations: [{ actual: a, cases: [b] }]\n`],
  ['a repeated entry', `${yaml}${yaml.split('\n').slice(2).join('\n')}`],
  ['a list', '- requirement: a/b/c\n'],
  ['no list', 'waivers: none\n'],
  ['another member', 'version: 1\nwaivers: []\n'],
  ['an open bracket', 'waivers: [\n'],
  ['a tab', 'waivers:\n\t- a\n\t- b\n'],
  ['a tag', 'waivers: !!js/function x\n'],
  ['an unknown alias', 'waivers: *gone\n'],
  ['aliases that expand too much', bomb.join('\n')],
  ['a template', 'waivers:\n  - requirement: a/b/c\n    reason: known\n'],
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
  ['a list without entries', '# kept\nwaivers:\n', 0],
  ['a list that is not indented', file.replaceAll('\n  ', '\n'), 1],
  ['no line break at the end', file.replace(/# Nothing.*\n$/, '').trimEnd(), 1],
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
  if (text.includes('\r\n')) expect(twice.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
})

it('keeps JSON and its indentation, and creates a JSON file if requested', () => {
  const text = changedWaivers(JSON.stringify({ waivers: [] }, null, '\t'), { added: [added] })
  expect(JSON.parse(text)).toEqual({ waivers: [added] })
  expect(text).toContain('\n\t"waivers"')
  expect(JSON.parse(changedWaivers('', { added: [added] }, true))).toEqual({ waivers: [added] })
})

it('a template has no deviations, since cases belong to a run', () => {
  const template = { requirement: 'a/b/c', reason: 'known' }
  const text = (parts: object) => JSON.stringify({ waivers: [{ ...template, ...parts }] })
  expect(readWaiverTemplates(text({ actual: 'a' }), 'w.yaml')).toHaveLength(1)
  expect(() => readWaiverTemplates(text({ deviations }), 'w.yaml')).toThrow(UsageError)
})

describe('changedWaivers without entries', () => {
  const listed = (id: string) =>
    `  - requirement: a/b/${id} # inside\n    expires: 2027-01-31\n    reason: known\n    owner: Maria\n`
  const text = `# Of staging.
waivers:
  # Above the first one.
${listed('one')}
  # Above the second one,
  # in two lines.
${listed('two')}  # Above the third one.
${listed('three')}  # After all.

# The end.
`
  const all = ['a/b/one', 'a/b/two', 'a/b/three']
  const idsIn = (changed: string) =>
    readWaivers(changed, 'w.yaml').map(({ requirement }) => requirement)

  it.each(
    [[0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]].map((at) => [
      at.map((index) => all[index] ?? ''),
    ]),
  )('removes %j, and keeps the others in order, and the comments outside of entries', (ids) => {
    const kept = all.filter((id) => !ids.includes(id))
    for (const end of ['\n', '\r\n']) {
      const changed = changedWaivers(text.replaceAll('\n', end), { removed: new Set(ids) })
      expect(idsIn(changed)).toEqual(kept)
      const commentsOf = (of: string) => of.match(/^ *# .*$/gm)?.map((line) => line.trim())
      expect(commentsOf(changed)).toEqual(commentsOf(text))
      expect(changed.match(/# inside/g) ?? []).toHaveLength(kept.length)
      expect(changed).not.toMatch(/[ \t]\r?$/m)
      if (end === '\r\n') expect(changed.replaceAll(end, '')).not.toMatch(/[\r\n]/)
    }
  })

  it('changes nothing else', () => {
    const file = text.replace('  # After all.\n', '')
    const without = file.replace(listed('two'), '')
    expect(changedWaivers(file, { removed: new Set(['a/b/two', 'a/b/gone']) })).toBe(without)
  })

  it('keeps the form of JSON, and the last entry leaves an empty list', () => {
    const entries = all.map((requirement) => ({ ...entry, requirement }))
    const json = JSON.stringify({ waivers: entries }, null, '\t')
    const changed = changedWaivers(json, { removed: new Set(all.slice(0, 1)) })
    expect(changed).toBe(`${JSON.stringify({ waivers: entries.slice(1) }, null, '\t')}\n`)
    expect(JSON.parse(changedWaivers(json, { removed: new Set(all) }))).toEqual({ waivers: [] })
    const yaml = `waivers:\n${listed('one')}`
    expect(changedWaivers(yaml, { removed: new Set(all) })).toBe('waivers: []\n')
  })

  it('rejects a file in which an alias refers to a removed entry', () => {
    const aliased = `waivers:\n${listed('one').replace('known', '&x known')}${listed('two').replace('known', '*x')}`
    expect(idsIn(aliased)).toHaveLength(2)
    const remove = () => changedWaivers(aliased, { removed: new Set(['a/b/one']) })
    expect(remove).toThrow(UsageError)
  })
})
