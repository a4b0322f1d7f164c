import { describe, expect, it } from 'vitest'
import {
  excerpt,
  printableLine,
  printableSentence,
  printableText,
  shortened,
  wrapped,
} from './printable.ts'

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

describe('printableLine', () => {
  it('writes line breaks and tabs out too', () => {
    expect(printableLine('one\r\n\ttwo')).toBe('one\\r\\n\\ttwo')
  })
})

describe('printableSentence', () => {
  it('makes one line of prose', () => {
    expect(printableSentence('  one\n   two\u0007 ')).toBe('one two\\u0007')
  })
})

describe('excerpt', () => {
  const limits = { characters: 10, lines: 2 }

  it('returns a text within the limits as it is', () => {
    expect(excerpt('0123456789', limits)).toBe('0123456789')
    expect(excerpt('a\nb', limits)).toBe('a\nb')
  })

  it('cuts at the number of characters and counts the rest', () => {
    expect(excerpt('0123456789abc', limits)).toBe('0123456789 … [3 more characters]')
  })

  it('cuts at the number of lines', () => {
    expect(excerpt('a\nb\nc\nd', limits)).toBe('a\nb … [4 more characters]')
  })

  it('does not cut a pair of surrogates in two', () => {
    expect(excerpt('012345678😀', limits)).toBe('012345678 … [2 more characters]')
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

  it('breaks a word that is too long for a row', () => {
    expect(wrapped('a 0123456789', 5)).toEqual(['a 012', '34567', '89'])
  })

  it('keeps line breaks and loses nothing but the spaces it breaks at', () => {
    expect(wrapped('one\n\n\ttwo', 20)).toEqual(['one', '', '  two'])
  })
})
