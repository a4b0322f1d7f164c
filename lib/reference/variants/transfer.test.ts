import { get, type IncomingMessage } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import type { RunningReference } from '../index.ts'
import { startAll } from '../test-client.fixture.ts'

const path = '/api/v1/settings/api'
const open: RunningReference[] = []

/** A response as it came over the wire. */
interface Received {
  message: IncomingMessage
  content: Buffer
}

async function start(variant: string): Promise<RunningReference> {
  const reference = await startAll({ variant })
  open.push(reference)
  return reference
}

function receive(url: string, headers: Record<string, string> = {}): Promise<Received> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (message) => {
      const chunks: Buffer[] = []
      message.on('data', (chunk: Buffer) => chunks.push(chunk))
      message.on('end', () => resolve({ message, content: Buffer.concat(chunks) }))
    }).on('error', reject)
  })
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((reference) => reference.close()))
})

describe('responses-compressed-with-…', () => {
  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
    ['deflate', inflateSync],
  ])('%s is really sent, where it is acceptable', async (coding, decode) => {
    const { baseUrl } = await start(`responses-compressed-with-${coding}`)
    const { message, content } = await receive(baseUrl + path)
    expect(message.headers['content-encoding']).toBe(coding)
    expect(message.headers['content-length']).toBe(String(content.length))
    expect(() => JSON.parse(content.toString())).toThrow()
    expect(JSON.parse(decode(content).toString())).toMatchObject({ max_response_items: 25 })
    const accepted = await receive(baseUrl + path, { 'Accept-Encoding': `x, ${coding};q=0.5` })
    expect(accepted.message.headers['content-encoding']).toBe(coding)
    for (const field of ['identity', `${coding};q=0`, 'x, *;q=0']) {
      const plain = await receive(baseUrl + path, { 'Accept-Encoding': field })
      expect(plain.message.headers['content-encoding']).toBeUndefined()
      expect(JSON.parse(plain.content.toString())).toMatchObject({ default_paging_num: 20 })
    }
  })
})

describe('the other ways of transfer', () => {
  it('responses-in-chunks has no length', async () => {
    const { baseUrl } = await start('responses-in-chunks')
    const { message, content } = await receive(baseUrl + path)
    expect(message.headers['transfer-encoding']).toBe('chunked')
    expect(message.headers['content-length']).toBeUndefined()
    expect(JSON.parse(content.toString())).toMatchObject({ max_response_items: 25 })
  })

  it('connections-closed says so', async () => {
    const { message } = await receive((await start('connections-closed')).baseUrl + path)
    expect(message.headers.connection).toBe('close')
  })

  it.each([
    ['header-names-in-lower-case', /^[a-z-]+$/],
    ['header-names-in-upper-case', /^[A-Z-]+$/],
  ])('%s', async (variant, form) => {
    const { message, content } = await receive((await start(variant)).baseUrl + path)
    const names = message.rawHeaders.filter((_, index) => index % 2 === 0)
    expect(names.length).toBeGreaterThan(3)
    for (const name of names) expect(name).toMatch(form)
    expect(JSON.parse(content.toString())).toMatchObject({ max_response_items: 25 })
  })

  it('early-hints come before the response', async () => {
    const { baseUrl } = await start('early-hints')
    const interim: (number | undefined)[] = []
    const status = await new Promise((resolve, reject) => {
      get(baseUrl + path, (message) => resolve(message.resume().statusCode))
        .on('information', ({ statusCode }) => interim.push(statusCode))
        .on('error', reject)
    })
    expect([interim, status]).toEqual([[103], 200])
  })

  it('json-written-in-another-way means the same', async () => {
    const { baseUrl } = await start('json-written-in-another-way')
    const { content } = await receive(`${baseUrl}/api/v1/user`)
    expect(content.toString()).toMatch(/^\r\n\{\n\t"message": "token is required",[^/]*:\\\/\\\//)
    const url = `${baseUrl}/api/swagger`
    expect(JSON.parse(content.toString())).toEqual({ message: 'token is required', url })
  })

  it('further-fields are in records, lists and error bodies', async () => {
    const { baseUrl } = await start('further-fields')
    const { content } = await receive(baseUrl + path)
    expect(JSON.parse(content.toString())).toMatchObject({ further_text: 'Grüße' })
    const error = await receive(`${baseUrl}/api/v1/user`)
    const body = JSON.parse(error.content.toString())
    expect(body).toMatchObject({ message: 'token is required', further_list: [{}] })
  })
})
