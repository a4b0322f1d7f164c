import { describe, expect, it } from 'vitest'
import { bodyLines, formattedJson } from './exchange.ts'

const wide = { characters: 10_000, lines: 100 }

function shown(body: string, limits = wide): string[] {
  return bodyLines(body, limits).lines.map(String)
}

describe('bodyLines', () => {
  it('keeps what is not JSON as it is, line by line', () => {
    const { formatted, lines } = bodyLines('<b>\r\n"a": 1\n', wide)
    expect(formatted).toBe(false)
    expect(lines.map(String)).toEqual(['&lt;b&gt;', '&quot;a&quot;: 1', ''])
  })

  it('cuts a long body and says how much is left out', () => {
    const body = JSON.stringify(Array.from({ length: 50 }, (_, index) => index))
    const lines = shown(body, { characters: 1000, lines: 10 })
    expect(lines).toHaveLength(11)
    expect(lines.at(-1)).toContain('42 more lines left out, see report.json')
    expect(shown(body, { characters: 40, lines: 100 }).length).toBeLessThan(12)
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

  it('changes nothing but the white space', () => {
    const text = '{"id":12345678901234567890,"id":1.0e2,"name":"\\u00e4\\/","name":"\\"}{"}'
    expect(formattedJson(text)).toBe(
      '{\n  "id": 12345678901234567890,\n  "id": 1.0e2,\n  "name": "\\u00e4\\/",\n  "name": "\\"}{"\n}',
    )
  })

  it.each(['', 'plain', '{"a":', '<html></html>', "{'a': 1}"])('leaves %j alone', (text) => {
    expect(formattedJson(text)).toBeUndefined()
  })
})
