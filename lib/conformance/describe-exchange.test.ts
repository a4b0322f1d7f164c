import { Ajv } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyJson, anyText } from '../environment/arbitrary-text.fixture.ts'
import type { Exchange } from '../probe/exchange.ts'
import { bodyShape } from './body-shape.ts'
import {
  displayBody,
  displayMessage,
  displayNames,
  displayQuotedMessage,
  displayStatus,
  displayValue,
} from './describe-exchange.ts'
import { exchangeWith } from './exchange.fixture.ts'

const json = { message: 'maria is away', login: 'maria' }
const kept = exchangeWith({ status: 401, json })
const leftOut = exchangeWith({ status: 401, json, leftOut: true })

describe('descriptions of a body', () => {
  it('have the texts of the snapshot, without values if reports keep no bodies', async () => {
    const long = 'é'.repeat(20_000)
    const values = [undefined, null, 12, 'maria', ['maria'], json, long, Array(20_000).fill(1)]
    const names = [[], ['a', 'b'], ['a', 'b', 'c', 'd'], [long, 'b']]
    const withCode = exchangeWith({ status: 401, json: { code: 'away', ...json } })
    const textsOf = (exchange: Exchange) => [
      ...[displayBody(exchange), displayQuotedMessage(exchange), displayStatus(exchange)],
      ...values.map((value) => displayValue(exchange, value)),
      ...names.map((some) => displayNames(exchange, some)),
    ]
    expect(textsOf(leftOut).join()).not.toMatch(/maria|é/)
    const texts = [...textsOf(kept), displayStatus(withCode), '', ...textsOf(leftOut), '']
    await expect(texts.join('\n')).toMatchFileSnapshot('snapshots/descriptions.txt')
  })

  it('are one line of limited length for any body', () => {
    const texts = fc.oneof(
      anyText,
      anyJson.map((value) => JSON.stringify(value)),
    )
    fc.assert(
      fc.property(texts, fc.constantFrom(1, 10_000), (piece, count) => {
        const text = piece.repeat(count)
        const exchanges = [exchangeWith({ text }), exchangeWith({ json: { message: text } })]
        for (const exchange of exchanges) {
          const shown = `${displayBody(exchange)} ${displayMessage(exchange)}`
          expect(shown.length).toBeLessThan(480)
          expect(shown).not.toMatch(/[\n\t]/)
        }
      }),
      { numRuns: 200 },
    )
  })
})

const validator = new Ajv({ strict: false, formats: fullFormats })

describe('bodyShape', () => {
  it('returns a schema that matches the body and contains no values', () => {
    const texts = fc.constantFrom('щщщ', '2026-04-01', 'https://щ.example', 'щ@щ.example')
    const values = fc.oneof(fc.dictionary(fc.constantFrom('a', 'b', 'c'), texts), fc.nat(), texts)
    fc.assert(
      fc.property(values, (value) => {
        const body = { list: [value], nothing: null, value }
        const shape = bodyShape(exchangeWith({ json: body })) as object
        expect(validator.validate(shape, body)).toBe(true)
        expect(JSON.stringify(shape)).not.toMatch(/щ|2026/)
      }),
      { numRuns: 100 },
    )
  })

  it('returns formats', () => {
    const body = {
      id: '0b9c1c5e-8f5a-4a3c-9d55-3f7f2b3f1a10',
      at: '2026-04-01T00:00:00Z',
      ok: true,
    }
    expect(bodyShape(exchangeWith({ json: body }))).toEqual({
      type: 'object',
      properties: {
        id: { type: 'string', format: 'uuid' },
        at: { type: 'string', format: 'date-time' },
        ok: { type: 'boolean' },
      },
    })
  })

  it('returns the media type of other bodies, and a text for a large body', () => {
    const headers = { 'Content-Type': 'text/plain; charset=utf-8' }
    expect(bodyShape(exchangeWith({ text: '<p>', headers }))).toBe('text/plain')
    const members = Array.from({ length: 10_000 }, (_, index) => [`member-${index}`, 1])
    const many = exchangeWith({ json: Object.fromEntries(members) })
    expect(typeof bodyShape(many)).toBe('string')
  })
})
