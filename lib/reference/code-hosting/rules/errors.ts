import type { Refusal } from '../../http/refusal.ts'
import type { RequestContext } from '../request-context.ts'

/** Document: Error body; Errors. */
export interface ErrorRules {
  /** @param link as `documentationLink` gives it */
  errorBody(refusal: Refusal, link: string, context: RequestContext): unknown
  /** @param address as `publicAddress` gives it */
  documentationLink(address: string, context: RequestContext): string
  /** What is told about a mistake of the server. */
  serverError(error: unknown, context: RequestContext): Refusal
  /** A path or method that is no endpoint. */
  missingEndpoint(context: RequestContext): Refusal
  /** @param contentType the header's value, empty when it is absent */
  jsonMediaType(contentType: string, context: RequestContext): boolean
  malformedBody(reason: string, context: RequestContext): Refusal
  /** @param field name of the field that is absent or has a wrong type */
  invalidField(field: string, reason: string, context: RequestContext): Refusal
}

export const errorRules: ErrorRules = {
  errorBody: (refusal, link) => ({ message: refusal.message, url: link }),
  documentationLink: (address) => `${address}/api/swagger`,
  serverError: (error, context) => ({
    status: 500,
    message:
      context.caller?.actor.siteAdmin === true && error instanceof Error ? error.message : '',
  }),
  missingEndpoint: () => ({ status: 404, message: 'not found' }),
  jsonMediaType: (contentType) => /^application\/json\s*(;|$)/i.test(contentType.trim()),
  malformedBody: (reason) => ({ status: 400, message: `malformed request: ${reason}` }),
  invalidField: (field, reason) => ({ status: 422, message: `${field}: ${reason}` }),
}
