import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../probe/exchange.ts'
import { findEventId } from './event-id.ts'

function response(json: unknown, location?: string): Exchange {
  const headers = new Headers(location === undefined ? {} : { location })
  return { json, headers } as Exchange
}

describe('findEventId', () => {
  it.each([
    ['id', { id: 'a7' }, { id: 'a7', place: '/id', form: 'hexadecimal' }],
    ['eventId', { eventId: 'evt-1' }, { id: 'evt-1', place: '/eventId', form: 'text' }],
    ['a number', { id: 17 }, { id: '17', place: '/id', form: 'number' }],
    ['digits', { id: '17' }, { id: '17', place: '/id', form: 'digits' }],
    [
      'a UUID, one level deep',
      { data: { id: '0b9c1c5e-8f5a-4a3c-9d55-3f7f2b3f1a10' } },
      { id: '0b9c1c5e-8f5a-4a3c-9d55-3f7f2b3f1a10', place: '/data/id', form: 'uuid' },
    ],
  ])('finds %s', (_, json, found) => {
    expect(findEventId(response(json), undefined)).toEqual(found)
  })

  it.each([
    ['https://events.example/v1/events/evt-9', 'evt-9'],
    ['/v1/events/evt%2F9', 'evt/9'],
    ['/v1/events/evt-9/status', 'evt-9'],
    ['evt-9', 'evt-9'],
  ])('finds it in Location %s', (location, id) => {
    expect(findEventId(response({ id: 'other' }, location), undefined)).toMatchObject({
      id,
      place: 'Location',
    })
  })

  it('looks at the JSON Pointer alone where there is one', () => {
    const json = { id: 'other', items: [{ 'a/b': { ref: 'evt-3' } }] }

    expect(findEventId(response(json, '/v1/events/x'), '/items/0/a~1b/ref')?.id).toBe('evt-3')
    expect(findEventId(response(json, '/v1/events/x'), '/items/1')).toBeUndefined()
    expect(findEventId(response(undefined), '/id')).toBeUndefined()
  })

  it.each([
    ['no body', undefined],
    ['text', 'accepted'],
    ['a list', [{ id: 'a' }]],
    ['two levels', { data: { event: { id: 'a' } } }],
    ['an empty id', { id: '' }],
    ['something else under the name', { id: { of: 'what' } }],
  ])('finds nothing in %s', (_, json) => {
    expect(findEventId(response(json), undefined)).toBeUndefined()
  })
})
