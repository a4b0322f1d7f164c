import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CredentialProblem } from '../access-model.ts'
import { nearMissOf } from './near-misses.ts'

const problems: readonly CredentialProblem[] = [
  'other start',
  'other end',
  'other case',
  'longer',
  'shorter',
]

it('returns undefined for short secrets and other problems', () => {
  for (const problem of problems) expect(nearMissOf('7-chars', problem)).toBeUndefined()
  expect(nearMissOf('12345678', 'other case')).toBeUndefined()
  expect(nearMissOf('a-secret', 'invented')).toBeUndefined()
})

it('returns another value of similar length', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 8 }), fc.constantFrom(...problems), (secret, problem) => {
      const nearMiss = nearMissOf(secret, problem)
      if (nearMiss === undefined) return
      expect(nearMiss).not.toBe(secret)
      expect(Math.abs(nearMiss.length - secret.length)).toBeLessThanOrEqual(1)
      if (problem === 'other case') expect(nearMiss.toLowerCase()).toBe(secret.toLowerCase())
    }),
  )
})

it.each(['base64', 'base64url', 'hex'] as const)('returns other bytes in %s', (encoding) => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 8, maxLength: 40 }), (bytes) => {
      const secret = Buffer.from(bytes).toString(encoding)
      for (const problem of ['other start', 'other end'] as const) {
        const nearMiss = nearMissOf(secret, problem) ?? secret
        expect(Buffer.from(nearMiss, encoding).equals(bytes), `${secret} ${nearMiss}`).toBe(false)
      }
    }),
  )
})
