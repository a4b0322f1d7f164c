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
    // One that is a percent escape in part reads otherwise once the escapes around it are undone.
    .filter((secret) => !/%[\da-f]{2}/i.test(secret)),
)

/** None of it can be part of a secret, nor of a way to write one. */
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
  it('is replaced in every form, and what stands around it stays', () => {
    fc.assert(
      fc.property(secrets, context, context, fc.nat(), (secret, before, behind, pick) => {
        const redactor = redactorOf(secret)
        const forms = canaryForms(secret)
        for (const { label, text, core } of [0, 1, 2, 3, 4, 5].flatMap(
          (step) => forms[(pick + step) % forms.length] ?? [],
        )) {
          const redacted = redactor.redact(`${before}щ${text}щ${behind}`)
          expect(redacted.startsWith(`${before}щ`), label).toBe(true)
          expect(redacted.endsWith(`щ${behind}`), label).toBe(true)
          expect(redacted, label).toContain('$THE_SECRET')
          const left = new Set(pieces(redacted.replaceAll('$THE_SECRET', '\n\n\n')))
          // What stands around the secret in that form may be like a part of it by chance.
          const around = text.replaceAll(core, '\n\n\n')
          const shown = pieces(core).filter((piece) => left.has(piece) && !around.includes(piece))
          expect(shown, label).toEqual([])
        }
      }),
      { numRuns: 60 },
    )
  })

  it('is in no beginning of a text, wherever that ends', () => {
    fc.assert(
      fc.property(secrets, context, fc.nat(60), (secret, before, length) => {
        const redacted = redactorOf(secret).redactBeginning(`${before}${secret}щщ`, length)
        expect(redacted).not.toContain(secret)
        const left = new Set(pieces(redacted.replaceAll('$THE_SECRET', '\n\n\n')))
        expect(pieces(secret).filter((piece) => left.has(piece))).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('is looked for in any text, twice to the same end', () => {
    fc.assert(
      fc.property(secrets, anyText, anyText, (secret, before, behind) => {
        const redactor = redactorOf(secret)
        const once = redactor.redact(`${before}${secret}${behind}`)
        expect(once).toContain('$THE_SECRET')
        expect(redactor.redact(once)).toBe(once)
      }),
      { numRuns: 100 },
    )
  })

  it('is looked for in long texts', () => {
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
      expect(redactor.redactBeginning(text, 100).length).toBeLessThan(1000)
      expect(redactor.redactFields([['X', text.slice(0, 50_000)]])).toHaveLength(1)
    }
  })
})
