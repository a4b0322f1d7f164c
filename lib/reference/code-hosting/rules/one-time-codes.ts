import { TOTP } from 'otpauth'
import type { Refusal } from '../../http/refusal.ts'
import type { RequestContext } from '../request-context.ts'
import type { Account } from '../store.ts'

/** Document: Endpoints, the token creation row. Codes are those of RFC 6238. */
export interface OneTimeCodeRules {
  oneTimeCodeNeeded(account: Account, context: RequestContext): boolean
  /** @param secret in base32 */
  oneTimeCodeValid(secret: string, code: string, context: RequestContext): boolean
  /** Whether a code that was accepted before is accepted again. */
  oneTimeCodeMayRepeat(context: RequestContext): boolean
  missingOneTimeCode(context: RequestContext): Refusal
  wrongOneTimeCode(context: RequestContext): Refusal
}

export const oneTimeCodeRules: OneTimeCodeRules = {
  oneTimeCodeNeeded: (account, context) =>
    context.endpoint === 'create-token' && account.oneTimeSecret !== undefined,
  oneTimeCodeValid: (secret, code) => {
    const generator = new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 })
    return generator.validate({ token: code, window: 1 }) !== null
  },
  oneTimeCodeMayRepeat: () => true,
  missingOneTimeCode: () => ({ status: 401, message: 'a one-time code is required' }),
  wrongOneTimeCode: () => ({ status: 401, message: 'the one-time code is not valid' }),
}
