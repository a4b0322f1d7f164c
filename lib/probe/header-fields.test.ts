import { describe, expect, it } from 'vitest'
import { linksOf, parseWarning, withoutUserInformation } from './header-fields.ts'

it.each([
  ['299 a "b"', [[299, 'b']]],
  [
    '299 git.example.com:80 "a \\"b\\", c", 199 - "d" , junk, 299 a "e"',
    [
      [299, 'a "b", c'],
      [199, 'd'],
    ],
  ],
  ['299 a "b', []],
  ['junk', []],
])('parseWarning returns the values of %s before a malformed one', (field, expected) => {
  expect(parseWarning(field).map(({ code, text }) => [code, text])).toEqual(expected)
})

const next = { target: '/a?page=2', relation: 'next' }
const last = { target: '/a?page=9', relation: 'last' }

describe('linksOf of an example', () => {
  it.each([
    ['spaces before separators', '</a?page=2> ; rel="next" , </a?page=9>\t;\trel=last\t,'],
    ['further parameters', '</a?page=2>; title="a, <b>; c"; rel=next, </a?page=9>; x=1; rel=last'],
    ['empty list elements', ', </a?page=2>; rel=next,, </a?page=9>; rel=last ,'],
    ['empty parameters', '</a?page=2>;; rel=next;, </a?page=9>; rel=last;'],
    ['an extended parameter', "</a?page=2>; title*=UTF-8'en'%e2; rel=next, </a?page=9>; rel=last"],
    [
      'several relations, of which the first rel counts',
      '</a?page=2>; REL="next"; rel=x, </a?page=9>; rel=" last"',
    ],
    ['escapes', '</a?page=2>; rel="n\\ext", </a?page=9>; title="\\","; rel=last'],
  ])('accepts %s', (_, field) => {
    expect(linksOf(field).values).toEqual([next, last])
    // The first link of a relation counts.
    expect(linksOf(`${field}, </b>; rel=next`).targets.get('next')).toBe(next.target)
  })

  it.each(['rel="";rel=x', 'rel=" "; rel', 'rel'])(
    'returns a link without a relation for %s',
    (parameters) => {
      expect(linksOf(`<a>;${parameters}`).values).toEqual([{ target: 'a', relation: undefined }])
    },
  )

  it.each([
    ['/a; rel=next', '/', 0],
    ['</a; rel=next', '<', 0],
    ['</a>; rel=next </b>; rel=last', '<', 15],
    ['</a>; rel=next, junk', 'j', 16],
  ])('rejects %j with the location', (field, character, offset) => {
    const malformed = `unexpected ${JSON.stringify(character)} at offset ${offset}`
    expect(linksOf(field)).toEqual({ values: [], targets: new Map(), malformed })
  })
})

it.each([
  ['https://maria:password@host/a', 'https://host/a'],
  ['https://maria@host:8443/a@b', 'https://host:8443/a@b'],
  ['https://a@b:c@host', 'https://host'],
  ['//maria:password@host/a', '//host/a'],
  ['https:\\\\maria:password@host/a', 'https:\\\\host/a'],
  ['https:///maria:password@host/a', 'https:///host/a'],
  ['https://maria:password@[/', 'https://[/'],
  ...['/a/@b', '/a//b@c', 'a@b', '?a=//b@c', 'https://host/a?b=c@d', 'mailto:a@b', ''].map(
    (reference) => [reference, reference],
  ),
])('withoutUserInformation returns for %j: %j', (reference = '', expected = '') => {
  expect(withoutUserInformation(reference)).toBe(expected)
})
