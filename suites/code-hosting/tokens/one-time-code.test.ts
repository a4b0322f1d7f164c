import { Secret, TOTP } from 'otpauth'
import { beforeEach, expect, it, vi } from 'vitest'
import { Redactor } from '../../../lib/probe/redaction/redaction.ts'
import { nearCode, oneTimeCode, staleCode, wrongCode } from './one-time-code.ts'

/** The secret of RFC 6238, appendix B, for SHA-1: `12345678901234567890` in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const generator = new TOTP({ secret: Secret.fromBase32(SECRET) })

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

it('oneTimeCode returns and redacts the code of RFC 6238', () => {
  const redactor = new Redactor()
  // The last six of the eight digits in appendix B.
  const codes = { 59: '287082', 1111111109: '081804', 1234567890: '005924', 20000000000: '353130' }
  for (const [seconds, code] of Object.entries(codes)) {
    vi.setSystemTime(Number(seconds) * 1000)
    expect(oneTimeCode({ redactor }, SECRET)).toBe(code)
    expect(redactor.redact(`code ${code}`)).toBe('code $ONE_TIME_CODE')
  }
})

it('wrongCode returns six digits that are invalid in nearby steps', () => {
  for (const seconds of [0, 59, 1234567890]) {
    vi.setSystemTime(seconds * 1000)
    const code = wrongCode(SECRET)
    expect(code).toMatch(/^\d{6}$/)
    expect(generator.validate({ token: code, window: 20 })).toBeNull()
  }
})

it('nearCode returns the current code with another last digit', () => {
  vi.setSystemTime(59_000)
  expect(nearCode(SECRET)).toBe('287083')
  expect(generator.validate({ token: nearCode(SECRET), window: 20 })).toBeNull()
})

it('staleCode returns a code of an hour ago that is invalid in nearby steps', () => {
  vi.setSystemTime(1111111111 * 1000 + 3_600_000)
  expect(staleCode(SECRET)).toBe('050471')
  expect(generator.validate({ token: '050471', window: 20 })).toBeNull()
})

it('wrongCode and staleCode skip codes that are valid in nearby steps', () => {
  const generate = vi.spyOn(TOTP.prototype, 'generate')
  generate.mockReturnValueOnce('000000').mockReturnValueOnce('000001')
  expect(wrongCode(SECRET)).toBe('000002')
  for (let step = -20; step <= 21; step += 1) generate.mockReturnValueOnce('000000')
  generate.mockReturnValueOnce('000001').mockReturnValueOnce('000001')
  expect(staleCode(SECRET)).toBe('000001')
  generate.mockRestore()
})
