import type { KeyRules } from '../../keyed-service/call.ts'
import type { RequestContext } from '../request-context.ts'

/** Document: Authentication; Endpoints, the headers. What a refusal looks like is left open. */
export type AuthenticationRules = KeyRules<RequestContext>

export const authenticationRules: AuthenticationRules = {
  accepts: ({ place, name }) => place === 'header' && name === 'x-events-key',
  keyNeeded: () => true,
  keyHolds: (key, context) => key === context.deployment.key,
  missingKey: () => ({ status: 401, message: 'the X-Events-Key header is required' }),
  wrongKey: () => ({ status: 401, message: 'the key is not valid' }),
}
