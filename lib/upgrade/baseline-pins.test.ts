import { describe, expect, it } from 'vitest'
import { isSamePin, pinned } from './baseline-pins.ts'

const origins = new Set(['https://git.example.com'])
const pin = (value: unknown) => pinned(value, origins)

describe('pinned', () => {
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
    expect(pin(value)).toEqual(value)
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
    expect(pin(value)).toEqual(kept)
  })

  it('has the names of an object sorted, so that their order is no difference in the file', () => {
    const shape = { type: 'object', properties: { b: { type: 'string' }, a: { type: 'number' } } }
    expect(JSON.stringify(pin(shape))).toBe(
      '{"properties":{"a":{"type":"number"},"b":{"type":"string"}},"type":"object"}',
    )
  })

  it('takes as many different items as there are, however many', () => {
    const [text, number] = [{ type: 'string' }, { type: 'number' }]
    expect(pin({ type: 'array', items: [text, number, text] })).toEqual(
      pin({ type: 'array', items: [number, text] }),
    )
  })
})

describe('isSamePin', () => {
  const list = (items?: unknown) => ({ type: 'array', ...(items === undefined ? {} : { items }) })
  const object = (properties: object) => ({ type: 'object', properties })

  it.each<[boolean, string, unknown, unknown]>([
    [true, 'equal shapes', object({ a: { type: 'string' } }), object({ a: { type: 'string' } })],
    [true, 'an empty list', list(), list({ type: 'string' })],
    [
      true,
      'a list that is empty now',
      object({ a: list({ type: 'string' }) }),
      object({ a: list() }),
    ],
    [false, 'items of another type', list({ type: 'string' }), list({ type: 'number' })],
    [false, 'a property more', object({}), object({ a: { type: 'string' } })],
    [
      false,
      'a property of another type',
      object({ a: { type: 'string' } }),
      object({ a: { type: 'null' } }),
    ],
    [false, 'a list in place of an object', list(), object({})],
    [false, 'another status', 400, 422],
    [false, 'a status in words', 400, '400'],
    [false, 'a word more', ['a'], ['a', 'b']],
  ])('is %s for %s', (same, _name, one, other) => {
    expect(isSamePin(one, other)).toBe(same)
    expect(isSamePin(other, one)).toBe(same)
  })
})
