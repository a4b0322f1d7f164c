import { describe, expect, it } from 'vitest'
import { excerptBody, formattedJson } from './body-excerpt.ts'

describe('excerptBody', () => {
  it('keeps the lines of a body that is not JSON', () => {
    const limits = { characters: 10_000, lines: 100 }
    const { isFormatted, lines } = excerptBody('<b>\r\n"a": 1\n', limits, { format: true })
    expect(isFormatted).toBe(false)
    expect(lines.map(({ text }) => text)).toEqual(['<b>', '"a": 1', ''])
  })

  it('truncates a body and counts the omitted characters', () => {
    const body = JSON.stringify(Array.from({ length: 50 }, (_, index) => index))
    const { lines } = excerptBody(body, { characters: 1000, lines: 10 }, { format: true })
    expect(lines).toHaveLength(10)
    expect(lines.at(-1)?.text).toMatch(/ … \[\d+ more characters\]$/)
  })
})

it.each([
  ['{}', '{}'],
  [' [ ] ', '[]'],
  ['"a, b: {c}"', '"a, b: {c}"'],
  ['{"a":1,"b":[true,null]}', '{\n  "a": 1,\n  "b": [\n    true,\n    null\n  ]\n}'],
  ['[{"a":{}},[]]', '[\n  {\n    "a": {}\n  },\n  []\n]'],
  [
    '{"id":12345678901234567890,"id":1.0e2,"name":"\\u00e4\\/","name":"\\"}{"}',
    '{\n  "id": 12345678901234567890,\n  "id": 1.0e2,\n  "name": "\\u00e4\\/",\n  "name": "\\"}{"\n}',
  ],
  ['', undefined],
  ['plain', undefined],
  ['{"a":', undefined],
])('formats %s as JSON, changing only white space', (text, formatted) => {
  expect(formattedJson(text)).toBe(formatted)
})

describe('excerptBody with pointers', () => {
  const record = (index: number) => ({
    id: index,
    full_name: `maria/repository-${index}`,
    description: 'x'.repeat(60),
    permissions: { admin: true, push: true, pull: true },
  })
  const list = JSON.stringify(Array.from({ length: 400 }, (_, index) => record(index)))
  const limits = { characters: 480, lines: 8 }
  const excerptOf = (body: string, pointer: string, others = limits) =>
    excerptBody(body, others, { pointers: [pointer] }).lines

  it('returns one record of a list of 60 kB and marks its line', () => {
    expect(list.length).toBeGreaterThan(60_000)
    const lines = excerptOf(list, '/317/full_name')
    expect(lines.filter(({ isMarked }) => isMarked)).toEqual([
      { text: '    "full_name": "maria/repository-317",', isMarked: true },
    ])
    expect(lines.length).toBeLessThanOrEqual(limits.lines + 2)
    expect(lines.map(({ text }) => text).join('').length).toBeLessThan(limits.characters + 80)
  })

  it.each([0, 1, 399])('counts the omitted lines around record %d', (index) => {
    const lines = excerptOf(list, `/${index}/id`, { characters: 4000, lines: 20 })
    const omitted = lines.flatMap(({ text }) => Number(/\[(\d+) /.exec(text)?.[1] ?? 0))
    const ends = omitted.filter((count) => count === 0).length
    expect(ends + omitted.reduce((sum, count) => sum + count, 0)).toBe(400 * 10 + 2)
  })

  it('marks each line of a value, and the first line of a record that lacks a member', () => {
    const marked = (pointer: string) =>
      excerptOf(list, pointer, { characters: 4000, lines: 20 })
        .filter(({ isMarked }) => isMarked)
        .map(({ text }) => text.trim())
    expect(marked('/5/permissions')).toHaveLength(5)
    expect(marked('/5')).toHaveLength(10)
    expect(marked('/5/url')).toEqual(['{'])
  })

  it('truncates a long line around the part without splitting a character', () => {
    const body = JSON.stringify({ text: `${'😀'.repeat(5000)}`, wrong: `${'y'.repeat(5000)}` })
    const lines = excerptOf(body, '/wrong')
    expect(lines.find(({ isMarked }) => isMarked)?.text).toMatch(/^ {2}"wrong": "y+…$/)
    expect(JSON.stringify(lines)).not.toContain('\\\\ud8')
  })

  it('returns the first lines if the part was not kept or the body is not JSON', () => {
    const startsAtFirstLine = (body: string, pointer: string) =>
      excerptOf(body, pointer)[0]?.text.startsWith(body.slice(0, 20)) === true
    expect(startsAtFirstLine(list.slice(0, 30_000), '/317/full_name')).toBe(true)
    expect(startsAtFirstLine('<p>no   such   thing</p>', '/message')).toBe(true)
    expect(excerptOf(list.slice(0, 30_000), '/17/full_name').some((line) => line.isMarked)).toBe(
      true,
    )
  })

  it('escapes control characters', () => {
    const [, marked] = excerptOf(JSON.stringify({ a: '\u202e\u009b31m' }), '/a')
    expect(marked).toEqual({ text: '  "a": "\\u202e\\u009b31m"', isMarked: true })
  })
})
