import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textOf } from '../environment/arbitrary-text.fixture.ts'
import { linksOf, parseWarning, withoutUserInformation } from './header-fields.ts'

const fields = fc.oneof(
  textOf('<', '>', ';', ',', '"', '\\', '=', ' ', '\t', 'rel', 'REL', 'next', 'x'),
  textOf('<a>', ';rel=', ';rel', ';', '""', '" "', '"x y"', 'x', ',', '=', ' ', '"\\""'),
  textOf(';rel=""', ';rel=x', ';rel', ';x=""', ';x', ',<b>', '').map((text) => `<a>${text}`),
)

const spaces = textOf(' ', '\t').map((text) => text.slice(0, 2))
const token = fc.stringMatching(/^[a-z][a-z0-9.-]{0,6}$/)
const quoted = fc
  .string({ maxLength: 8 })
  .map((text) => `"${text.replace(/["\\]/g, '\\$&').replace(/[^ -~]/g, '')}"`)
const parameter = fc
  .tuple(token, fc.option(fc.oneof(token, quoted)))
  .filter(([name]) => name !== 'rel')
  .map(([name, value]) => (value === null ? name : `${name}=${value}`))

const link = fc.record({
  target: fc.string({ maxLength: 12 }).map((text) => text.replace(/[^!-=?-~]/g, '')),
  relations: fc.uniqueArray(token, { minLength: 1, maxLength: 3 }),
  before: fc.array(parameter, { maxLength: 2 }),
  after: fc.array(parameter, { maxLength: 2 }),
  again: fc.array(token, { maxLength: 1 }),
  upperCase: fc.boolean(),
  spaces: fc.array(spaces, { minLength: 3, maxLength: 3 }),
})

/** Formats a link as a server may write it. */
function formatLink(value: typeof link extends fc.Arbitrary<infer Link> ? Link : never): string {
  const { target, relations, before, after, again, upperCase, spaces } = value
  const [one = '', other = '', third = ''] = spaces
  const all = relations.join(` ${third}`)
  const parameters = [
    ...before,
    `rel=${relations.length === 1 ? all : `"${other}${all}${one}"`}`,
    ...after,
    ...again.map((relation) => `rel=${relation}`),
  ]
  const text = parameters.map((each) => `${one};${other}${each}`).join('')
  return `${third}<${target}>${upperCase ? text.replaceAll('rel=', 'REL=') : text}${one}`
}

describe('linksOf', () => {
  it('returns links or an error for any text', () => {
    fc.assert(
      fc.property(fields, (field) => {
        const { values, targets, malformed } = linksOf(field)
        expect(values.length).toBeGreaterThanOrEqual(targets.size)
        if (malformed === undefined) return
        expect(malformed).toMatch(/^unexpected ".{0,6}" at offset \d+$/s)
        expect(values).toEqual([])
      }),
      { numRuns: 2000 },
    )
  })

  it('returns links as they were written', () => {
    fc.assert(
      fc.property(fc.array(link, { maxLength: 4 }), (links) => {
        const field = links.map(formatLink).join(',')
        expect(linksOf(field).values).toEqual(
          links.flatMap(({ target, relations }) =>
            relations.map((relation) => ({ target, relation })),
          ),
        )
        for (const { relations } of links) {
          for (const relation of relations) {
            const first = links.find((other) => other.relations.includes(relation))
            expect(linksOf(field).targets.get(relation)).toBe(first?.target)
          }
        }
      }),
      { numRuns: 500 },
    )
  })
})

const agent = fc.stringMatching(/^[a-z][a-z0-9.:-]{0,8}$/)
const warning = fc.record({
  code: fc.integer({ min: 100, max: 999 }),
  agent,
  text: textOf('a', ' ', '"', '\\', ',', '299 x "', 'é', ';'),
})

function quotedText(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

describe('parseWarning', () => {
  it('returns the values before a malformed one', () => {
    const any = textOf('299', '"', '\\', ' ', ',', '-', 'a "b"', '1', '\t', '\n', '😀')
    fc.assert(
      fc.property(any, warning, (field, { code, agent, text }) => {
        for (const value of parseWarning(field)) expect(value.code).toBeGreaterThanOrEqual(0)
        const [first] = parseWarning(`${code} ${agent} ${quotedText(text)}, ${field}`)
        expect(first).toEqual({ code, text })
      }),
      { numRuns: 1000 },
    )
  })
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
