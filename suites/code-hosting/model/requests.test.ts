import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nearMissOf } from './requests.ts'

const problems = ['other start', 'other end', 'other case', 'longer', 'shorter'] as const

it('returns undefined for short secrets and other problems', () => {
  for (const problem of problems) expect(nearMissOf('7-chars', problem)).toBeUndefined()
  expect(nearMissOf('12345678', 'other case')).toBeUndefined()
  expect(nearMissOf('a-secret', 'invented')).toBeUndefined()
})

it.each(problems)('returns another value of similar length: %s', (problem) => {
  fc.assert(
    fc.property(fc.string({ minLength: 8 }), (secret) => {
      const nearMiss = nearMissOf(secret, problem)
      if (nearMiss === undefined) return
      expect(nearMiss).not.toBe(secret)
      expect(Math.abs(nearMiss.length - secret.length)).toBeLessThanOrEqual(1)
      if (problem === 'other case') expect(nearMiss.toLowerCase()).toBe(secret.toLowerCase())
    }),
    { numRuns: 20 },
  )
})

it.each(['base64', 'base64url', 'hex'] as const)('returns other bytes in %s', (encoding) => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 8, maxLength: 40 }), (bytes) => {
      const secret = Buffer.from(bytes).toString(encoding)
      for (const problem of problems.slice(0, 2)) {
        const nearMiss = nearMissOf(secret, problem) ?? secret
        expect(Buffer.from(nearMiss, encoding).equals(bytes), `${secret} ${nearMiss}`).toBe(false)
      }
    }),
  )
})
