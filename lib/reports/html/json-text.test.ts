import { describe, expect, it } from 'vitest'
import { formattedJson } from './json-text.ts'

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
