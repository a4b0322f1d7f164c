import { describe, expect, it } from 'vitest'
import { exchangeWith } from '../../lib/conformance/exchange.fixture.ts'
import { findEventIds } from './event-id.ts'

describe('findEventIds', () => {
  it.each<[string, unknown, string | undefined, [id: string, place: string][]]>([
    ['an escaped name', { 'a/b~c': { id: 'e1' } }, undefined, [['e1', '/a~1b~0c/id']]],
    [
      'the segment after events in Location first',
      { id: 'e1' },
      '/v1/events/a%20b',
      [
        ['a b', 'Location'],
        ['e1', '/id'],
      ],
    ],
    ['nothing', { id: '', other: null }, undefined, []],
  ])('returns the value and its place: %s', (_, json, location, expected) => {
    const exchange = exchangeWith({ json, headers: location ? { location } : {} })
    expect(findEventIds(exchange, undefined).map(({ id, place }) => [id, place])).toEqual(expected)
  })

  it('returns all digits of a number', () => {
    const id = '7219038400000000001'
    const exchange = exchangeWith({ text: `{"data": {"id": ${id} }}` })
    expect(findEventIds(exchange)).toMatchObject([{ id, place: '/data/id' }])
    expect(findEventIds(exchange, '/data/id')).toMatchObject([{ id }])
  })

  it('returns at most ten candidates, and none that is too long for a path', () => {
    const many = Array.from({ length: 1000 }, (_, index) => [`event-${index}`, { id: `e${index}` }])
    const found = (json: unknown) => findEventIds(exchangeWith({ json }), undefined)
    expect(found(Object.fromEntries(many))).toHaveLength(10)
    expect(found({ id: 'e'.repeat(1001), uuid: 'e1' })).toMatchObject([{ id: 'e1' }])
  })
})
