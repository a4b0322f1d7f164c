import { describe, expect, it } from 'vitest'
import { differenceText, normalObservation, observationDiff, united } from './observation-diff.ts'

const origins = new Set(['https://git.example.com'])
const normal = (value: unknown) => normalObservation(value, origins)

const object = (properties: object) => ({ type: 'object', properties })
const list = (items?: unknown) => ({ type: 'array', ...(items === undefined ? {} : { items }) })
const [string, number, none] = [{ type: 'string' }, { type: 'number' }, { type: 'null' }]
const uuid = '0b9c1c5e-8f5a-4a3c-9d55-3f7f2b3f1a10'

describe('a normal observation', () => {
  it.each<unknown>([
    422,
    false,
    'text/html',
    'https://docs.example.com',
    { form: 'uuid', place: '/id' },
    { body: { type: 'object' }, status: 401 },
    null,
    ...['facade', 'deadbeef', 'created_at', 'sha256'].map((name) => object({ [name]: string })),
    JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
  ])('keeps %j', (value) => {
    expect(normal(value)).toEqual(value)
    expect(JSON.stringify(normal(value))).toHaveLength(JSON.stringify(value).length)
  })

  it.each<[unknown, unknown]>([
    ['2026-02-03T02:59:10.000Z', '(a date)'],
    ['2026-02-03', '(a date)'],
    [uuid, '(a UUID)'],
    [17, '(a number)'],
    [{ total: 200 }, { total: '(a number)' }],
    ['https://git.example.com', '(the origin of the base URL)'],
    // An id of hexadecimal digits may have no letter by chance.
    [{ form: 'digits' }, { form: 'hexadecimal' }],
    [
      ['b', 'a', 'b'],
      ['a', 'b'],
    ],
    [object({ '2026-11-20T18:52:51.551Z': string }), object({ '(a date)': string })],
    [object({ [uuid]: string }), object({ '(a UUID)': string })],
    [object({ 17: string }), object({ '(an id)': string })],
    [object({ '0b9c1c5e8f5a': string }), object({ '(an id)': string })],
  ])('has of %j %j', (value, kept) => {
    expect(normal(value)).toEqual(kept)
  })

  it('has names of one kind as one, with all that is under them, in whatever order', () => {
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
  [true, 'a list that is empty now', object({ a: list(string) }), object({ a: list() })],
  [false, 'items of one type more', list(string), list({ anyOf: [number, string] })],
  [false, 'a property more', object({}), object({ a: string })],
  [false, 'a property of another type', object({ a: string }), object({ a: number })],
  [true, 'null in the place of a property', object({ a: string }), object({ a: none })],
  [true, 'null in the place of an item', list(string), list(none)],
  [false, 'null in the place of a body', { body: object({}) }, { body: none }],
  [false, 'null in the place of a word', { form: null }, { form: 'uuid' }],
  [false, 'null in the place of nothing', object({}), object({ a: none })],
  [true, 'no dates yet', object({ a: object({ '(a date)': string }) }), object({ a: object({}) })],
  [false, 'ids, not dates', object({ '(a date)': string }), object({ '(an id)': string })],
  [false, 'a list in place of an object', list(), object({})],
  [false, 'another status', 400, 422],
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
  ])('differ in %s', (_name, before, after, expected) => {
    expect(texts(before, after)).toEqual(expected)
  })

  it('may be nested as deep as anybody likes', () => {
    const deep = (end: number) => JSON.parse(`${'[['.repeat(20_000)}${end}${']]'.repeat(20_000)}`)
    expect(texts(normal(deep(1)), normal(deep(2)))).toEqual([])
    expect(texts(normal(deep(1)), 2)).toEqual([expect.stringMatching(/^\[\[\[.* → 2$/)])
  })
})
