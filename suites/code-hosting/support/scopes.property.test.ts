import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText, longTexts, textOf } from '../../../lib/environment/arbitrary-text.fixture.ts'
import { parseScopeMessage, scopesNamed } from './scopes.ts'

const BEGINNING = 'token does not have at least one of required scope(s), required=['

const scope = fc.oneof(
  fc.constantFrom('all', 'public-only', 'read:user', 'write:repository'),
  fc.stringMatching(/^(?:read|write):[a-z]{1,8}$/),
)
const separator = fc.constantFrom(',', ' ', ', ', '  ,  ')

describe('the message of a missing scope', () => {
  it('is read as it was written', () => {
    const scopes = fc.array(scope, { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(scopes, fc.array(scope), separator, (required, granted, between) => {
        const message = `${BEGINNING}${required.join(between)}], token scope=${granted.join(between)}`
        expect(parseScopeMessage(message)).toEqual({ required, granted })
        expect(scopesNamed(message)).toEqual({ required, granted })
        expect(scopesNamed(`no access: ${message}`).required).toEqual([...required, ...granted])
      }),
      { numRuns: 300 },
    )
    expect(parseScopeMessage(`${BEGINNING}], token scope=all`)).toBeUndefined()
  })

  it('of any text names what it names, and nothing else', () => {
    const almost = textOf(BEGINNING, '], token scope=', 'read:user', ',', ' ', 'all', '[', ']')
    fc.assert(
      fc.property(fc.oneof(almost, anyText), (message) => {
        const { required, granted } = scopesNamed(message)
        for (const name of [...required, ...granted]) expect(message).toContain(name)
        const read = parseScopeMessage(message)
        if (read !== undefined) expect(message.startsWith(BEGINNING)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  it('may be long', () => {
    for (const text of longTexts('read:a,', 'read:', 'read', 'a', ',', ' ', '[', ']', 'all')) {
      for (const message of [text, BEGINNING + text, `${BEGINNING}all], token scope=${text}`]) {
        expect(scopesNamed(message).required.length).toBeLessThan(400_000)
      }
    }
  })
})
