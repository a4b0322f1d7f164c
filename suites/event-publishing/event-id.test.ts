import { describe, expect, it } from 'vitest'
import { exchangeWith } from '../../lib/conformance/exchange.fixture.ts'
import { findEventIds } from './event-id.ts'

describe('findEventIds', () => {
  it('returns the decoded segment after events in Location first, and escapes names', () => {
    const headers = { location: '/v1/events/a%20b' }
    const exchange = exchangeWith({ json: { id: 'e1', 'a/b': { id: 'e2' } }, headers })
    expect(findEventIds(exchange).map(({ id, place }) => [id, place])).toEqual([
      ['a b', 'Location'],
      ['e1', '/id'],
      ['e2', '/a~1b/id'],
    ])
  })

  it('returns at most ten candidates, and none that is too long for a path', () => {
    const many = Array.from({ length: 1000 }, (_, index) => [`event-${index}`, { id: `e${index}` }])
    const found = (json: unknown) => findEventIds(exchangeWith({ json }), undefined)
    expect(found(Object.fromEntries(many))).toHaveLength(10)
    expect(found({ id: 'e'.repeat(1001), uuid: 'e1' })).toMatchObject([{ id: 'e1' }])
  })
})
