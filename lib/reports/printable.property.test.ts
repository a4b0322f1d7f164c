import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText, longTexts } from '../environment/arbitrary-text.fixture.ts'
import { formattedJson } from './html/exchange.ts'
import { codeSpan, plainText, tableRow } from './markdown.ts'
import {
  excerpt,
  printableLine,
  printableSentence,
  printableText,
  shortened,
  wrapped,
} from './printable.ts'

const OBEYED = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/u

/** What was written out, as it was. */
function readBack(text: string): string {
  return text.replace(/\\u\{([\da-f]+)\}|\\u([\da-f]{4})|\\([nrt])/g, (_, long, short, letter) => {
    const named: Record<string, string> = { n: '\n', r: '\r', t: '\t' }
    return named[letter] ?? String.fromCodePoint(Number.parseInt(long ?? short, 16))
  })
}

const withoutBackslash = anyText.map((text) => text.replaceAll('\\', ''))

describe('printable text', () => {
  it('has nothing that is obeyed or cannot be seen, and nothing is lost', () => {
    fc.assert(
      fc.property(withoutBackslash, (text) => {
        expect(printableText(text).replace(/[\n\t]/g, '')).not.toMatch(OBEYED)
        expect(printableLine(text)).not.toMatch(OBEYED)
        expect(printableSentence(text)).not.toMatch(OBEYED)
        expect(readBack(printableText(text))).toBe(text)
        expect(readBack(printableLine(text))).toBe(text)
        expect(printableText(printableText(text))).toBe(printableText(text))
      }),
      { numRuns: 300 },
    )
  })

  it('is cut where it has to be, with all that is left', () => {
    fc.assert(
      fc.property(
        anyText,
        fc.nat(40),
        fc.integer({ min: 1, max: 4 }),
        (text, characters, lines) => {
          const cut = excerpt(text, { characters, lines })
          if (cut !== text) {
            const [, kept = '', left] = /^(.*) … \[(\d+) more characters\]$/su.exec(cut) ?? []
            expect(text.startsWith(kept)).toBe(true)
            expect(kept.length + Number(left)).toBe(text.length)
            expect(kept.split('\n').length).toBeLessThanOrEqual(lines)
            expect(kept.length).toBeLessThanOrEqual(characters)
          }
          expect(Array.from(shortened(text, characters)).length).toBeLessThanOrEqual(characters)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('is broken into rows of some width, with every sign in its place', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 20 }), (text, width) => {
        const rows = wrapped(text, width)
        for (const row of rows) expect(Array.from(row).length).toBeLessThanOrEqual(width)
        const signs = (of: string) => of.replace(/[ \t\n]/g, '')
        expect(signs(rows.join(''))).toBe(signs(text))
      }),
      { numRuns: 300 },
    )
  })

  it('may be long', () => {
    for (const text of longTexts(', ', '\n', '\u0000', '`')) {
      expect(printableSentence(text).length).toBeLessThanOrEqual(6 * text.length)
      expect(wrapped(text.slice(0, 200_000), 1).length).toBeGreaterThan(0)
      expect(wrapped(text, 80).length).toBeGreaterThan(0)
      expect(excerpt(text, { characters: 100, lines: 3 }).length).toBeLessThan(150)
      expect(shortened(text, 100).length).toBeLessThanOrEqual(200)
      expect(plainText(text.slice(0, 200_000)).length).toBeGreaterThanOrEqual(0)
      expect(codeSpan(text, 300).length).toBeLessThan(4000)
      expect(tableRow([text]).length).toBeGreaterThan(text.length)
    }
  })
})

/** What a code span says, by CommonMark 0.31, 6.1. */
function readCodeSpan(span: string): string {
  const fence = /^`+/.exec(span)?.[0] ?? ''
  const rest = span.slice(fence.length)
  const end = Array.from(rest.matchAll(/`+/g)).find(([run]) => run === fence)?.index ?? -1
  if (end + fence.length !== rest.length) throw new Error(`the code ends within ${span}`)
  const content = rest.slice(0, end)
  return /^ .*[^ ].* $/s.test(content) ? content.slice(1, -1) : content
}

describe('Markdown', () => {
  it('has code with the text and nothing else in it', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 60 }), (text, length) => {
        const expected = shortened(printableSentence(text), length)
        const span = codeSpan(text, length)
        if (expected === '') expect(span).toBe('–')
        else expect(readCodeSpan(span).trim()).toBe(expected.trim())
      }),
      { numRuns: 300 },
    )
  })

  it('has as many cells in a row as were put in', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 4 }), (texts) => {
        const row = tableRow(texts.map((text) => codeSpan(text, 60)))
        expect(row).not.toContain('\n')
        expect(row.split(/(?<!\\)\|/)).toHaveLength(texts.length + 2)
        expect(row).not.toContain('\\\\|')
      }),
      { numRuns: 300 },
    )
  })

  it('has words that are words: no sign of it is left as it was', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const plain = plainText(text)
        expect(plain.replace(/\\./g, '').replaceAll('<!-- -->', '')).not.toMatch(/[`*_[\]<>~&\\]/)
        const back = plain.replaceAll('<!-- -->', '').replace(/\\(.)/g, '$1')
        expect(back).toBe(printableSentence(text))
        expect(plain).not.toMatch(/[@#]\w|:\/\/|\bwww\./i)
      }),
      { numRuns: 300 },
    )
  })
})

describe('JSON set for readers', () => {
  it('is the same JSON', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        const formatted = formattedJson(text) ?? ''
        expect(JSON.parse(formatted)).toEqual(JSON.parse(text))
        expect(formatted.replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
      }),
      { numRuns: 300 },
    )
  })
})
