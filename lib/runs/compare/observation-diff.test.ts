import { describe, expect, it } from 'vitest'
import { differenceText, normalObservation, observationDiff, united } from './observation-diff.ts'

const origins = new Set(['https://git.example.com'])
const normal = (value: unknown) => normalObservation(value, origins)
const diff = (before: unknown, after: unknown) => observationDiff(normal(before), normal(after))

const object = (properties: object) => ({ type: 'object', properties })
const list = (items?: unknown) => ({ type: 'array', ...(items === undefined ? {} : { items }) })
const [string, number, none] = [{ type: 'string' }, { type: 'number' }, { type: 'null' }]
const uuid = '0b9c1c5e-8f5a-4a3c-9d55-3f7f2b3f1a10'

describe('a normal observation', () => {
  /** Names of members, and the name that each has in a normal observation. */
  const names = Object.entries({
    ...Object.fromEntries(['facade', 'deadbeef', 'created_at', 'sha256'].map((one) => [one, one])),
    ...{ '2026-11-20T18:52:51.551Z': '(a date)', [uuid]: '(a UUID)' },
    ...{ 17: '(an id)', '0b9c1c5e8f5a': '(an id)' },
  })
  it.each<[unknown, unknown]>([
    ...[422, false, 'text/html', 'https://docs.example.com', null].map(
      (value): [unknown, unknown] => [value, value],
    ),
    ['2026-02-03T02:59:10.000Z', '(a date)'],
    ['2026-02-03', '(a date)'],
    [uuid, '(a UUID)'],
    [17, '(a number)'],
    [
      { total: 200, status: 401 },
      { total: '(a number)', status: 401 },
    ],
    ['https://git.example.com', '(the origin of the base URL)'],
    // An id of hexadecimal digits may have no letter by chance.
    [
      { form: 'digits', place: '/id' },
      { form: 'hexadecimal', place: '/id' },
    ],
    [['b', 'a', 'b'], { a: 'listed', b: 'listed' }],
    [{ body: object({ 'a.b': string }) }, { body: 'object', 'body."a.b"': 'string' }],
    [list({ ...string, format: 'uuid' }), { '': 'array', '[]': 'string (uuid)' }],
    [list([string, none, number]), { '': 'array', '[]': ['number', 'string'] }],
    [object({ a: none }), { '': 'object', a: [] }],
    ...names.map(([name, kept]): [unknown, unknown] => [
      object({ [name]: string }),
      { '': 'object', [kept]: 'string' },
    ]),
  ])('of %j is %j', (value, kept) => {
    expect(normal(value)).toEqual(kept)
  })

  it('has names of one kind as one, with all that is under them, in whatever order', () => {
    const all = {
      '2026-11-20': object({ status: none }),
      '2026-11-21': object({ status: number }),
      '2026-11-22': object({ at: string }),
    }
    const reversed = Object.fromEntries(Object.entries(all).reverse())
    for (const days of [all, reversed]) {
      expect(normal(object(days))).toEqual({
        ...{ '': 'object', '(a date)': 'object' },
        ...{ '(a date).at': 'string', '(a date).status': 'number' },
      })
    }
  })

  it('may have any depth', () => {
    const deep = (end: number) => JSON.parse(`${'[['.repeat(20_000)}${end}${']]'.repeat(20_000)}`)
    expect(diff(deep(1), deep(2))).toEqual([])
  })
})

it('two observations say together what either says, so that a type is known once it was seen', () => {
  const empty = normal(object({ a: none, b: list(), c: object({}), d: string }))
  const full = normal(object({ a: string, b: list(number), c: object({ 17: string }), d: none }))
  const both = normal(object({ a: string, b: list(number), c: object({ 17: string }), d: string }))
  expect(observationDiff(empty, full)).toEqual([])
  expect(united(empty, full)).toEqual(both)
  expect(united(full, empty)).toEqual(both)
})

const dates = (names: object) => object({ a: object(names) })

it.each<[boolean, string, unknown, unknown]>([
  [true, 'equal shapes', object({ a: string }), object({ a: string })],
  [true, 'a list that is empty now', object({ a: list(string) }), object({ a: list() })],
  [false, 'items of one type more', list(string), list([number, string])],
  [false, 'a property more', object({}), object({ a: string })],
  [false, 'a property of another type', object({ a: string }), object({ a: number })],
  [true, 'null instead of a property', object({ a: string }), object({ a: none })],
  [true, 'null instead of an object', object({ a: object({ b: string }) }), object({ a: none })],
  [true, 'null instead of an item', list(string), list(none)],
  [false, 'null instead of a body', { body: object({}) }, { body: none }],
  [false, 'null instead of a word', { form: null }, { form: 'uuid' }],
  [false, 'null instead of nothing', object({}), object({ a: none })],
  [true, 'no dates yet', dates({ '2026-02-03': string }), dates({})],
  [false, 'a list instead of an object', list(), object({})],
])('two observations are the same: %s, for %s', (same, _name, one, other) => {
  expect([diff(one, other).length === 0, diff(other, one).length === 0]).toEqual([same, same])
})

it.each([
  ['statuses', 400, 422, ['400 → 422']],
  ['a switch', false, true, ['false → true']],
  ['a status and a record', 401, { body: list() }, ['401 → {"body":"array"}']],
  ['a list of words and a body', ['a'], list(string), ['{"a":"listed"} → array']],
  ['a part', { place: '/id', form: 'a' }, { place: '/id', form: 'b' }, ['form: a → b']],
  ['bodies', { body: list(string) }, { body: object({ a: number }) }, ['body: array → object']],
  ['members', object({}), object({ a: object({ b: string }) }), ['a added (object)']],
  ['parts', { a: false }, { b: null }, ['a removed (was false)', 'b added (null)']],
  ['lists', ['a', 'd', 'b'], ['c', 'b', 'a'], ['c added (listed)', 'd removed (was listed)']],
])('values differ in %s', (_name, before, after, expected) => {
  expect(diff(before, after).map(differenceText)).toEqual(expected)
})
