import { Secret, TOTP } from 'otpauth'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { currentCode, staleCode, wrongCode } from './one-time-code.ts'
import { fakeService } from './service.fixture.ts'

/** The secret of RFC 6238, appendix B, for SHA-1: `12345678901234567890` in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('the current one-time code', () => {
  // The last six of the eight digits that RFC 6238, appendix B, gives.
  it.each([
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ])('at %d s is that of RFC 6238: %s', (seconds, code) => {
    vi.setSystemTime(seconds * 1000)
    expect(currentCode(fakeService(() => ({})).run, SECRET)).toBe(code)
  })

  it('is a secret of the run from then on', () => {
    vi.setSystemTime(59_000)
    const { run } = fakeService(() => ({}))
    currentCode(run, SECRET)
    expect(run.redactor.redact('code 287082, total 12870820')).toBe(
      'code $ONE_TIME_CODE, total 12870820',
    )
  })
})

describe('the wrong one-time code', () => {
  it('has the form of a code and holds in no step nearby', () => {
    const generator = new TOTP({ secret: Secret.fromBase32(SECRET) })
    for (const seconds of [0, 59, 1234567890]) {
      vi.setSystemTime(seconds * 1000)
      const code = wrongCode(SECRET)
      expect(code).toMatch(/^\d{6}$/)
      expect(generator.validate({ token: code, window: 20 })).toBeNull()
    }
  })

  it('is another one where the first that comes to mind would be right', () => {
    const generate = vi.spyOn(TOTP.prototype, 'generate')
    generate.mockReturnValueOnce('000000').mockReturnValueOnce('000001')
    expect(wrongCode(SECRET)).toBe('000002')
    generate.mockRestore()
  })
})

describe('a stale one-time code', () => {
  it('held an hour ago and holds in no step nearby', () => {
    const generator = new TOTP({ secret: Secret.fromBase32(SECRET) })
    vi.setSystemTime(1111111111 * 1000 + 3_600_000)
    expect(staleCode(SECRET)).toBe('050471')
    expect(generator.validate({ token: '050471', window: 20 })).toBeNull()
  })

  it('is an older one where the first would be right', () => {
    const generate = vi.spyOn(TOTP.prototype, 'generate')
    for (let step = -20; step <= 21; step += 1) generate.mockReturnValueOnce('000000')
    generate.mockReturnValueOnce('000001').mockReturnValueOnce('000001')
    expect(staleCode(SECRET)).toBe('000001')
    generate.mockRestore()
  })
})
