import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exchangeWith } from '../../lib/conformance/exchange.fixture.ts'
import { anyJson, anyText } from '../../lib/environment/arbitrary-text.fixture.ts'
import { findEventIds } from './event-id.ts'

/** Characters of a header field. */
const fields = anyText.map((text) => text.replace(/[^\x20-\x7e]/g, ''))

const names = fc.oneof(fc.constantFrom('id', 'eventId', 'event_id', 'uuid'), anyText)

const responses = fc.oneof(
  anyJson,
  fc.dictionary(names, fc.oneof(anyText, fc.nat(), fc.dictionary(names, anyText))),
)

/** RFC 6901, 4. */
function valueAt(json: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1)
  return names.reduce<unknown>((value, name) => {
    const member = name.replace(/~[01]/g, (pair) => (pair === '~1' ? '/' : '~'))
    return (value as Record<string, unknown>)[member]
  }, json)
}

describe('findEventIds', () => {
  it('returns the value at each reported place', () => {
    fc.assert(
      fc.property(responses, fields, (json, location) => {
        const text = JSON.stringify(json)
        const exchange = exchangeWith({ text, headers: { location } })
        for (const { id, place } of findEventIds(exchange, undefined)) {
          expect(id).not.toBe('')
          if (place === 'Location') continue
          expect(String(valueAt(json, place)), place).toBe(id)
          expect(findEventIds(exchange, place)).toMatchObject([{ id, place }])
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('returns the segment after events in Location first', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w.~ %é/-]{1,20}$/u), anyJson, (id, json) => {
        fc.pre(!/^\.{1,2}$/.test(id))
        const location = `https://x.test/events/v1/events/${encodeURIComponent(id)}`
        const exchange = exchangeWith({ json, headers: { location } })
        expect(findEventIds(exchange, undefined)[0]).toMatchObject({ id, place: 'Location' })
      }),
      { numRuns: 200 },
    )
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
