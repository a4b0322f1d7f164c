import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { withParts } from './exchange.ts'
import { KeptBodies, KeptBodiesError, parseJson } from './kept-bodies.ts'

function bodyOf(length: number): Buffer {
  return Buffer.from(JSON.stringify({ text: 'é'.repeat(length / 2) }))
}

describe('a body that is kept', () => {
  it.each([10, 300_000])('is read as often as one likes, with %d bytes', (length) => {
    const body = bodyOf(length)
    const kept = new KeptBodies().keep(body)
    for (const read of [kept, kept, withParts(kept, { id: 'e1' })]) {
      expect(read.text).toBe(body.toString())
      expect(read.json).toEqual(JSON.parse(body.toString()))
    }
  })

  it('is unpacked anew when it is large and others were read, also for an object with more parts', () => {
    const bodies = new KeptBodies()
    const [one, other] = [300_000, 300_002].map((length) => bodies.keep(bodyOf(length)))
    const exchange = withParts(one as NonNullable<typeof one>, { id: 'e1' })
    const { json } = exchange
    expect(exchange.json).toBe(json)
    expect(other?.json).not.toEqual(json)
    expect(exchange.json).not.toBe(json)
    expect(exchange.json).toEqual(json)
    expect(Object.keys(exchange).sort()).toEqual(['id', 'json', 'text'])
  })

  it('is refused when there is no room left, and small ones are not', () => {
    const bodies = new KeptBodies()
    const noise = () => Buffer.from(randomBytes(3_000_000).toString('base64'))
    const fill = () => {
      for (let count = 0; count < 10; count += 1) bodies.keep(noise())
    }
    expect(fill).toThrow(KeptBodiesError)
    expect(fill).toThrow(/32 MiB, 16 MiB compressed/)
    expect(bodies.isFull).toBe(true)
    expect(bodies.keep(bodyOf(10)).text).not.toBe('')
  })
})

describe('parseJson', () => {
  it.each([
    ['list', '[', '1,', '1]'],
    ['object', '{', '"a":1,', '"b":1}'],
  ])('refuses a %s of more elements than any has', (_, opening, one, last) => {
    const text = (count: number) => `[[1,2],${opening}${one.repeat(count - 1)}${last},[3]]`
    expect(() => parseJson(text(20_001))).toThrow(
      'a list or an object of more than 20000 elements, too many to be read',
    )
    expect(parseJson(text(20_000))).toHaveLength(3)
  })

  it('refuses what is nested deeper than any record, and not what is no JSON', () => {
    expect(() => parseJson(`${'['.repeat(101)}${']'.repeat(101)}`)).toThrow(/101 levels deep/)
    expect(parseJson('{'.repeat(101))).toBeUndefined()
  })
})
