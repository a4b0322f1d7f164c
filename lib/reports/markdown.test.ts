import { describe, expect, it } from 'vitest'
import { codeSpan, plainText, tableHead, tableRow } from './markdown.ts'

describe('plainText', () => {
  it.each([
    [
      'A limit above the maximum, at /api/swagger: "x"; y.',
      'A limit above the maximum, at /api/swagger: "x"; y.',
    ],
    [
      'MAX_ITEMS *b* `c` [d](e) ~f~ <g> \\',
      'MAX\\_ITEMS \\*b\\* \\`c\\` \\[d\\](e) \\~<!-- -->f\\~ \\<g\\> \\\\',
    ],
    ['@maria, a@b.c', '@<!-- -->maria, a@<!-- -->b.c'],
    ['#123 GH-7 !4 &amp; $5', '#<!-- -->123 GH<!-- -->-7 !<!-- -->4 \\&<!-- -->amp; $<!-- -->5'],
    ['https://a.example www.a.example', 'https:<!-- -->//a.example www<!-- -->.a.example'],
    [':smile: a: b', ':<!-- -->smile: a: b'],
    ['one\n# two\u001b', 'one # two\\\\u001b'],
  ])('%j is no markup', (text, expected) => {
    expect(plainText(text)).toBe(expected)
  })
})

describe('codeSpan', () => {
  it.each([
    ['@maria #1 <b> https://a.example', '`@maria #1 <b> https://a.example`'],
    ['a`b', '``a`b``'],
    ['a``b`c', '```a``b`c```'],
    ['`a', '`` `a ``'],
    ['a`', '`` a` ``'],
    ['  one\n\n  two ', '`one two`'],
    ['', '–'],
    [' \n ', '–'],
    ['\u0000', '`\\u0000`'],
  ])('fences %j', (text, expected) => {
    expect(codeSpan(text, 100)).toBe(expected)
  })

  it('cuts the text and never the fence', () => {
    expect(codeSpan('a`bcdef', 4)).toBe('``a`b…``')
  })
})

describe('a table', () => {
  it('has a row of titles and one of dashes', () => {
    expect(tableHead(['A', 'B|C'])).toEqual(['| A | B\\|C |', '| --- | --- |'])
  })

  it('ends a cell at no pipe within it', () => {
    expect(tableRow(['`a|b`', 'c||d'])).toBe('| `a\\|b` | c\\|\\|d |')
    expect(tableRow(['`a\\|b`', '`a\\\\|`'])).toBe('| `a\\\\u007cb` | `a\\\\\\u007c` |')
  })
})
