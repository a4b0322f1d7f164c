import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { BodyStore, leastElements, parseJson } from './body-store.ts'
import { withParts } from './exchange.ts'
import { UnreadableError } from './transport-error.ts'

function bodyOf(length: number): Buffer {
  return Buffer.from(JSON.stringify({ text: 'é'.repeat(length / 2) }))
}

describe('a kept body', () => {
  it.each([10, 300_000])('can be read repeatedly, with %d bytes', (length) => {
    const body = bodyOf(length)
    const kept = new BodyStore().keep(body)
    for (const read of [kept, kept, withParts(kept, { id: 'e1' })]) {
      expect(read.text).toBe(body.toString())
      expect(read.json).toEqual(JSON.parse(body.toString()))
    }
  })

  it('is inflated again if it is large and others were read, also in a copy with more parts', () => {
    const bodies = new BodyStore()
    const [one, other] = [300_000, 300_002].map((length) => bodies.keep(bodyOf(length)))
    const exchange = withParts(one as NonNullable<typeof one>, { id: 'e1' })
    const { json } = exchange
    expect(exchange.json).toBe(json)
    expect(other?.json).not.toEqual(json)
    expect(exchange.json).not.toBe(json)
    expect(exchange.json).toEqual(json)
    expect(Object.keys(exchange).sort()).toEqual(['id', 'json', 'text'])
  })

  it('is rejected if the store is full, unlike small ones', () => {
    const bodies = new BodyStore()
    const noise = () => Buffer.from(randomBytes(3_000_000).toString('base64'))
    const fill = () => {
      for (let count = 0; count < 10; count += 1) bodies.keep(noise())
    }
    expect(fill).toThrow(UnreadableError)
    expect(fill).toThrow(/32 MiB, 16 MiB compressed/)
    expect(bodies.isFull).toBe(true)
    expect(bodies.keep(bodyOf(10)).text).not.toBe('')
  })
})

describe('leastElements', () => {
  it.each([
    ['records', '[{"a":[1,2],"b":"],"},{"c":{}}, 3', 2],
    ['lists', ' [[1,2],[3],"\\\\",', 3],
    ['many numbers', `[${'1,'.repeat(30_000)}`, 20_000],
    ['many values', `[${'[1,2,3,4,5,6,7,8],'.repeat(30_000)}`, 20_000],
    ['very many values', `[${`[${'1,'.repeat(99)}1],`.repeat(3000)}`, 1980],
    ['one element', '[{"a":1}', 0],
    ['no element', '[1,,2', 0],
    ['no JSON', '[one,two,', 0],
    ['an object', '{"a":[1,2,3', 0],
    ['a text', '"[1,2,3', 0],
    ['nothing', '', 0],
  ])('returns the minimum number of elements with %s: %#', (_, text, minimum) => {
    expect(leastElements(text)).toBe(minimum)
  })
})

describe('parseJson', () => {
  it.each([
    ['list', '[', '1,', '1]'],
    ['object', '{', '"a":1,', '"b":1}'],
  ])('rejects a %s with too many elements', (_, opening, one, last) => {
    const text = (count: number) => `[[1,2],${opening}${one.repeat(count - 1)}${last},[3]]`
    expect(() => parseJson(text(20_001))).toThrow(UnreadableError)
    expect(parseJson(text(20_000))).toHaveLength(3)
  })

  it('rejects JSON that is nested too deeply, and returns undefined for other texts', () => {
    expect(() => parseJson(`${'['.repeat(101)}${']'.repeat(101)}`)).toThrow(/101 levels deep/)
    expect(parseJson('{'.repeat(101))).toBeUndefined()
  })
})
