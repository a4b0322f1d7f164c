import { Ajv } from 'ajv'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyJson, anyText, longTexts } from '../environment/arbitrary-text.fixture.ts'
import { bodyShape } from './body-shape.ts'
import { exchangeWith } from './exchange.fixture.ts'
import {
  displayBody,
  displayMessage,
  displayNames,
  displayQuotedMessage,
  displayText,
  displayValue,
  messageOf,
} from './exchange-words.ts'

const LONGEST = 260

describe('the words about a response', () => {
  it('are one line of some length, whatever came', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          anyJson.map((json) => JSON.stringify(json)),
        ),
        (text) => {
          const exchange = exchangeWith({ text })
          for (const words of [displayBody(exchange), displayMessage(exchange) ?? '']) {
            expect(words.length).toBeLessThan(LONGEST)
            expect(words).not.toMatch(/[\n\t]/)
          }
          expect(displayQuotedMessage(exchange) === undefined).toBe(
            messageOf(exchange) === undefined,
          )
        },
      ),
      { numRuns: 500 },
    )
  })

  it('repeat a message, and a value as JSON', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\w{1,60}$/), anyJson, (message, value) => {
        const exchange = exchangeWith({ json: { message, value } })
        expect(displayMessage(exchange)).toBe(message)
        expect(JSON.parse(displayValue(exchange, value))).toEqual(value)
      }),
      { numRuns: 100 },
    )
  })

  it('tell nothing of a body that reports leave out', () => {
    const body = fc.record({ message: fc.stringMatching(/^[щЖю]{3,9}$/), more: anyJson })
    fc.assert(
      fc.property(body, (json) => {
        const exchange = exchangeWith({ json, leftOut: true })
        const words = [
          displayBody(exchange),
          displayQuotedMessage(exchange) ?? '',
          displayText(exchange, json.message),
          displayNames(exchange, [json.message]),
          displayValue(exchange, json),
          displayValue(exchange, json.message),
        ]
        for (const said of words) expect(said).not.toContain(json.message)
      }),
      { numRuns: 200 },
    )
  })

  it('are as short for long bodies', () => {
    for (const text of longTexts(' ', 'a', '\n', '"', '\\', '😀', '\u2028')) {
      const exchange = exchangeWith({ json: { message: text } })
      expect(displayMessage(exchange)?.length).toBeLessThan(LONGEST)
      expect(displayBody(exchange).length).toBeLessThan(LONGEST)
      expect(displayBody(exchangeWith({ text })).length).toBeLessThan(LONGEST)
    }
  })
})

const validator = new Ajv({ strict: false, formats: fullFormats })

/** Every text and number in a value, names aside. */
function leavesOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value]
  return Object.values(value).flatMap(leavesOf)
}

/** With one item of each list at most: the shape is that of the first one. */
function withSingleItems(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(withSingleItems)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  return Object.fromEntries(entries.map(([name, item]) => [name, withSingleItems(item)]))
}

describe('the shape of a body', () => {
  it('fits the body that it was made of', () => {
    fc.assert(
      fc.property(anyJson.map(withSingleItems), (json) => {
        // The validator refuses names with half of a surrogate pair.
        fc.pre(!JSON.stringify(json).includes('\\ud'))
        const shape = bodyShape(exchangeWith({ json }))
        expect(typeof shape).toBe('object')
        expect(validator.validate(shape as object, json)).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  it('has names and types of it, and no value', () => {
    const marked = fc
      .jsonValue({ maxDepth: 3, stringUnit: fc.constantFrom('щ', 'Ж') })
      .map((value) => ({ list: [value], 'щ-field': { value, more: ['Ж', 417.25] } }))
    fc.assert(
      fc.property(marked, (json) => {
        const shape = bodyShape(exchangeWith({ json }))
        const leaves = leavesOf(shape)
        for (const value of leavesOf(json)) {
          if (typeof value === 'string' && value.length > 2) expect(leaves).not.toContain(value)
        }
        expect(leaves).not.toContain(417.25)
        expect(JSON.stringify(shape)).toContain('щ-field')
      }),
      { numRuns: 200 },
    )
  })

  it('of a body that is no JSON is its media type', () => {
    fc.assert(
      fc.property(anyText, fc.stringMatching(/^[a-z]{1,5}\/[a-z]{1,5}$/), (text, type) => {
        const headers = { 'Content-Type': `${type}; charset=utf-8` }
        expect(bodyShape(exchangeWith({ text: `<${text}`, headers }))).toBe(type)
      }),
      { numRuns: 100 },
    )
  })
})
