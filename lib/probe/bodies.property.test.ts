import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText, longTexts, textOf } from '../environment/arbitrary-text.fixture.ts'
import { decodeContent } from './body-reader.ts'
import { parseJson } from './body-store.ts'
import { UnreadableError } from './transport-error.ts'

const encoders = {
  gzip: gzipSync,
  'x-gzip': gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
}
const codings = fc.array(fc.constantFrom(...(Object.keys(encoders) as (keyof typeof encoders)[])), {
  maxLength: 3,
})
const LIMIT = 10_000

describe('decodeContent', () => {
  it('decodes several codings, the last one first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1 }), codings, async (bytes, names) => {
        const body = names.reduce((coded, name) => encoders[name](coded), Buffer.from(bytes))
        const field = names.join(' ,').toUpperCase()
        expect(await decodeContent(body, field, LIMIT)).toEqual(Buffer.from(bytes))
      }),
      { numRuns: 150 },
    )
  })

  it('returns bytes within the limit or throws UnreadableError for any coding and bytes', async () => {
    const fields = textOf('gzip', 'br', 'deflate', ',', ' ', 'x', 'identity', '\t')
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 50 }), fields, codings, async (...all) => {
        const [bytes, field, names] = all
        const body = names.reduce((coded, name) => encoders[name](coded), Buffer.from(bytes))
        try {
          const decoded = await decodeContent(body, field, LIMIT)
          expect(decoded.length).toBeLessThanOrEqual(LIMIT)
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableError)
        }
      }),
      { numRuns: 300 },
    )
  })
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

describe('parseJson', () => {
  it('returns the same value as JSON.parse for any text', () => {
    const almost = textOf('[', ']', '{', '}', '"', ',', ':', '1', '\\', 'true', ' ', '"a":')
    fc.assert(
      fc.property(fc.oneof(almost, anyText), (text) => {
        expect(parseJson(text)).toEqual(parsed(text))
      }),
      { numRuns: 1000 },
    )
  })

  it('reads long texts in linear time', () => {
    const pieces = ['[', ']', '{', '"', '\\', '\\"', ',', ' ', '[],', '{"a":', '"a",', '1', '1,']
    for (const text of longTexts(...pieces)) {
      for (const whole of [text, `[${text}`, `["${text}`, `[${text}]`]) {
        try {
          parseJson(whole)
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableError)
        }
      }
    }
  })
})
