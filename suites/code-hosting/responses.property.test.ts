import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText, textOf } from '../../lib/environment/arbitrary-text.fixture.ts'
import { parseScopeMessage, scopesNamed } from './matchers.ts'

const MESSAGE_PREFIX = 'token does not have at least one of required scope(s), required=['

const scope = fc.oneof(
  fc.constantFrom('all', 'public-only', 'read:user', 'write:repository'),
  fc.stringMatching(/^(?:read|write):[a-z]{1,8}$/),
)
const separator = fc.constantFrom(',', ' ', ', ', '  ,  ')

describe('scopesNamed', () => {
  it('returns the scopes of a documented message', () => {
    const scopes = fc.array(scope, { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(scopes, fc.array(scope), separator, (required, granted, between) => {
        const message = `${MESSAGE_PREFIX}${required.join(between)}], token scope=${granted.join(between)}`
        expect(parseScopeMessage(message)).toEqual({ required, granted })
        expect(scopesNamed(message)).toEqual({ required, granted })
        expect(scopesNamed(`no access: ${message}`).required).toEqual([...required, ...granted])
      }),
      { numRuns: 300 },
    )
    expect(parseScopeMessage(`${MESSAGE_PREFIX}], token scope=all`)).toBeUndefined()
  })

  it('returns only scopes that the text contains', () => {
    const almost = textOf(MESSAGE_PREFIX, '], token scope=', 'read:user', ',', ' ', 'all', '[', ']')
    fc.assert(
      fc.property(fc.oneof(almost, anyText), (message) => {
        const { required, granted } = scopesNamed(message)
        for (const name of [...required, ...granted]) expect(message).toContain(name)
        const read = parseScopeMessage(message)
        if (read !== undefined) expect(message.startsWith(MESSAGE_PREFIX)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })
})
