import { describe, expect, it } from 'vitest'
import { findJsonValue, pointerNames, toPointer } from './json.ts'

function found(text: string, pointer: string) {
  const range = findJsonValue(text, pointer)
  return range && [text.slice(range.start, range.end), range.isExact]
}

it('toPointer and pointerNames are inverse', () => {
  const names = ['a/b', '~1', '', 'c"d', '7']
  expect(pointerNames(toPointer(names))).toEqual(names)
  expect(toPointer(['a/b', 3])).toBe('/a~1b/3')
  expect(pointerNames('')).toEqual([])
})

describe('findJsonValue', () => {
  const text = '[{"a" : 1, "b":{"c":["x", {"d":"}\\""}]}}, {"a":[] ,"e/f":null}]'

  it.each<[string, string, boolean]>([
    ['', text, true],
    ['/0/a', '1', true],
    ['/0/b/c/0', '"x"', true],
    ['/0/b/c/1/d', '"}\\""', true],
    ['/1/a', '[]', true],
    ['/1/e~1f', 'null', true],
    // Nearest enclosing values of missing ones.
    ['/0/b/x', '{"c":["x", {"d":"}\\""}]}', false],
    ['/0/b/c/0/y', '"x"', false],
    ['/7', text, false],
  ])('returns for %j the value %s', (pointer, value, isExact) => {
    expect(found(text, pointer)).toEqual([value, isExact])
  })

  const cut = '[{"a":1},{"b":{"c":2,"d":"x'

  it.each([
    [cut, '/1/b/c', '2'],
    [cut, '/1/b', '{"c":2,"d":"x'],
    [cut, '/4/b', undefined],
    // Redaction made it invalid.
    ['{"code":$OTP_CODE,"id":5}', '/id', '5'],
    ['{"code":$OTP_CODE,"id":5}', '/code', '$OTP_CODE'],
  ])('finds values in a text that is not JSON: %s %s', (text, pointer, value) => {
    expect(found(text, pointer)).toEqual(value === undefined ? undefined : [value, true])
  })

  it('does not recurse', () => {
    const deep = '['.repeat(200_000)
    expect(findJsonValue(deep, '/0/0/1')).toBeUndefined()
    expect(found(deep, '/0/0')?.[1]).toBe(true)
    const long = `["${'\\\\'.repeat(500_000)}",1]`
    expect(found(long, '/1')).toEqual(['1', true])
  })
})
