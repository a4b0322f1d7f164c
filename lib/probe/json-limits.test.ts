import { describe, expect, it } from 'vitest'
import { JsonLimitError, parseJson } from './json-limits.ts'

function nested(depth: number, inner = ''): string {
  return `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`
}

describe('parseJson', () => {
  it.each([
    '{"a":[1,"two",null,true]}',
    ' [] ',
    '"text, [with] {brackets}"',
    '1e3',
    nested(100),
    `["${'[{,'.repeat(1000)}","\\"${'['.repeat(1000)}"]`,
    `{"a":"${','.repeat(600_000)}"}`,
  ])('reads what is JSON', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text))
  })

  it.each(['', '{', '<p>', '[1,]', 'undefined', `${'['.repeat(1000)}`, '[1', '"a'])(
    'finds nothing in what is none',
    (text) => {
      expect(parseJson(text)).toBeUndefined()
    },
  )

  it.each([101, 100_000])('refuses what is %d deep, and says so', (depth) => {
    for (const text of [nested(depth), nested(depth - 1, '{"a":1}')]) {
      expect(() => parseJson(text)).toThrow(JsonLimitError)
      expect(() => parseJson(text)).toThrow(`nested ${depth} levels deep, and no more than 100`)
    }
  })

  it('refuses what has more values than memory is for', () => {
    const lists = (count: number, one: string) => `[${`[${one.repeat(9999)}1],`.repeat(count)}1]`
    expect(() => parseJson(lists(20, '1,'))).toThrow(/more than 200000 values/)
    expect(() => parseJson(lists(10, '{},'))).toThrow(/more than 200000 values/)
    expect(parseJson(lists(19, '1,'))).toHaveLength(20)
  })

  it.each([
    ['list', '[', '1,', '1]'],
    ['object', '{', '"a":1,', '"b":1}'],
  ])('refuses a %s of more elements than any has', (_, opening, one, last) => {
    const text = (count: number) => `[[1,2],${opening}${one.repeat(count - 1)}${last},[3]]`
    expect(() => parseJson(text(20_001))).toThrow(
      'a list or an object of more than 20000 elements, too many to be read',
    )
    expect(parseJson(text(20_000))).toHaveLength(3)
  })

  it('refuses a number that nobody means, and no digits in a text', () => {
    expect(() => parseJson(`{"a":${'7'.repeat(1_000_000)}}`)).toThrow(
      'a number of 1000000 digits, and no more than 1000 are read',
    )
    for (const text of [
      `[${'7'.repeat(1000)}]`,
      `["${'7'.repeat(2000)}"]`,
      `[0.5e${'0'.repeat(9)}1]`,
    ]) {
      expect(parseJson(text)).toEqual(JSON.parse(text))
    }
  })

  it('keeps members with the names of parts of objects to themselves', () => {
    const value = parseJson('{"__proto__":{"login":"nobody"}}') as { login?: string }
    expect(value.login).toBeUndefined()
    expect({}).not.toHaveProperty('login')
  })
})
