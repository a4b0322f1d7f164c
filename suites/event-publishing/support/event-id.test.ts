import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../../lib/probe/exchange.ts'
import { findEventIds } from './event-id.ts'

function response(json: unknown, location?: string): Exchange {
  const headers = new Headers(location === undefined ? {} : { location })
  return { json, headers } as Exchange
}

describe('findEventIds', () => {
  it.each([
    [17, 'number'],
    ['17', 'digits'],
    ['a7', 'hexadecimal'],
    ['evt-1', 'text'],
    ['0b9c1c5e-8f5a-4a3c-9d55-3f7f2b3f1a10', 'uuid'],
  ])('tells of %s that it is %s', (id, form) => {
    expect(findEventIds(response({ id }), undefined)).toEqual([
      { id: String(id), place: '/id', form },
    ])
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
})
