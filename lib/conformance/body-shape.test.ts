import { describe, expect, it } from 'vitest'
import type { Exchange } from '../probe/exchange.ts'
import { bodyShape } from './body-shape.ts'

function response(json: unknown, text = JSON.stringify(json)): Exchange {
  const headers = new Headers({ 'content-type': 'text/plain; charset=utf-8' })
  return { json, text, headers, status: 200 } as Exchange
}

describe('bodyShape', () => {
  it('is not told member by member where there is no end of them', () => {
    const members = Array.from({ length: 10_000 }, (_, index) => [`member-${index}`, 1])
    expect(bodyShape(response(Object.fromEntries(members)))).toBe('more than 64 kB of JSON')
  })

  it('has names, types and formats, and no value', () => {
    const shape = bodyShape(
      response({
        id: '0b9c1c5e-8f5a-4a3c-9d55-3f7f2b3f1a10',
        at: '2026-04-01T00:00:00Z',
        count: 3,
        ok: true,
        nothing: null,
        note: 'a-private-note',
        nested: { list: [{ url: 'https://private.example/x' }] },
      }),
    )

    expect(shape).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string', format: 'uuid' },
        at: { type: 'string', format: 'date-time' },
        count: { type: 'number' },
        ok: { type: 'boolean' },
        nothing: { type: 'null' },
        note: { type: 'string' },
        nested: {
          type: 'object',
          properties: {
            list: {
              type: 'array',
              items: { type: 'object', properties: { url: { type: 'string', format: 'uri' } } },
            },
          },
        },
      },
    })
    expect(JSON.stringify(shape)).not.toContain('private')
  })
})
