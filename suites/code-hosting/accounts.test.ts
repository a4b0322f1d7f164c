import { Secret, TOTP } from 'otpauth'
import { beforeEach, expect, it, vi } from 'vitest'
import { Redactor } from '../../lib/probe/redaction/redaction.ts'
import { oneTimeCode, wrongCode } from './accounts.ts'

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

it.each([
  ['invented', [0, 59, 1234567890], '000000'],
  // The current code with another last digit.
  ['near', [59], '287083'],
  // The code of an hour before.
  ['stale', [1111111111 + 3600], '050471'],
] as const)('wrongCode returns a code that is invalid in nearby steps: %s', (kind, times, code) => {
  for (const seconds of times) {
    vi.setSystemTime(seconds * 1000)
    const redactor = new Redactor()
    expect(wrongCode({ redactor }, SECRET, kind)).toBe(code)
    expect(generator.validate({ token: code, window: 20 })).toBeNull()
    expect(redactor.redact(code)).toBe(kind === 'near' ? '$WRONG_ONE_TIME_CODE' : code)
  }
})

it('wrongCode skips codes that are valid in nearby steps', () => {
  const redactor = new Redactor()
  const generate = vi.spyOn(TOTP.prototype, 'generate')
  generate.mockReturnValueOnce('000000').mockReturnValueOnce('000001')
  expect(wrongCode({ redactor }, SECRET, 'invented')).toBe('000002')
  for (let step = -20; step <= 21; step += 1) generate.mockReturnValueOnce('000000')
  generate.mockReturnValueOnce('000001')
  expect(wrongCode({ redactor }, SECRET, 'stale')).toBe('000001')
  generate.mockRestore()
})
