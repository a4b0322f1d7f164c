import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText, longTexts } from '../environment/arbitrary-text.fixture.ts'
import { canaryForms } from './canary-forms.fixture.ts'
import { Redactor } from './redaction.ts'

const PIECE = 6

const secrets = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', minLength: 12, maxLength: 40 }),
  fc.stringMatching(/^[0-9a-f]{40}$/),
  fc.stringMatching(/^[A-Za-z0-9_-]{16,32}$/),
  fc
    .string({
      unit: fc.constantFrom(...'aZ09 +/=&%<>\'\\"é€ßпж😀'.split(/(?:)/u)),
      minLength: 12,
      maxLength: 20,
    })
    // A percent escape in the secret would be decoded with the text.
    .filter((secret) => !/%[\da-f]{2}/i.test(secret)),
)

/** Text without any character of an encoded secret. */
const context = fc.string({ unit: fc.constantFrom('щ', 'Ѫ', '界', '\n', '語'), maxLength: 12 })

function redactorOf(secret: string): Redactor {
  const redactor = new Redactor()
  redactor.add('THE_SECRET', secret)
  return redactor
}

function pieces(text: string): string[] {
  const count = Math.max(0, text.length - PIECE + 1)
  return Array.from({ length: count }, (_, at) => text.slice(at, at + PIECE))
}

describe('a secret', () => {
  it('is replaced in every form, and its context is kept', () => {
    fc.assert(
      fc.property(secrets, context, context, fc.nat(), (secret, before, after, pick) => {
        const redactor = redactorOf(secret)
        const forms = canaryForms(secret)
        for (const { label, text, core } of [0, 1, 2, 3, 4, 5].flatMap(
          (step) => forms[(pick + step) % forms.length] ?? [],
        )) {
          const redacted = redactor.redact(`${before}щ${text}щ${after}`)
          expect(redacted.startsWith(`${before}щ`), label).toBe(true)
          expect(redacted.endsWith(`щ${after}`), label).toBe(true)
          expect(redacted, label).toContain('$THE_SECRET')
          const remaining = new Set(pieces(redacted.replaceAll('$THE_SECRET', '\n\n\n')))
          // The context in that form may equal a part of the secret by chance.
          const around = text.replaceAll(core, '\n\n\n')
          const leaked = pieces(core).filter(
            (piece) => remaining.has(piece) && !around.includes(piece),
          )
          expect(leaked, label).toEqual([])
        }
      }),
      { numRuns: 60 },
    )
  })

  it('is in no prefix of a text', () => {
    fc.assert(
      fc.property(secrets, context, fc.nat(60), (secret, before, length) => {
        const redacted = redactorOf(secret).redactPrefix(`${before}${secret}щщ`, length)
        expect(redacted).not.toContain(secret)
        const remaining = new Set(pieces(redacted.replaceAll('$THE_SECRET', '\n\n\n')))
        expect(pieces(secret).filter((piece) => remaining.has(piece))).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('is replaced in any text, and a second pass changes nothing', () => {
    fc.assert(
      fc.property(secrets, anyText, anyText, (secret, before, after) => {
        const redactor = redactorOf(secret)
        const once = redactor.redact(`${before}${secret}${after}`)
        expect(once).toContain('$THE_SECRET')
        expect(redactor.redact(once)).toBe(once)
      }),
      { numRuns: 100 },
    )
  })

  it('is searched in long texts in linear time', () => {
    const redactor = redactorOf('aaaaaaaaaaaaaaaaaaaa')
    redactor.add('NUMBER', '111111')
    redactor.addBasic('maria', 'PASSWORD', 'p+s/s w\'rd!<&"é==')
    const texts = longTexts(
      'a',
      '1',
      'b',
      '%',
      '\\',
      'YWFh',
      'basic ',
      'basic YWFh ',
      '&#x61;',
      'İ',
    )
    for (const long of texts) {
      const text = long.slice(0, 250_000)
      expect(redactor.redact(text).length).toBeLessThanOrEqual(2 * text.length)
      expect(redactor.redactPrefix(text, 100).length).toBeLessThan(1000)
      expect(redactor.redactFields([{ name: 'X', value: text.slice(0, 50_000) }])).toHaveLength(1)
    }
  })
})
