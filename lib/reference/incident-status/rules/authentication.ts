import type { KeyRules } from '../../keyed-service/call.ts'
import type { RequestContext } from '../request-context.ts'

/** Document: Authentication. What a refusal looks like is left open. */
export type AuthenticationRules = KeyRules<RequestContext>

export const authenticationRules: AuthenticationRules = {
  accepts: ({ place }) => place === 'bearer',
  keyNeeded: () => true,
  keyHolds: (key, context) => key === context.deployment.key,
  missingKey: () => ({ status: 401, message: 'a bearer key is required' }),
  wrongKey: () => ({ status: 401, message: 'the key is not valid' }),
}
