import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText } from '../environment/arbitrary-text.fixture.ts'
import { codeSpan, plainText } from '../reports/markdown.ts'
import {
  excerpt,
  printableLine,
  printableSentence,
  printableText,
  truncate,
  wrapped,
} from './printable.ts'

const OBEYED = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/u

function readBack(text: string): string {
  return text.replace(/\\u\{([\da-f]+)\}|\\u([\da-f]{4})|\\([nrt])/g, (_, long, short, letter) => {
    const named: Record<string, string> = { n: '\n', r: '\r', t: '\t' }
    return named[letter] ?? String.fromCodePoint(Number.parseInt(long ?? short, 16))
  })
}

/** Asserts a property of any text and number. */
function always(holds: (text: string, count: number) => void): void {
  fc.assert(fc.property(anyText, fc.integer({ min: 1, max: 40 }), holds), { numRuns: 300 })
}

describe('printableText', () => {
  it.each([
    ['\u001b[31m', '\\u001b[31m'],
    ['\ud800x', '\\ud800x'],
    ['\u202etxt', '\\u202etxt'],
    ['\ufffe\uffff', '\\ufffe\\uffff'],
    ['\u{e0041}', '\\u{e0041}'],
    ['one\n\ttwo ]]> <b> "ä" 漢 😀', 'one\n\ttwo ]]> <b> "ä" 漢 😀'],
  ])('escapes %j as %j', (text, expected) => {
    expect(printableText(text)).toBe(expected)
  })

  it('escapes control and invisible characters without loss', () => {
    always((any) => {
      const text = any.replaceAll('\\', '')
      expect(printableText(text).replace(/[\n\t]/g, '')).not.toMatch(OBEYED)
      expect(printableLine(text)).not.toMatch(OBEYED)
      expect(printableSentence(text)).not.toMatch(OBEYED)
      expect(readBack(printableText(text))).toBe(text)
      expect(readBack(printableLine(text))).toBe(text)
    })
  })

  it('is truncated with the number of omitted characters', () => {
    expect(truncate('😀😀😀😀', 3)).toBe('😀😀…')
    always((text, characters) => {
      const cut = excerpt(text, { characters, lines: 2 })
      expect(Array.from(truncate(text, characters)).length).toBeLessThanOrEqual(characters)
      if (cut === text) return
      const [, kept = '', left] = /^(.*) … \[(\d+) more characters\]$/su.exec(cut) ?? []
      expect(text.startsWith(kept)).toBe(true)
      expect(kept.length + Number(left)).toBe(text.length)
      expect(kept.split('\n').length).toBeLessThanOrEqual(2)
      expect(kept.length).toBeLessThanOrEqual(characters)
    })
  })

  it('is wrapped into rows without loss', () => {
    expect(wrapped('one two three', 8)).toEqual(['one two', 'three'])
    expect(wrapped('{"a":1,"b":22,"c":333}', 12)).toEqual(['{"a":1,', '"b":22,', '"c":333}'])
    expect(wrapped('/x?limit=26&page=2', 12)).toEqual(['/x?limit=26&', 'page=2'])
    always((text, width) => {
      const rows = wrapped(text, width)
      for (const row of rows) expect(Array.from(row).length).toBeLessThanOrEqual(width)
      const signs = (of: string) => of.replace(/[ \t\n]/g, '')
      expect(signs(rows.join(''))).toBe(signs(text))
    })
  })
})

/** Returns the content of a code span (CommonMark 0.31, 6.1). */
function readCodeSpan(span: string): string {
  const fence = /^`+/.exec(span)?.[0] ?? ''
  const rest = span.slice(fence.length)
  const end = Array.from(rest.matchAll(/`+/g)).find(([run]) => run === fence)?.index ?? -1
  if (end + fence.length !== rest.length) throw new Error(`the code ends within ${span}`)
  const content = rest.slice(0, end)
  return /^ .*[^ ].* $/s.test(content) ? content.slice(1, -1) : content
}

describe('Markdown', () => {
  it.each([
    ['MAX_ITEMS *b* `c` [d](e) <g> \\', 'MAX\\_ITEMS \\*b\\* \\`c\\` \\[d\\](e) \\<g\\> \\\\'],
    ['@maria, a@b.c', '@<!-- -->maria, a@<!-- -->b.c'],
    ['#123 GH-7 !4 &amp; $5', '#<!-- -->123 GH<!-- -->-7 !<!-- -->4 \\&<!-- -->amp; $<!-- -->5'],
    ['https://a.example www.a.example', 'https:<!-- -->//a.example www<!-- -->.a.example'],
    [':smile: a: b ~f~', ':<!-- -->smile: a: b \\~<!-- -->f\\~'],
  ])('escapes markup and links in plain text: %s', (text, expected) => {
    expect(plainText(text)).toBe(expected)
  })

  it('has code spans with exactly the text', () => {
    always((text, length) => {
      const expected = truncate(printableSentence(text), length)
      const span = codeSpan(text, length)
      if (expected === '') expect(span).toBe('–')
      else expect(readCodeSpan(span).trim()).toBe(expected.trim())
    })
  })
})
