import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { decodeContent } from './body-reader.ts'
import { closeAll, startProbe, startServer } from './server.fixture.ts'

afterEach(closeAll)

const MEBIBYTE = 1024 * 1024

describe('large bodies', () => {
  it('do not delay others if one of them never ends', async () => {
    const { url } = await startServer((request, response) => {
      response.write(Buffer.alloc(2 * MEBIBYTE, 'a'))
      if (request.url !== '/endless') response.end()
    })
    const probe = startProbe({ retries: 0, timeoutMs: 1500, maxBodyBytes: 4 * MEBIBYTE })
    const endless = probe.ask(new URL('/endless', url))
    await expect(endless).rejects.toThrow(/PROBE_TIMEOUT_MS/)
    expect((await probe.ask(url)).text).toHaveLength(2 * MEBIBYTE)
  })
})

describe('the large bodies of a run', () => {
  it('are not read when the store is full, unlike small ones', async () => {
    const { url, connections } = await startServer((request, response) => {
      if (request.url === '/small') return void response.end('{}')
      response.end(Buffer.alloc(9 * MEBIBYTE, 'a'))
    })
    const probe = startProbe({ concurrency: 1, retries: 2, maxBodyBytes: 10 * MEBIBYTE })
    for (let count = 0; count < 3; count += 1) await probe.ask(url)
    expect(connections()).toBe(1)
    for (let count = 0; count < 5; count += 1) {
      await expect(probe.ask(url)).rejects.toMatchObject({ kind: 'unreadable' })
    }
    expect(probe.records).toHaveLength(8)
    expect((await probe.ask(new URL('/small', url))).json).toEqual({})
    // Each unread body closes its connection. The store was not yet full for the first of the five.
    expect(connections()).toBeGreaterThan(4)
  })
})

describe('recorded evidence', () => {
  it('has only prefixes of many large bodies', async () => {
    const { url } = await startServer((_, response) => response.end('a'.repeat(100 * 1024)))
    const probe = startProbe({ concurrency: 1 })
    for (let count = 0; count < 67; count += 1) await probe.ask(url)
    const lengths = probe.records.map(({ response }) => response?.body?.length)
    expect(lengths.slice(0, 63)).toEqual(Array(63).fill(64_000))
    expect(lengths.slice(63)).toEqual(Array(4).fill(4000))
    expect(probe.records.at(-1)?.response).toMatchObject({ bodyBytes: 102_400, bodyKept: 4000 })
  })
})

const body = Buffer.from('plumbline '.repeat(20))

it.each(['unknown', 'unknown, gzip'])(
  'decodeContent ignores the coding %s of a text',
  async (field) => {
    const bytes = field.endsWith('gzip') ? gzipSync(body) : body
    expect(await decodeContent(bytes, field, 1000)).toEqual(body)
  },
)
