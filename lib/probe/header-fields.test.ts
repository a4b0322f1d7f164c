import { describe, expect, it } from 'vitest'
import { linksOf, withoutUserInformation } from './header-fields.ts'

const next = { target: '/a?page=2', relation: 'next' }
const last = { target: '/a?page=9', relation: 'last' }

describe('linksOf', () => {
  it.each([
    ['quoted relations', '</a?page=2>; rel="next", </a?page=9>; rel="last"'],
    ['spaces before separators', '</a?page=2> ; rel="next" , </a?page=9>\t;\trel=last\t,'],
    ['further parameters', '</a?page=2>; title="a, <b>; c"; rel=next, </a?page=9>; x=1; rel=last'],
    ['a parameter without a value', '</a?page=2>; rel=next; crossorigin, </a?page=9>; rel=last'],
    ['empty list elements', ', </a?page=2>; rel=next,, </a?page=9>; rel=last ,'],
    ['empty parameters', '</a?page=2>;; rel=next;, </a?page=9>; rel=last;'],
    ['a second rel, which does not count', '</a?page=2>; rel=next; rel=x, </a?page=9>; rel=last'],
    ['an extended parameter', "</a?page=2>; title*=UTF-8'en'%e2; rel=next, </a?page=9>; rel=last"],
    ['escapes', '</a?page=2>; rel="n\\ext", </a?page=9>; title="\\","; rel=last'],
  ])('accepts %s', (_, field) => {
    expect(linksOf(field).values).toEqual([next, last])
  })

  it.each(['rel="";rel=x', 'rel=" "; rel', 'rel'])(
    'returns a link without a relation for %s',
    (parameters) => {
      expect(linksOf(`<a>;${parameters}`).values).toEqual([{ target: 'a', relation: undefined }])
    },
  )
})

describe('a malformed field', () => {
  it.each([
    ['/a; rel=next', '/', 0],
    ['</a; rel=next', '<', 0],
    ['</a>; rel=next </b>; rel=last', '<', 15],
    ['</a>; rel=next, junk', 'j', 16],
  ])('%j is rejected with the location', (field, character, offset) => {
    const malformed = `unexpected ${JSON.stringify(character)} at offset ${offset}`
    expect(linksOf(field)).toEqual({ values: [], targets: new Map(), malformed })
  })
})

describe('withoutUserInformation', () => {
  it.each([
    ['https://maria:password@host/a', 'https://host/a'],
    ['https://maria@host:8443/a@b', 'https://host:8443/a@b'],
    ['https://a@b:c@host', 'https://host'],
    ['//maria:password@host/a', '//host/a'],
    ['https:\\\\maria:password@host/a', 'https:\\\\host/a'],
    ['https:///maria:password@host/a', 'https:///host/a'],
    ['https://maria:password@[/', 'https://[/'],
  ])('removes user information from %j', (reference, expected) => {
    expect(withoutUserInformation(reference)).toBe(expected)
  })

  it.each(['/a/@b', '/a//b@c', 'a@b', '?a=//b@c', 'https://host/a?b=c@d', 'mailto:a@b', ''])(
    'returns %j unchanged',
    (reference) => {
      expect(withoutUserInformation(reference)).toBe(reference)
    },
  )
})
