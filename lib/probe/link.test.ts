import { describe, expect, it } from 'vitest'
import { linkTargets, parseLink } from './link.ts'

const next = { target: '/a?page=2', relation: 'next' }
const last = { target: '/a?page=9', relation: 'last' }

describe('parseLink', () => {
  it.each([
    ['quoted relations', '</a?page=2>; rel="next", </a?page=9>; rel="last"'],
    ['relations without quotes', '</a?page=2>; rel=next, </a?page=9>; rel=last'],
    ['no space at all', '</a?page=2>;rel="next",</a?page=9>;rel=last'],
    ['spaces before separators', '</a?page=2> ; rel="next" , </a?page=9>\t;\trel=last\t,'],
    ['spaces around the equals sign', '</a?page=2>; rel = "next", </a?page=9>; rel =last'],
    ['other cases', '</a?page=2>; REL="Next", </a?page=9>; Rel=LAST'],
    ['further parameters', '</a?page=2>; title="a, <b>; c"; rel=next, </a?page=9>; x=1; rel=last'],
    ['a parameter without a value', '</a?page=2>; rel=next; crossorigin, </a?page=9>; rel=last'],
    ['empty list elements', ', </a?page=2>; rel=next,, </a?page=9>; rel=last ,'],
    ['empty parameters', '</a?page=2>;; rel=next;, </a?page=9>; rel=last;'],
    ['a second rel, which does not count', '</a?page=2>; rel=next; rel=x, </a?page=9>; rel=last'],
    ['parameters named as properties are', '</a?page=2>; uri=x; rel=next, </a?page=9>; rel=last'],
    ['an extended parameter', "</a?page=2>; title*=UTF-8'en'%e2; rel=next, </a?page=9>; rel=last"],
    ['escapes', '</a?page=2>; rel="n\\ext", </a?page=9>; title="\\","; rel=last'],
  ])('takes %s', (_, field) => {
    expect(parseLink(field)).toEqual([next, last])
  })

  it.each(['rel="";rel=""', 'rel="";rel=x', 'rel=" "; rel', 'rel'])(
    'takes a link without a relation for what it is: %s',
    (parameters) => {
      expect(parseLink(`<a>;${parameters}`)).toEqual([{ target: 'a', relation: undefined }])
    },
  )

  it('gives a value for each of several relations', () => {
    expect(parseLink('<?page=9>; rel="next  last"')).toEqual([
      { target: '?page=9', relation: 'next' },
      { target: '?page=9', relation: 'last' },
    ])
  })

  it.each(['?page=2', '../x', '//other.test/a', 'https://other.test/a,b;c', '', 'http://['])(
    'leaves the target %j as it is',
    (target) => {
      expect(parseLink(`<${target}>; rel=next`)).toEqual([{ target, relation: 'next' }])
    },
  )

  it.each(['</a>', '</a>; title=next', '</a>; rel=""', '</a>; rel'])(
    'finds no relation in %j',
    (field) => {
      expect(parseLink(field)).toEqual([{ target: '/a', relation: undefined }])
    },
  )

  it('finds nothing in an empty field', () => {
    expect(parseLink('')).toEqual([])
  })
})

describe('a malformed field', () => {
  it.each([
    ['/a; rel=next', '/', 0],
    ['</a; rel=next', '<', 0],
    ['</a>; rel="next', '=', 9],
    ['</a> rel=next', 'r', 5],
    ['</a>; rel=next last', 'l', 15],
    ['</a>; rel="next"x', 'x', 16],
    ['</a>; rel=next </b>; rel=last', '<', 15],
    ['</a>; rel=next, junk', 'j', 16],
  ])('%j is refused with the place', (field, character, offset) => {
    expect(() => parseLink(field)).toThrow(
      new Error(`unexpected ${JSON.stringify(character)} at offset ${offset}`),
    )
  })

  it('has no targets', () => {
    expect(linkTargets('</a>; rel=next, junk')).toEqual(new Map())
  })
})

describe('linkTargets', () => {
  it('maps relations to targets, the first of each', () => {
    const targets = linkTargets('<a>; rel=next, <b>; rel="last next", <c>; title=x')
    expect([...targets]).toEqual([
      ['next', 'a'],
      ['last', 'b'],
    ])
  })

  it('has none for an absent field', () => {
    expect(linkTargets(null).size).toBe(0)
  })
})

describe('a field of a megabyte', () => {
  const length = 1024 * 1024
  const of = (unit: string) => unit.repeat(length / unit.length)

  it.each([
    ['spaces', `</a>${of(' ')}x`],
    ['spaces behind a name', `</a>; a${of(' ')}"`],
    ['opening brackets', of('<')],
    ['an open quote', `</a>; rel="${of('a')}`],
    ['an open quote of escapes', `</a>; rel="${of('\\"')}`],
    ['semicolons', `</a>${of(';a')}>`],
    ['commas', `${of(', ')}x`],
  ])('of %s is refused in linear time', (_, field) => {
    const started = performance.now()
    expect(linkTargets(field).size).toBe(0)
    // Quadratic time would be minutes.
    expect(performance.now() - started).toBeLessThan(3000)
  })

  it('of links is read', () => {
    const links = Array.from({ length: 20_000 }, (_, index) => `</${index}>; rel=r${index}`)
    expect(linkTargets(links.join(', ')).size).toBe(20_000)
  })
})
