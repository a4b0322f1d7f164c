import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ContentCodingError, decodeContent } from './content-coding.ts'

const text = 'plumbline '.repeat(20)
const body = Buffer.from(text)
const LIMIT = 1000

async function decoded(bytes: Buffer, field: string | null): Promise<string> {
  return (await decodeContent(bytes, field, LIMIT)).toString()
}

async function failure(bytes: Buffer, field: string): Promise<ContentCodingError> {
  const outcome = await decodeContent(bytes, field, LIMIT).catch((error: unknown) => error)
  expect(outcome).toBeInstanceOf(ContentCodingError)
  return outcome as ContentCodingError
}

describe('decodeContent', () => {
  it.each([null, '', 'identity', 'unknown'])(
    'leaves a body of coding %j as it is',
    async (field) => {
      expect(await decoded(body, field)).toBe(text)
    },
  )

  it('undoes what lies around an unknown coding', async () => {
    expect(await decoded(gzipSync(body), 'unknown, gzip')).toBe(text)
  })
})

describe('a body that cannot be decoded', () => {
  const bomb = Buffer.alloc(50 * 1024 * 1024)

  it.each([
    ['gzip', gzipSync(bomb)],
    ['deflate', deflateSync(bomb)],
    ['gzip, gzip', gzipSync(gzipSync(bomb))],
    ['br', brotliCompressSync(Buffer.alloc(LIMIT + 1))],
  ])('is too large under %s', async (field, bytes) => {
    expect((await failure(bytes, field)).code).toBe('UND_ERR_RES_EXCEEDED_MAX_SIZE')
  })

  it.each([
    ['gzip', body],
    ['deflate', gzipSync(body)],
    ['br', body],
    ['gzip', gzipSync(body).subarray(0, -12)],
  ])('is not %s', async (field, bytes) => {
    const error = await failure(bytes, field)
    expect(error.message).toBe(`the body cannot be decoded as ${field}`)
    expect(error.code).toMatch(/^(Z_|ERR_)/)
    expect(error.cause).toBeInstanceOf(Error)
  })

  it('has a coding that is not known', async () => {
    const odd = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
    expect((await failure(odd, 'zstd')).message).toBe(
      'the body has the content coding "zstd", which is not known',
    )
    expect((await failure(gzipSync(odd), 'zstd, gzip')).message).toContain('"zstd"')
  })

  it('has more codings than anybody needs', async () => {
    const field = Array(9).fill('gzip').join()
    expect((await failure(gzipSync(body), field)).message).toMatch(/9 content codings, too many/)
    expect(await decoded(Buffer.alloc(0), field)).toBe('')
  })
})
