import { describe, expect, it } from 'vitest'
import { differenceText, normalObservation, observationDiff, united } from './observation-diff.ts'

const origins = new Set(['https://git.example.com'])
const normal = (value: unknown) => normalObservation(value, origins)

describe('a normal observation', () => {
  it.each<[string, unknown]>([
    ['a status', 422],
    ['yes and no', false],
    ['a word', 'none'],
    ['a media type', 'text/html'],
    ['an origin elsewhere', 'https://docs.example.com'],
    ['a place and a form', { form: 'uuid', place: '/id' }],
    ['a status and a shape', { body: { type: 'object' }, status: 401 }],
    ['nothing', null],
  ])('keeps %s', (_name, value) => {
    expect(normal(value)).toEqual(value)
  })

  it.each<[string, unknown, unknown]>([
    ['an instant', '2026-02-03T02:59:10.000Z', '(a date)'],
    ['a day', '2026-02-03', '(a date)'],
    ['a UUID', '0b9c1c5e-8f5a-4a3c-9d55-3f7f2b3f1a10', '(a UUID)'],
    ['a count', 17, '(a number)'],
    ['a count that looks like a status', { total: 200 }, { total: '(a number)' }],
    ['a fraction', 200.5, '(a number)'],
    ['the origin of the base URL', 'https://git.example.com', '(the origin of the base URL)'],
    [
      'digits, which an id in hexadecimal may have by chance',
      { form: 'digits' },
      { form: 'hexadecimal' },
    ],
    ['the order of words', ['read:user', 'read:repository'], ['read:repository', 'read:user']],
    ['how often', ['b', 'a', 'b'], ['a', 'b']],
  ])('does not keep %s', (_name, value, kept) => {
    expect(normal(value)).toEqual(kept)
  })
})

const object = (properties: object) => ({ type: 'object', properties })
const list = (items?: unknown) => ({ type: 'array', ...(items === undefined ? {} : { items }) })
const [string, number, none] = [{ type: 'string' }, { type: 'number' }, { type: 'null' }]

describe('names of properties', () => {
  it.each<[string, string]>([
    ['2026-11-20T18:52:51.551Z', '(a date)'],
    ['2026-11-20', '(a date)'],
    ['0b9c1c5e-8f5a-4a3c-9d55-3f7f2b3f1a10', '(a UUID)'],
    ['17', '(an id)'],
    ['0b9c1c5e8f5a', '(an id)'],
    ['https://git.example.com', '(the origin of the base URL)'],
  ])('such as %s are kept as %s', (name, kind) => {
    expect(normal(object({ [name]: string }))).toEqual(object({ [kind]: string }))
  })

  it.each(['facade', 'deadbeef', 'created_at', 'sha256', 'v1', '__proto__'])(
    'such as %s are kept',
    (name) => {
      const value = JSON.parse(`{"type":"object","properties":{"${name}":{"type":"string"}}}`)
      expect(JSON.stringify(normal(value))).toContain(`"${name}":{"type":"string"}`)
    },
  )

  it('of one kind are one, with all that is under them, in whatever order and number', () => {
    const [one, two, three] = [
      object({ status: none }),
      object({ status: number }),
      object({ at: string }),
    ]
    const all = { '2026-11-20': one, '2026-11-21': two, '2026-11-22': three }
    const kept = object({ '(a date)': object({ at: string, status: number }) })
    expect(normal(object(all))).toEqual(kept)
    expect(normal(object(Object.fromEntries(Object.entries(all).reverse())))).toEqual(kept)
    const mixed = object({ '(an id)': { anyOf: [number, string] } })
    expect(normal(object({ 1: string, 2: number, 3: string }))).toEqual(mixed)
    expect(normal(list([string, none, number]))).toEqual(list({ anyOf: [number, string] }))
  })
})

it('two observations say together what either says, so that a type is known once it was seen', () => {
  const empty = object({ a: none, b: list(), c: object({}), d: string })
  const full = object({ a: string, b: list(number), c: object({ '(an id)': string }), d: none })
  const both = object({ ...full.properties, d: string })
  expect(observationDiff(empty, full)).toEqual([])
  expect(united(empty, full)).toEqual(both)
  expect(united(full, empty)).toEqual(both)
})

it.each<[boolean, string, unknown, unknown]>([
  [true, 'equal shapes', object({ a: string }), object({ a: string })],
  [true, 'an empty list', list(), list(string)],
  [true, 'a list that is empty now', object({ a: list(string) }), object({ a: list() })],
  [false, 'items of another type', list(string), list(number)],
  [false, 'items of one type more', list(string), list({ anyOf: [number, string] })],
  [false, 'a property more', object({}), object({ a: string })],
  [false, 'a property of another type', object({ a: string }), object({ a: number })],
  [true, 'null in the place of a property', object({ a: string }), object({ a: none })],
  [true, 'null in the place of an item', list(string), list(none)],
  [false, 'null in the place of a body', { body: object({}) }, { body: none }],
  [false, 'null in the place of a word', { form: null }, { form: 'uuid' }],
  [false, 'null in the place of nothing', object({}), object({ a: none })],
  [
    true,
    'a collection by dates that is empty',
    object({ all: object({ '(a date)': string }) }),
    object({ all: object({}) }),
  ],
  [
    false,
    'a collection by ids that was one by dates',
    object({ '(a date)': string }),
    object({ '(an id)': string }),
  ],
  [false, 'a list in place of an object', list(), object({})],
  [false, 'another status', 400, 422],
  [false, 'a status in words', 400, '400'],
  [false, 'a word more', ['a'], ['a', 'b']],
])('two observations are the same: %s, for %s', (same, _name, one, other) => {
  expect(observationDiff(one, other).length === 0).toBe(same)
  expect(observationDiff(other, one).length === 0).toBe(same)
})

function texts(before: unknown, after: unknown): string[] {
  return observationDiff(before, after).map(differenceText)
}

describe('values in words', () => {
  it.each([
    ['statuses', 400, 422, ['400 → 422']],
    ['words', 'text/html', 'none', ['"text/html" → "none"']],
    ['a switch', false, true, ['false → true']],
    ['a part', { place: '/id', form: 'a' }, { place: '/id', form: 'b' }, ['form: "a" → "b"']],
    [
      'shapes',
      { body: list(string) },
      { body: object({ a: number }) },
      ['body: array of string → object with a'],
    ],
    ['parts that come and go', { a: 1 }, { b: null }, ['a removed (was 1)', 'b added (null)']],
    ['lists', ['a', 'd', 'b'], ['c', 'b', 'a'], ['item removed (was "d")', 'item added ("c")']],
    ['lists of records', [{ a: 1 }], [{ a: 2 }], ['[{"a":1}] → [{"a":2}]']],
    ['another kind', [1], 1, ['[1] → 1']],
  ])('differ in %s', (_name, before, after, expected) => {
    expect(texts(before, after)).toEqual(expected)
  })

  it('may be nested as deep as anybody likes', () => {
    const deep = (end: number) => JSON.parse(`${'[['.repeat(20_000)}${end}${']]'.repeat(20_000)}`)
    expect(texts(normal(deep(1)), normal(deep(2)))).toEqual([])
    expect(texts(normal(deep(1)), 2)).toEqual([expect.stringMatching(/^\[\[\[.* → 2$/)])
  })
})
