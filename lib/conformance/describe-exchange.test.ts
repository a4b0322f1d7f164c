import { Ajv } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyJson, anyText, longTexts } from '../environment/arbitrary-text.fixture.ts'
import { bodyShape } from './body-shape.ts'
import {
  displayBody,
  displayMessage,
  displayNames,
  displayQuotedMessage,
  displayStatus,
  displayText,
  displayValue,
} from './describe-exchange.ts'
import { exchangeWith } from './exchange.fixture.ts'

const json = { message: 'maria is away', login: 'maria' }
const kept = exchangeWith({ status: 401, json })
const leftOut = exchangeWith({ status: 401, json, leftOut: true })

describe('descriptions of a body', () => {
  it('quote values if reports keep bodies', () => {
    expect(displayValue(kept, 'maria')).toBe('"maria"')
    expect(displayNames(kept, ['a', 'b', 'c', 'd'])).toBe('4 items (a, b, c, …)')
    expect(displayBody(kept)).toBe('the body {"message":"maria is away","login":"maria"}')
    expect(displayQuotedMessage(kept)).toBe('message "maria is away"')
    expect(displayStatus(kept)).toBe('status 401 (maria is away)')
    const withCode = exchangeWith({ status: 401, json: { code: 'away', ...json } })
    expect(displayStatus(withCode)).toBe('status 401 (away: maria is away)')
  })

  it.each([
    ['a', 'a string of 1 character'],
    [12, 'a number'],
    [null, 'null'],
    [undefined, 'nothing'],
    [['maria'], 'a list of 1 item'],
    [{ login: 'maria', id: 1 }, 'an object of 2 fields'],
  ])('return the type and size if reports keep no bodies: %j', (value, expected) => {
    expect(displayValue(leftOut, value)).toBe(expected)
  })

  it('return the size of long values', () => {
    const long = 'é'.repeat(20_000)
    expect(displayValue(kept, long)).toBe('a string of 20000 characters')
    expect(displayNames(kept, [long, 'b'])).toBe('2 items (a string of 20000 characters, b)')
    expect(displayValue(kept, Array(20_000).fill(1))).toBe('a list of 20000 items')
  })

  it('contain no name, message or body if reports keep no bodies', () => {
    expect(displayText(leftOut, 'maria/first')).toBe('a string of 11 characters')
    expect(displayNames(leftOut, ['a', 'b'])).toBe('2 items')
    expect(displayBody(leftOut)).toBe('a body of 43 bytes')
    expect(displayQuotedMessage(leftOut)).toBe('a message, a string of 13 characters')
  })

  it('are one line of limited length for any body', () => {
    const texts = fc.oneof(
      anyText,
      anyJson.map((value) => JSON.stringify(value)),
    )
    const expectShort = (text: string) => {
      const exchange = exchangeWith({ text })
      for (const description of [displayBody(exchange), displayMessage(exchange) ?? '']) {
        expect(description.length).toBeLessThan(260)
        expect(description).not.toMatch(/[\n\t]/)
      }
    }
    fc.assert(fc.property(texts, expectShort), { numRuns: 300 })
    for (const text of longTexts(' ', 'a', '\n', '"', '\\', '😀', '\u2028')) {
      expectShort(text)
      expectShort(JSON.stringify({ message: text }))
    }
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
    expect(bodyShape(many)).toBe('more than 64 kB of JSON')
  })
})
