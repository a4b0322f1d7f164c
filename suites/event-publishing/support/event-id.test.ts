import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { findEventIds } from './event-id.ts'

function response(json: unknown, location?: string): Exchange {
  const headers = new Headers(location === undefined ? {} : { location })
  return { json, headers } as Exchange
}

describe('findEventIds', () => {
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
    [
      'text in a field whose name a JSON Pointer escapes',
      { 'a/b~c': { id: 'evt-1' } },
      { id: 'evt-1', place: '/a~1b~0c/id', form: 'text' },
    ],
  ])('finds %s', (_, json, found) => {
    expect(findEventIds(response(json), undefined)).toEqual([found])
  })

  it('asks for few of many, and for none that is no part of a path', () => {
    const many = Array.from({ length: 1000 }, (_, index) => [`event-${index}`, { id: `e${index}` }])
    expect(findEventIds(response(Object.fromEntries(many)), undefined)).toHaveLength(10)
    expect(findEventIds(response({ id: 'e'.repeat(1001), uuid: 'e1' }), undefined)).toMatchObject([
      { id: 'e1' },
    ])
  })

  it('finds it at a pointer with signs that mean something elsewhere', () => {
    const json = { '#%41/': { '~': 'evt-1' } }
    expect(findEventIds(response(json), '/#%41~1/~0')).toMatchObject([{ id: 'evt-1' }])
    expect(findEventIds(response(json), '/#%/id')).toEqual([])
  })

  it.each([
    ['https://events.example/v1/events/evt-9', 'evt-9'],
    ['/v1/events/evt%2F9', 'evt/9'],
    ['/v1/events/evt-9/status', 'evt-9'],
  ])('finds it in Location %s', (location, id) => {
    const [first] = findEventIds(response({ id: 'other' }, location), undefined)
    expect(first).toMatchObject({ id, place: 'Location' })
  })

  it.each<[string, unknown, string | undefined, string[]]>([
    ['behind /events/ in Location', { eventId: 'a' }, '/v1/events/evt-9', ['evt-9', 'a']],
    ['under a name of its own', { id: 'req-1', event_id: 'a' }, undefined, ['a', 'req-1']],
    ['at the top', { event: { id: 'a' }, id: 'req-1' }, undefined, ['req-1', 'a']],
    ['in the body', { id: 'a' }, '/v1/deliveries/77', ['a', '77']],
    ['in the body', { id: 'a' }, 'evt-9', ['a', 'evt-9']],
  ])('takes what is %s for more likely', (_, json, location, ids) => {
    expect(findEventIds(response(json, location), undefined).map(({ id }) => id)).toEqual(ids)
  })

  it('looks at the JSON Pointer alone where there is one', () => {
    const json = { id: 'other', items: [{ 'a/b': { ref: 'evt-3' } }] }

    const found = findEventIds(response(json, '/v1/events/x'), '/items/0/a~1b/ref')
    expect(found.map(({ id }) => id)).toEqual(['evt-3'])
    expect(findEventIds(response(json, '/v1/events/x'), '/items/1')).toEqual([])
    expect(findEventIds(response(undefined), '/id')).toEqual([])
  })

  it.each([
    ['no body', undefined],
    ['text', 'accepted'],
    ['a list', [{ id: 'a' }]],
    ['two levels', { data: { event: { id: 'a' } } }],
    ['an empty id', { id: '' }],
    ['something else under the name', { id: { of: 'what' } }],
  ])('finds nothing in %s', (_, json) => {
    expect(findEventIds(response(json), undefined)).toEqual([])
  })
})
