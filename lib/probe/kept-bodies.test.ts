import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { withParts } from './exchange.ts'
import { KeptBodies, KeptBodiesError } from './kept-bodies.ts'

function bodyOf(length: number): Buffer {
  return Buffer.from(JSON.stringify({ text: 'é'.repeat(length / 2) }))
}

describe('a body that is kept', () => {
  it.each([10, 300_000])('is read as often as one likes, with %d bytes', (length) => {
    const body = bodyOf(length)
    const { content, kept } = new KeptBodies().keep(body)
    for (const read of [content, kept, kept, withParts(kept, { id: 'e1' })]) {
      expect(read.text).toBe(body.toString())
      expect(read.json).toEqual(JSON.parse(body.toString()))
    }
  })

  it('is unpacked anew when it is large, also for an object that has more parts', () => {
    const { kept } = new KeptBodies().keep(bodyOf(300_000))
    const exchange = withParts(kept, { id: 'e1' })
    expect(exchange.json).not.toBe(exchange.json)
    expect(Object.keys(exchange).sort()).toEqual(['id', 'json', 'text'])
  })

  it.each([10, 300_000])('may be no JSON, with %d bytes', (length) => {
    const { kept } = new KeptBodies().keep(Buffer.alloc(length, '<'))
    expect(kept.json).toBeUndefined()
    expect(kept.text).toHaveLength(length)
  })

  it('is refused when there is no room left, and small ones are not', () => {
    const bodies = new KeptBodies()
    const noise = () => Buffer.from(randomBytes(3_000_000).toString('base64'))
    const fill = () => {
      for (let count = 0; count < 10; count += 1) bodies.keep(noise())
    }
    expect(fill).toThrow(KeptBodiesError)
    expect(fill).toThrow(/256 MiB, 16 MiB compressed/)
    expect(bodies.keep(bodyOf(10)).content.text).not.toBe('')
  })
})
