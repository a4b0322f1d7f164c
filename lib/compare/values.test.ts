import { describe, expect, it } from 'vitest'
import { differenceText, pruned, valueDifferences } from './values.ts'

const string = { type: 'string' }
const number = { type: 'number' }

function object(properties: object): object {
  return { type: 'object', properties }
}

function texts(before: unknown, after: unknown): string[] {
  return valueDifferences(pruned(before), pruned(after)).map(differenceText)
}

describe('values', () => {
  it.each([
    ['statuses', 400, 422, ['400 → 422']],
    ['words', 'text/html', 'none', ['"text/html" → "none"']],
    ['a switch', false, true, ['false → true']],
    [
      'a part',
      { place: '/id', form: 'text' },
      { place: '/id', form: 'UUID' },
      ['form: "text" → "UUID"'],
    ],
    ['parts that come and go', { a: 1 }, { b: null }, ['a removed (was 1)', 'b added (null)']],
    ['lists', ['a', 'b', 'b'], ['c', 'b', 'a'], ['item removed (was "b")', 'item added ("c")']],
    ['lists of records', [{ a: 1 }], [{ a: 2 }], ['[{"a":1}] → [{"a":2}]']],
    ['another kind', [1], 1, ['[1] → 1']],
  ])('differ in %s', (_name, before, after, expected) => {
    expect(texts(before, after)).toEqual(expected)
  })

  it.each([
    ['the order of a list', ['a', 'b'], ['b', 'a']],
    ['the order of properties', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ])('do not differ in %s', (_name, before, after) => {
    expect(texts(before, after)).toEqual([])
  })

  it('are cut where they are long', () => {
    const [text = ''] = texts('a'.repeat(5000), 'b')
    expect(text.length).toBeLessThan(200)
  })

  it('that are cut to the same text are still told apart', () => {
    expect(texts([['a'.repeat(5000)], 1], [['a'.repeat(5000)], 2])).toEqual([
      expect.stringMatching(/ → .*, in another form$/),
    ])
  })

  it('may be nested as deep as anybody likes', () => {
    const deep = (end: number) => JSON.parse(`${'[['.repeat(20_000)}${end}${']]'.repeat(20_000)}`)
    expect(texts(deep(1), deep(2))).toEqual([])
    expect(texts(deep(1), 2)).toEqual([expect.stringMatching(/^\[\[\[.* → 2$/)])
  })

  it('may have any names', () => {
    const before = JSON.parse('{"__proto__": 1, "constructor": 2}')
    expect(texts(before, {})).toEqual(['__proto__ removed (was 1)', 'constructor removed (was 2)'])
    expect(texts({ 'a.b': 1 }, { 'a.b': 2 })).toEqual(['"a.b": 1 → 2'])
  })
})

describe('shapes of bodies', () => {
  it.each([
    ['a property that is new', object({}), object({ id: number }), ['id added (number)']],
    ['one that is gone', object({ id: number }), object({}), ['id removed (was number)']],
    ['a type', object({ id: number }), object({ id: string }), ['id: number → string']],
    [
      'a format',
      object({ at: { type: 'string', format: 'date-time' } }),
      object({ at: string }),
      ['at: string (date-time) → string'],
    ],
    [
      'something deep inside',
      {
        status: 200,
        body: object({ owner: object({ logins: { type: 'array', items: string } }) }),
      },
      {
        status: 200,
        body: object({ owner: object({ logins: { type: 'array', items: number } }) }),
      },
      ['body.owner.logins[]: string → number'],
    ],
    [
      'a body that is none any more',
      { body: object({ error: string, code: number }) },
      { body: 'text/html' },
      ['body: object with error, code → "text/html"'],
    ],
    [
      'items of several types',
      { type: 'array', items: [string, number] },
      { type: 'array', items: string },
      ['array of string and number → array of string'],
    ],
    [
      'a property that is an object',
      object({}),
      object({ user: object({ id: number, login: string }) }),
      ['user added (object with id, login)'],
    ],
  ])('differ in %s', (_name, before, after, expected) => {
    expect(texts(before, after)).toEqual(expected)
  })

  it('do not differ by null in a place of them, but by null as a whole', () => {
    const none = { type: 'null' }
    expect(texts(object({ at: none }), object({ at: string }))).toEqual([])
    expect(texts({ type: 'array', items: object({}) }, { type: 'array', items: none })).toEqual([])
    expect(texts(object({ at: none }), object({}))).toEqual(['at removed (was null)'])
    expect(texts(object({}), none)).toEqual(['object → null'])
    expect(texts(object({ at: object({}) }), object({ at: { type: 'array' } }))).toEqual([
      'at: object → array',
    ])
  })

  it('do not differ by a list that was empty', () => {
    const list = { type: 'array', items: object({ id: number }) }
    expect(texts(object({ all: { type: 'array' } }), object({ all: list }))).toEqual([])
  })
})
