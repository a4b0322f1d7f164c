import { jsonParts } from '../../http/response-parts.ts'
import type { RefusalRules } from '../../keyed-service/call.ts'
import type { RequestContext } from '../request-context.ts'

/** Document: Errors, which leaves all of it open. */
export type ErrorRules = RefusalRules<RequestContext>

export const errorRules: ErrorRules = {
  malformedBody: (reason) => ({ status: 400, message: reason }),
  serverError: () => ({ status: 500, message: 'internal error' }),
  errorParts: ({ status, message }) => {
    const parts = jsonParts(status, { error: message }, 'application/json')
    if (status === 401) parts.headers.set('WWW-Authenticate', 'Bearer realm="incident status"')
    return parts
  },
}
