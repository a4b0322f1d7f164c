import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Flaw } from '../access-model.ts'
import { nearMissOf } from './near-misses.ts'

const flaws: readonly Flaw[] = ['other beginning', 'other end', 'other case', 'longer', 'shorter']

it('is none of a secret that it would give away, and none with another flaw', () => {
  for (const flaw of flaws) expect(nearMissOf('7-chars', flaw)).toBeUndefined()
  expect(nearMissOf('12345678', 'other case')).toBeUndefined()
  expect(nearMissOf('a-secret', 'invented')).toBeUndefined()
})

it('is another value, with at most one character less or more', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 8 }), fc.constantFrom(...flaws), (secret, flaw) => {
      const missed = nearMissOf(secret, flaw)
      if (missed === undefined) return
      expect(missed).not.toBe(secret)
      expect(Math.abs(missed.length - secret.length)).toBeLessThanOrEqual(1)
      if (flaw === 'other case') expect(missed.toLowerCase()).toBe(secret.toLowerCase())
    }),
  )
})

it.each(['base64', 'base64url', 'hex'] as const)('stands in %s for other bytes', (encoding) => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 8, maxLength: 40 }), (bytes) => {
      const secret = Buffer.from(bytes).toString(encoding)
      for (const flaw of ['other beginning', 'other end'] as const) {
        const missed = nearMissOf(secret, flaw) ?? secret
        expect(Buffer.from(missed, encoding).equals(bytes), `${secret} ${missed}`).toBe(false)
      }
    }),
  )
})
