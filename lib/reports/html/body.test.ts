import { describe, expect, it } from 'vitest'
import type { NamedParts } from '../named-parts.ts'
import { nothingNamed } from '../named-parts.ts'
import { bodyLines, formattedJson } from './body.ts'

const wide = { characters: 10_000, lines: 100 }

function naming(...names: string[]): NamedParts {
  return { ...nothingNamed, field: (name) => names.includes(name) }
}

function shown(body: string, named = nothingNamed, limits = wide): string[] {
  return bodyLines(body, named, limits).lines.map(String)
}

describe('bodyLines', () => {
  it('formats JSON and marks a field that is named, without its comma', () => {
    const { formatted, lines, lastMarked } = bodyLines('{"a":1,"b":"x"}', naming('a'), wide)
    expect(formatted).toBe(true)
    expect(lines.map(String)).toEqual([
      '{',
      '  <mark>&quot;a&quot;: 1</mark>,',
      '  &quot;b&quot;: &quot;x&quot;',
      '}',
    ])
    expect(lastMarked).toBe(1)
  })

  it('marks where a value begins that goes over several lines', () => {
    expect(shown('{"a":[1]}', naming('a'))[1]).toBe('  <mark>&quot;a&quot;: [</mark>')
  })

  it('marks values that are named, alone and behind their names', () => {
    const named = { ...nothingNamed, value: (text: string) => text === 'maria/first' }
    expect(shown('["maria/first","x"]', named)[1]).toBe('  <mark>&quot;maria/first&quot;</mark>,')
    expect(shown('{"n":"maria/first"}', named)[1]).toContain('<mark>&quot;n&quot;: ')
  })

  it('keeps what is not JSON as it is, line by line', () => {
    const { formatted, lines, lastMarked } = bodyLines('<b>\r\n"a": 1\n', naming('a'), wide)
    expect(formatted).toBe(false)
    expect(lines.map(String)).toEqual(['&lt;b&gt;', '&quot;a&quot;: 1', ''])
    expect(lastMarked).toBe(-1)
  })

  it('writes out what would be obeyed', () => {
    expect(shown('a\u001b[2J\u202e')).toEqual(['a\\u001b[2J\\u202e'])
  })

  it('cuts a long body and says how much is left out', () => {
    const body = JSON.stringify(Array.from({ length: 50 }, (_, index) => index))
    const lines = shown(body, nothingNamed, { characters: 1000, lines: 10 })
    expect(lines).toHaveLength(11)
    expect(lines.at(-1)).toContain('42 more lines left out, see report.json')
    expect(shown(body, nothingNamed, { characters: 40, lines: 100 }).length).toBeLessThan(12)
  })

  it('keeps a marked line from further down with what stands around it', () => {
    const items = Array.from({ length: 60 }, (_, index) => [`field_${index}`, index])
    const body = JSON.stringify(Object.fromEntries(items))
    const limits = { characters: 1000, lines: 5 }
    const { lines, lastMarked } = bodyLines(body, naming('field_40'), limits)
    const text = lines.map(String)
    expect(text[5]).toContain('34 more lines left out')
    expect(text[6]).toContain('field_38')
    expect(text[8]).toContain('<mark>&quot;field_40&quot;: 40</mark>')
    expect(lastMarked).toBe(8)
    expect(text[10]).toContain('field_42')
    expect(text.at(-1)).toContain('more lines left out')
  })

  it('keeps no more than a few marked lines', () => {
    const body = JSON.stringify(
      Array.from({ length: 200 }, () => ({ name: 1, other: [1, 2, 3, 4] })),
    )
    const lines = shown(body, naming('name'), { characters: 1000, lines: 5 })
    expect(lines.filter((line) => line.includes('<mark>')).length).toBeLessThan(10)
  })

  it('shortens a line that has no end', () => {
    const [line = ''] = shown('x'.repeat(100_000))
    expect(line.length).toBeLessThan(1100)
    expect(line).toContain('more characters')
  })
})

describe('formattedJson', () => {
  it.each([
    ['{}', '{}'],
    [' [ ] ', '[]'],
    ['null', 'null'],
    ['"a, b: {c}"', '"a, b: {c}"'],
    ['{"a":1,"b":[true,null]}', '{\n  "a": 1,\n  "b": [\n    true,\n    null\n  ]\n}'],
    ['[{"a":{}},[]]', '[\n  {\n    "a": {}\n  },\n  []\n]'],
  ])('sets %s with two spaces', (text, formatted) => {
    expect(formattedJson(text)).toBe(formatted)
  })

  it('sets what JSON.stringify sets in the same way', () => {
    const value = { id: 1, tags: ['a', 'b"\\'], owner: { name: 'ä\n', none: null }, empty: {} }
    expect(formattedJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
  })

  it('changes nothing but the white space', () => {
    const text = '{"id":12345678901234567890,"id":1.0e2,"name":"\\u00e4\\/","name":"\\"}{"}'
    expect(formattedJson(text)).toBe(
      '{\n  "id": 12345678901234567890,\n  "id": 1.0e2,\n  "name": "\\u00e4\\/",\n  "name": "\\"}{"\n}',
    )
  })

  it.each(['', 'plain', '{"a":', '<html></html>', "{'a': 1}"])('leaves %j alone', (text) => {
    expect(formattedJson(text)).toBeUndefined()
  })

  it('leaves very long texts alone', () => {
    expect(formattedJson(`"${'x'.repeat(300_000)}"`)).toBeUndefined()
  })

  it('does not grow without bounds with the depth', () => {
    const text = '['.repeat(50_000) + ']'.repeat(50_000)
    expect((formattedJson(text) ?? '').length).toBeLessThan(text.length * 60)
  })
})
