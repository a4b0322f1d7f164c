import { describe, expect, it } from 'vitest'
import { excerpt, printableText, shortened, wrapped } from './printable.ts'

describe('printableText', () => {
  it.each([
    ['\u0000', '\\u0000'],
    ['\u001b[31m', '\\u001b[31m'],
    ['\u009b31m', '\\u009b31m'],
    ['a\rb', 'a\\rb'],
    ['\ud800x', '\\ud800x'],
    ['x\udc00', 'x\\udc00'],
    ['\u202etxt', '\\u202etxt'],
    ['\ufffe\uffff', '\\ufffe\\uffff'],
    ['\u{e0041}', '\\u{e0041}'],
  ])('writes %j out', (text, expected) => {
    expect(printableText(text)).toBe(expected)
  })

  it('leaves line breaks, tabs and every ordinary character alone', () => {
    const text = 'one\n\ttwo ]]> <b> "ä" 漢 😀'
    expect(printableText(text)).toBe(text)
  })
})

describe('excerpt', () => {
  const limits = { characters: 10, lines: 2 }

  it('cuts at the number of characters and counts the rest', () => {
    expect(excerpt('0123456789abc', limits)).toBe('0123456789 … [3 more characters]')
  })
})

describe('shortened', () => {
  it('counts code points and keeps what fits', () => {
    expect(shortened('😀😀😀', 3)).toBe('😀😀😀')
    expect(shortened('😀😀😀😀', 3)).toBe('😀😀…')
    expect(shortened('abc', 0)).toBe('')
  })
})

describe('wrapped', () => {
  it('breaks at spaces', () => {
    expect(wrapped('one two three', 8)).toEqual(['one two', 'three'])
  })

  it('breaks behind the separators of JSON and URLs', () => {
    expect(wrapped('{"a":1,"b":22,"c":333}', 12)).toEqual(['{"a":1,', '"b":22,', '"c":333}'])
    expect(wrapped('/x?limit=26&page=2', 12)).toEqual(['/x?limit=26&', 'page=2'])
    expect(wrapped('one, two, three', 9)).toEqual(['one, two,', 'three'])
  })
})
