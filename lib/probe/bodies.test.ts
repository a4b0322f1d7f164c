import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { BodyStore, decodeContent, minLengthOf, parseJson } from './bodies.ts'
import { closeAll, startProbe, startServer } from './server.fixture.ts'
import { UnreadableError } from './transport-error.ts'

afterEach(closeAll)

const MEBIBYTE = 1024 * 1024

describe('large bodies of a run', () => {
  it('do not delay others if a body never ends', async () => {
    const { url } = await startServer((request, response) => {
      response.write(Buffer.alloc(2 * MEBIBYTE, 'a'))
      if (request.url !== '/endless') response.end()
    })
    const probe = startProbe({ retries: 0, timeoutMs: 1500, maxBodyBytes: 4 * MEBIBYTE })
    const endless = probe.ask(new URL('/endless', url))
    await expect(endless).rejects.toThrow(/PROBE_TIMEOUT_MS/)
    expect((await probe.ask(url)).text).toHaveLength(2 * MEBIBYTE)
  })

  it('are not read when the store is full, unlike small ones', async () => {
    const { url, connections } = await startServer((request, response) => {
      if (request.url === '/small') return void response.end('{}')
      if (request.url === '/encoded') {
        return void response.setHeader('Content-Encoding', 'gzip').end(gzipSync('{}'))
      }
      response.end(Buffer.alloc(9 * MEBIBYTE, 'a'))
    })
    const probe = startProbe({ concurrency: 1, retries: 2, maxBodyBytes: 10 * MEBIBYTE })
    for (let count = 0; count < 3; count += 1) await probe.ask(url)
    expect(connections()).toBe(1)
    for (let count = 0; count < 5; count += 1) {
      await expect(probe.ask(url)).rejects.toThrow(/32 MiB, 16 MiB compressed/)
    }
    expect(probe.records).toHaveLength(8)
    for (const path of ['/small', '/encoded']) {
      expect((await probe.ask(new URL(path, url))).json).toEqual({})
    }
    // Each unread body closes its connection. The store was not yet full for the first of the five.
    expect(connections()).toBeGreaterThan(4)
  })

  it('are recorded as prefixes if there are many', async () => {
    const { url } = await startServer((_, response) => response.end('a'.repeat(100 * 1024)))
    const probe = startProbe({ concurrency: 1 })
    for (let count = 0; count < 67; count += 1) await probe.ask(url)
    const lengths = probe.records.map(({ response }) => response?.body?.length)
    expect(lengths.slice(0, 63)).toEqual(Array(63).fill(64_000))
    expect(lengths.slice(63)).toEqual(Array(4).fill(4000))
    expect(probe.records.at(-1)?.response).toMatchObject({ bodyBytes: 102_400, bodyKept: 4000 })
  })
})

const LIMIT = 10_000

describe('decodeContent', () => {
  const text = Buffer.from('plumbline '.repeat(20))

  it.each<[string, Buffer]>([
    ['X-GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    // Without a zlib header.
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['gzip ,br,deflate', deflateSync(brotliCompressSync(gzipSync(text)))],
    ['unknown, gzip', gzipSync(text)],
    [`${'identity,'.repeat(7)}gzip`, gzipSync(text)],
    ['unknown', text],
  ])('decodes %s, the last coding first', async (field, bytes) => {
    expect(await decodeContent(bytes, field, LIMIT)).toEqual(text)
  })

  it.each([
    ['gzip', gzipSync(Buffer.alloc(LIMIT + 1))],
    ['br', gzipSync(text)],
    ['deflate', text],
    [`${'identity,'.repeat(8)}gzip`, gzipSync(text)],
    ['gzip', gzipSync(text).subarray(0, 20)],
  ])('throws UnreadableError for invalid or too much content: %s', async (field, bytes) => {
    await expect(decodeContent(bytes, field, LIMIT)).rejects.toThrow(UnreadableError)
  })
})

function bodyOf(length: number): Buffer {
  return Buffer.from(JSON.stringify({ text: 'é'.repeat(length / 2) }))
}

describe('a kept body', () => {
  it.each([10, 300_000])('can be read repeatedly, with %d bytes', (length) => {
    const body = bodyOf(length)
    const kept = new BodyStore().keep(body)
    for (const read of [kept, kept]) {
      expect(read.text).toBe(body.toString())
      expect(read.json).toEqual(JSON.parse(body.toString()))
    }
  })

  it('is inflated again if it is large and others were read, also with further parts', () => {
    const bodies = new BodyStore()
    const [one, other] = [300_000, 300_002].map((length) => bodies.keep(bodyOf(length)))
    const exchange = Object.assign(one as NonNullable<typeof one>, { id: 'e1' })
    const { json } = exchange
    expect(exchange.json).toBe(json)
    expect(other?.json).not.toEqual(json)
    expect(exchange.json).not.toBe(json)
    expect(exchange.json).toEqual(json)
    expect(Object.keys(exchange).sort()).toEqual(['id', 'json', 'text'])
  })
})

it.each([
  ['records', '[{"a":[1,2],"b":"],"},{"c":{}}, 3', 2],
  ['lists', ' [[1,2],[3],"\\\\",', 3],
  ['many numbers', `[${'1,'.repeat(30_000)}`, 20_000],
  ['very many values', `[${`[${'1,'.repeat(99)}1],`.repeat(3000)}`, 1980],
  ['one element', '[{"a":1}', 0],
  ['no element', '[1,,2', 0],
  ['an object', '{"a":[1,2,3', 0],
  ['nothing', '', 0],
])('minLengthOf returns the minimum number of elements with %s: %#', (_, text, minimum) => {
  expect(minLengthOf(text)).toBe(minimum)
})

describe('parseJson', () => {
  it.each([
    ...['', '[', '{"a":1,}', '[1,]', '{"a"}', '"\\', 'true false', '[1]]', '\ufeff1'],
    ...['{"a":[1,{"b":"]}\\""}]} ', '"[{"', ' true', '[[],{}]', '{"a":1,"a":2}'],
  ])('returns the same value as JSON.parse for %j', (text) => {
    let expected: unknown
    try {
      expected = JSON.parse(text)
    } catch {}
    expect(parseJson(text)).toEqual(expected)
  })

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
