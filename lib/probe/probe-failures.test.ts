import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { TransportError } from './exchange.ts'
import type { ProbeOptions } from './probe.ts'
import { closeAll, startProbe, startServer, startSocketServer } from './server.fixture.ts'

afterEach(closeAll)

async function failure(url: URL | string, options: Partial<ProbeOptions> = {}) {
  const probe = startProbe({ retries: 0, ...options })
  const outcome: unknown = await probe.ask(url).catch((error: unknown) => error)
  expect(outcome).toBeInstanceOf(TransportError)
  const error = outcome as TransportError
  expect(probe.records).toEqual([error.record])
  expect(error.message).toBe(`GET ${new URL(url).href}: ${error.record.error}`)
  expect(error.record.response).toBeNull()
  return error
}

const HEAD = 'HTTP/1.1 200 OK\r\n'

describe('the time limit', () => {
  const timeoutMs = 150

  it('ends the wait for a server that never answers', async () => {
    const { url } = await startSocketServer(() => {})
    const { message, record } = await failure(url, { timeoutMs })
    expect(message).toMatch(/no complete response within 150 ms \(PROBE_TIMEOUT_MS\)$/)
    expect(record.durationMs).toBeGreaterThanOrEqual(140)
    expect(record.durationMs).toBeLessThan(3000)
  })

  it('ends a body that drips', async () => {
    const { url } = await startSocketServer((socket) => {
      socket.write(`${HEAD}Content-Length: 100000\r\n\r\n`)
      const dripping = setInterval(() => socket.write('a'), 20)
      socket.on('close', () => clearInterval(dripping))
    })
    expect((await failure(url, { timeoutMs })).message).toMatch(/PROBE_TIMEOUT_MS/)
  })

  it('ends the wait for a TLS handshake, and half of it where nothing comes', async () => {
    const { port } = await startSocketServer(() => {})
    const { message, record } = await failure(`https://127.0.0.1:${port}/`, { timeoutMs: 1000 })
    expect(message).toMatch(/not a byte to say to a TLS handshake \(is it http:\/\/ and not https/)
    expect(record.durationMs).toBeLessThan(1000)
    // The header of an alert, which never comes.
    const stuck = await startSocketServer((socket) => socket.write(Buffer.from([21, 3, 3])))
    const late = await failure(`https://127.0.0.1:${stuck.port}/`, { timeoutMs })
    expect(late.message).toMatch(/PROBE_TIMEOUT_MS/)
  })
})

describe('a body over the limit', () => {
  const maxBodyBytes = 1000
  const tooLarge = /the response is larger than PROBE_MAX_BODY_BYTES allows/
  const body = 'a'.repeat(maxBodyBytes + 1)

  it.each([
    ['with its length', { 'Content-Length': String(body.length) }, body],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }, body],
    ['when decoded', { 'Content-Encoding': 'gzip' }, gzipSync(body)],
  ])('is refused %s', async (_, headers, bytes) => {
    const { url } = await startServer((_, response) => response.writeHead(200, headers).end(bytes))
    expect((await failure(url, { maxBodyBytes })).message).toMatch(tooLarge)
  })

  it('is not read to its end', async () => {
    const { url } = await startServer((_, response) => {
      const pouring = setInterval(() => response.write(body), 1)
      response.on('close', () => clearInterval(pouring))
    })
    expect((await failure(url, { maxBodyBytes })).message).toMatch(tooLarge)
  })
})

describe('a connection', () => {
  it.each([
    ['a length that is not reached', 'Content-Length: 10\r\n\r\nhel'],
    ['chunks without the last', 'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n'],
  ])('that ends early is told of: %s', async (_, rest) => {
    const { url } = await startSocketServer((socket) => socket.end(`${HEAD}${rest}`))
    expect((await failure(url)).record.error).toMatch(/closed before the response ended/)
  })
})

describe('a response', () => {
  it.each([
    ['a header too large', `X: ${'a'.repeat(40_000)}\r\n\r\n`, /the response header is too large/],
    [
      'gzip that is none',
      'Content-Encoding: gzip\r\nContent-Length: 1\r\n\r\na',
      /decoded as gzip/,
    ],
  ])('with %s is none', async (_, rest, reason) => {
    const { url } = await startSocketServer((socket) => socket.end(`${HEAD}${rest}`))
    expect((await failure(url)).record.error).toMatch(reason)
  })
})
