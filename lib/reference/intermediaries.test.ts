import { get, type IncomingMessage } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { start } from './test-client.fixture.ts'

const path = '/api/v1/settings/api'

/** A response as it came over the wire, where `fetch` would undo how it travelled. */
interface Received {
  message: IncomingMessage
  content: Buffer
  interim: number[]
}

async function receive(variant: string, headers: Record<string, string> = {}): Promise<Received> {
  const { reference } = await start({ variant })
  return new Promise((resolve, reject) => {
    const interim: number[] = []
    get(reference.baseUrl + path, { headers }, (message) => {
      const chunks: Buffer[] = []
      message.on('data', (chunk: Buffer) => chunks.push(chunk))
      message.on('end', () => resolve({ message, content: Buffer.concat(chunks), interim }))
    })
      .on('information', ({ statusCode }) => interim.push(statusCode))
      .on('error', reject)
  })
}

describe('the way of responses', () => {
  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
    ['deflate', inflateSync],
  ])('is compressed with %s where that is acceptable', async (coding, decode) => {
    const variant = `responses-compressed-with-${coding}`
    for (const field of [undefined, `x, ${coding};q=0.5`]) {
      const headers: Record<string, string> =
        field === undefined ? {} : { 'Accept-Encoding': field }
      const { message, content } = await receive(variant, headers)
      expect(message.headers['content-encoding']).toBe(coding)
      expect(JSON.parse(decode(content).toString())).toMatchObject({ max_response_items: 25 })
    }
    for (const field of ['identity', `${coding};q=0`, 'x, *;q=0']) {
      const { message } = await receive(variant, { 'Accept-Encoding': field })
      expect(message.headers['content-encoding']).toBeUndefined()
    }
  })

  it.each<[string, (received: Received) => unknown, unknown]>([
    ['responses-in-chunks', ({ message }) => message.headers['transfer-encoding'], 'chunked'],
    ['connections-closed', ({ message }) => message.headers.connection, 'close'],
    ['early-hints', ({ interim }) => interim, [103]],
    ['header-names-in-lower-case', ({ message }) => message.rawHeaders[0], 'connection'],
    ['header-names-in-upper-case', ({ message }) => message.rawHeaders[0], 'CONNECTION'],
    ['json-written-in-another-way', ({ content }) => `${content}`.slice(0, 5), '\r\n{\n\t'],
    ['further-fields', ({ content }) => JSON.parse(`${content}`).further_text, 'Grüße'],
  ])('is that of %s', async (variant, seen, expected) => {
    const received = await receive(variant)
    expect(seen(received)).toEqual(expected)
    expect(JSON.parse(received.content.toString())).toMatchObject({ max_response_items: 25 })
  })
})

describe('a gateway', () => {
  it.each([
    ['too-many-requests-now-and-then', 20, [429, 429, 429]],
    ['too-many-requests-for-a-second', 60, [429]],
    ['unavailable-now-and-then', 20, [502, 503, 504]],
  ])('answers with %s every %i requests, none of them twice', async (variant, every, statuses) => {
    const client = await start({ variant })
    const answers: number[] = []
    for (let request = 1; request <= every * statuses.length; request += 1) {
      answers.push(await client.status(`GET ${path}?request=${request}`))
    }
    expect(answers.filter((_, index) => (index + 1) % every === 0)).toEqual(statuses)
    expect(answers.filter((status) => status !== 200)).toEqual(statuses)
    const again: number[] = []
    for (let request = 1; request <= 2 * every; request += 1) {
      again.push(await client.status(`GET ${path}?again`))
    }
    expect(again.filter((status) => status !== 200)).toHaveLength(1)
  })

  it('loses every third answer to what was done', async () => {
    const client = await start({ variant: 'answers-lost' })
    const create = async (name: string) =>
      (await client.createToken('', { name, scopes: ['all'] })).status
    const statuses: number[] = []
    for (const name of ['one', 'two', 'three', 'four']) statuses.push(await create(name))
    expect(statuses).toEqual([201, 201, 504, 201])
    expect(await create('three')).toBe(400)
  })
})
